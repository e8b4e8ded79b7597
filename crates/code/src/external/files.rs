//! Files that functions read, and the little they may write.
//!
//! A model comes from a stranger. It reads what lies below the directories of its libraries and of itself, and writes
//! below the output directory, if there is one.

#![allow(
    clippy::disallowed_methods,
    reason = "a running model reads its tables and resources here, and nowhere else"
)]

use crate::context::Context;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Files larger than this are not read.
const MAX_BYTES: u64 = 200_000_000;

/// The file that a name or URI means, if it may be read.
pub fn readable(context: &Context, name: &str) -> Result<PathBuf, String> {
    let name = name.trim();
    let candidates: Vec<PathBuf> = match name.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("modelica") => resources(context, rest),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => vec![PathBuf::from(rest)],
        _ => {
            let path = PathBuf::from(name.replace('\\', "/"));
            match path.is_absolute() {
                true => vec![path],
                false => context
                    .libraries
                    .iter()
                    .map(|root| root.join(&path))
                    .collect(),
            }
        }
    };
    let roots = || context.libraries.iter().chain(&context.output);
    let roots: Vec<PathBuf> = roots()
        .filter_map(|root| root.canonicalize().ok())
        .collect();
    let mut seen = false;
    for path in candidates {
        let Ok(path) = path.canonicalize() else {
            continue;
        };
        if roots.iter().any(|root| path.starts_with(root)) {
            return Ok(path);
        }
        seen = true;
    }
    Err(match seen {
        true => format!("`{name}` lies outside the model and its libraries, and is not read"),
        false => format!("there is no file `{name}`"),
    })
}

/// `Modelica/Resources/Data/x.txt`: a library's directory may carry a version.
fn resources(context: &Context, rest: &str) -> Vec<PathBuf> {
    let (library, inner) = rest.split_once('/').unwrap_or((rest, ""));
    // `modelica://Modelica.Blocks/x`: a package inside the library.
    let mut packages = library.split('.');
    let top = packages.next().unwrap_or(library);
    let inside: PathBuf = packages.collect();
    let mut found = Vec::new();
    for root in &context.libraries {
        let mut tops = vec![root.join(top)];
        let own = root
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if own == top || own.starts_with(&format!("{top} ")) {
            tops.push(root.clone());
        }
        if let Ok(entries) = std::fs::read_dir(root) {
            let versions = entries.filter_map(|entry| {
                let name = entry.ok()?.file_name().into_string().ok()?;
                name.starts_with(&format!("{top} "))
                    .then(|| root.join(name))
            });
            let mut versions: Vec<PathBuf> = versions.collect();
            versions.sort();
            tops.extend(versions);
        }
        found.extend(tops.iter().map(|top| top.join(&inside).join(inner)));
        found.extend(tops.iter().map(|top| top.join(inner)));
    }
    found
}

/// The file of a shared library: `lib{name}.so` or the like in a directory or, below it, in that of the platform.
pub fn library(context: &Context, directory: &str, name: &str) -> Option<PathBuf> {
    let directories = match directory.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("modelica") => resources(context, rest),
        Some((_, rest)) => vec![PathBuf::from(rest)],
        None => vec![PathBuf::from(directory)],
    };
    let platform = match (cfg!(target_os = "macos"), cfg!(target_arch = "aarch64")) {
        (true, _) => "darwin64",
        (false, true) => "aarch64-linux",
        (false, false) => "linux64",
    };
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let files = [
        format!("{prefix}{name}{suffix}"),
        format!("{name}{suffix}"),
        name.to_owned(),
    ];
    let places = directories
        .iter()
        .flat_map(|dir| [dir.join(platform), dir.clone()]);
    let mut candidates = places.flat_map(|dir| files.clone().map(|file| dir.join(file)));
    candidates.find(|path| path.is_file())
}

pub fn bytes(context: &Context, name: &str) -> Result<Vec<u8>, String> {
    let path = readable(context, name)?;
    let size = std::fs::metadata(&path).map_err(|error| error.to_string())?;
    if !size.is_file() || size.len() > MAX_BYTES {
        return Err(format!("`{name}` is no file that can be read"));
    }
    std::fs::read(&path).map_err(|error| format!("`{name}`: {error}"))
}

/// The text of a file, read once.
pub fn text(context: &mut Context, name: &str) -> Result<Arc<str>, String> {
    let path = readable(context, name)?;
    if let Some(text) = context.files.get(&path) {
        return Ok(text.clone());
    }
    let bytes = bytes(context, name)?;
    let text: Arc<str> = String::from_utf8_lossy(&bytes)
        .trim_start_matches('\u{feff}')
        .into();
    context.files.insert(path, text.clone());
    Ok(text)
}

/// A file below the output directory.
pub fn writable(context: &Context, name: &str) -> Result<PathBuf, String> {
    let Some(root) = &context.output else {
        return Err(format!(
            "`{name}` is not written: functions write files beside that of `--output` only"
        ));
    };
    let path = Path::new(name);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(plain) {
        return Err(format!(
            "`{name}` is not written: it lies outside the directory of `--output`"
        ));
    }
    Ok(root.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_below_the_output_directory_only() {
        let mut context = Context::default();
        assert!(writable(&context, "a.txt").is_err());
        context.output = Some(PathBuf::from("/out"));
        let path = |name: &str| writable(&context, name).ok();
        assert_eq!(path("a.txt"), Some(PathBuf::from("/out/a.txt")));
        assert_eq!(path("./b/c.txt"), Some(PathBuf::from("/out/./b/c.txt")));
        for outside in ["../a.txt", "b/../../a.txt", "/tmp/a.txt", "..", "/"] {
            assert_eq!(path(outside), None, "{outside}");
        }
    }
}
