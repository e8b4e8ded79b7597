//! `modeshift.toml`: how loud each message is, where libraries are, and which old warnings are known.
//!
//! ```toml
//! libraries = ["../Libraries"]
//! baseline = "modeshift-baseline.json"
//!
//! [levels]
//! MS4004 = "allow"
//! parameter-without-value = "error"
//!
//! [[paths]]
//! path = "Legacy"
//! levels = { MS4008 = "allow" }
//! ```
//!
//! The file is looked for in the current directory and those above it. Errors stay errors: a level changes warnings and
//! notes.

use crate::ui::Failure;
use modeshift_diag::{Code, Diagnostic, Severity};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub const FILE_NAME: &str = "modeshift.toml";

/// How loud a message is.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not shown.
    Allow,
    Note,
    Warning,
    Error,
}

#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    libraries: Vec<PathBuf>,
    baseline: Option<PathBuf>,
    #[serde(default)]
    levels: BTreeMap<String, Level>,
    #[serde(default)]
    paths: Vec<PathText>,
}

#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct PathText {
    path: PathBuf,
    levels: BTreeMap<String, Level>,
}

/// Settings of a project.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Config {
    pub libraries: Vec<PathBuf>,
    pub baseline: Option<PathBuf>,
    levels: Vec<(Code, Level)>,
    paths: Vec<(PathBuf, Vec<(Code, Level)>)>,
}

impl Config {
    /// The settings for a command that runs in `dir`; none when there is no file.
    pub fn find(dir: &Path) -> Result<Self, Failure> {
        for dir in dir.ancestors() {
            let path = dir.join(FILE_NAME);
            match fs::read_to_string(&path) {
                Ok(text) => {
                    return Self::parse(&text, dir)
                        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())));
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(Failure::Usage(format!("{}: {error}", path.display())));
                }
            }
        }
        Ok(Self::default())
    }

    /// Paths in the text are relative to `dir`.
    fn parse(text: &str, dir: &Path) -> Result<Self, String> {
        let text: Text = toml::from_str(text).map_err(|error| error.to_string())?;
        let paths = text.paths.into_iter();
        Ok(Self {
            libraries: text.libraries.iter().map(|path| dir.join(path)).collect(),
            baseline: text.baseline.map(|path| dir.join(path)),
            levels: levels(&text.levels)?,
            paths: paths
                .map(|it| Ok((dir.join(it.path), levels(&it.levels)?)))
                .collect::<Result<_, String>>()?,
        })
    }

    /// The level of a message at a place in `file`; the most specific entry wins, of equal ones the last.
    fn level(&self, code: Code, file: Option<&Path>) -> Option<Level> {
        let of = |levels: &[(Code, Level)]| {
            let mut known = levels.iter().rev().filter(|(it, _)| *it == code);
            known.next().map(|(_, level)| *level)
        };
        let here = self.paths.iter().filter(|(path, levels)| {
            file.is_some_and(|file| file.starts_with(path)) && of(levels).is_some()
        });
        let nearest = here.max_by_key(|(path, _)| path.components().count());
        nearest.map_or_else(|| of(&self.levels), |(_, levels)| of(levels))
    }

    /// Whether the project says anywhere how loud the message is.
    pub fn mentions(&self, code: Code) -> bool {
        let paths = self.paths.iter().flat_map(|(_, levels)| levels);
        self.levels.iter().chain(paths).any(|(it, _)| *it == code)
    }

    /// The diagnostic as the project wants to see it, if it does.
    pub fn judge(&self, diagnostic: Diagnostic, file: Option<&Path>) -> Option<Diagnostic> {
        if diagnostic.is_error() {
            return Some(diagnostic);
        }
        match self.level(diagnostic.code, file) {
            None => Some(diagnostic),
            Some(Level::Allow) => None,
            Some(Level::Note) => Some(diagnostic.with_severity(Severity::Note)),
            Some(Level::Warning) => Some(diagnostic.with_severity(Severity::Warning)),
            Some(Level::Error) => Some(diagnostic.with_severity(Severity::Error)),
        }
    }
}

fn levels(text: &BTreeMap<String, Level>) -> Result<Vec<(Code, Level)>, String> {
    let mut found = Vec::new();
    // Groups first, so that a code of its own is more specific.
    let mut names: Vec<(&String, &Level)> = text.iter().collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(Code::named(name).len()));
    for (name, level) in names {
        let codes = Code::named(name);
        if codes.is_empty() {
            return Err(format!("there is no message `{name}`"));
        }
        found.extend(codes.into_iter().map(|code| (code, *level)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::Config;
    use modeshift_diag::{Code, Diagnostic, Severity};
    use std::path::Path;

    const TEXT: &str = "
        libraries = [\"lib\"]
        [levels]
        warnings = \"error\"
        MS4008 = \"allow\"
        [[paths]]
        path = \"old\"
        levels = { real-equality = \"note\", MS4008 = \"warning\" }
    ";

    fn severity(config: &Config, code: Code, file: &str) -> Option<Severity> {
        let diagnostic = Diagnostic::new(code, "").with_severity(Severity::Warning);
        let judged = config.judge(diagnostic, Some(Path::new(file)));
        judged.map(|it| it.severity)
    }

    #[test]
    fn the_most_specific_level_counts() {
        let config = Config::parse(TEXT, Path::new("/p")).unwrap();
        assert_eq!(config.libraries, [Path::new("/p/lib")]);
        assert_eq!(severity(&config, Code::MS4008, "/p/a.mo"), None);
        assert_eq!(
            severity(&config, Code::MS2041, "/p/a.mo"),
            Some(Severity::Error)
        );
        assert_eq!(
            severity(&config, Code::MS2041, "/p/old/a.mo"),
            Some(Severity::Note)
        );
        assert_eq!(
            severity(&config, Code::MS4008, "/p/old/a.mo"),
            Some(Severity::Warning)
        );
    }

    #[test]
    fn errors_stay_errors() {
        let config = Config::parse("[levels]\nMS2001 = \"allow\"", Path::new("/p")).unwrap();
        let error: Diagnostic = Diagnostic::new(Code::MS2001, "");
        assert!(config.judge(error, None).is_some());
    }

    #[test]
    fn slips_are_reported() {
        for text in [
            "[levels]\nMS9999 = \"allow\"",
            "[levels]\nMS4008 = \"loud\"",
            "level = 1",
        ] {
            assert!(Config::parse(text, Path::new("/p")).is_err(), "{text}");
        }
    }
}
