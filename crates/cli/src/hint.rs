//! What the user may have meant, for names on the command line.

use crate::ui::Failure;
use modeshift_base::Name;
use modeshift_hir::{near_names, one_of};
use std::fs;
use std::path::Path;

/// `; did you mean …?` for a name among those that exist; nothing when none is close.
pub fn did_you_mean<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let near = near_names(wanted, known.into_iter().map(Name::new));
    match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", one_of(&near)),
    }
}

/// The failure to find a `what`, such as a parameter, by its name.
pub fn no_such<'n>(what: &str, wanted: &str, known: impl IntoIterator<Item = &'n str>) -> Failure {
    let hint = did_you_mean(wanted, known);
    Failure::Usage(format!("there is no {what} `{wanted}`{hint}"))
}

/// `; did you mean …?` for a path whose last part is close to something in its directory.
pub fn near_path(path: &Path) -> String {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let Some(wanted) = path.file_name().and_then(|name| name.to_str()) else {
        return String::new();
    };
    let entries = fs::read_dir(dir).into_iter().flatten().take(2000);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    did_you_mean(wanted, names.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn only_close_names_are_proposed() {
        let known = ["mass", "damping", "stiffness"];
        assert_eq!(did_you_mean("mas", known), "; did you mean `mass`?");
        assert_eq!(did_you_mean("length", known), "");
    }
}
