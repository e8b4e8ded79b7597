//! Files and directories named on the command line, and the texts in them.

use crate::ui::Failure;
use modeshift_base::{FileId, FileSpan, Span};
use modeshift_diag::{Code, Diagnostic, Files};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What the paths of a command stand for.
#[derive(Debug, Default)]
pub struct Sources {
    /// Each file once, in the order of the paths, those of a directory by name.
    pub files: Vec<PathBuf>,
    /// Directories that could not be read.
    pub problems: Vec<Diagnostic>,
}

impl Sources {
    /// Files stand for themselves, directories for all `*.mo` files below them. A path that does not
    /// exist, or a directory without such files, is a mistake in the command.
    pub fn find(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut sources = Self::default();
        let mut seen = BTreeSet::new();
        for path in paths {
            let kind = fs::metadata(path).map_err(|error| {
                let hint = crate::hint::near_path(path);
                Failure::Usage(format!("{}: {}{hint}", path.display(), reason(&error)))
            })?;
            if !kind.is_dir() {
                if seen.insert(path.clone()) {
                    sources.files.push(path.clone());
                }
                continue;
            }
            let mut found = false;
            for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                match entry {
                    Ok(entry) if is_model(entry.path()) && entry.file_type().is_file() => {
                        found = true;
                        if seen.insert(entry.path().to_owned()) {
                            sources.files.push(entry.into_path());
                        }
                    }
                    Ok(_) => {}
                    Err(error) => {
                        found = true;
                        sources.problems.push(unreadable(&error));
                    }
                }
            }
            if !found {
                let message = format!("there are no .mo files in `{}`", path.display());
                return Err(Failure::Usage(message));
            }
        }
        Ok(sources)
    }
}

fn is_model(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("mo"))
}

fn unreadable(error: &walkdir::Error) -> Diagnostic {
    let path = error.path().unwrap_or(Path::new("?")).display();
    let message = match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => {
            format!(
                "`{path}` leads back to `{}`, in a circle",
                ancestor.display()
            )
        }
        (None, Some(cause)) => format!("cannot read `{path}`: {}", reason(cause)),
        (None, None) => format!("cannot read `{path}`"),
    };
    Diagnostic::new(Code::MS0011, message)
}

/// The cause of an error of the operating system, without its number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => text.to_owned(),
        None => text,
    }
}

/// Reads a file as Modelica text. What cannot be read is a diagnostic, and leaves the text empty.
pub fn read(path: &Path) -> (String, Vec<Diagnostic<Span>>) {
    match fs::read(path) {
        Ok(bytes) => modeshift_syntax::decode(bytes),
        Err(error) => {
            let message = format!("cannot read `{}`: {}", path.display(), reason(&error));
            (String::new(), vec![Diagnostic::new(Code::MS0011, message)])
        }
    }
}

/// A table with one file, and the diagnostics of that file told in its terms.
pub fn place_in_file(
    name: String,
    text: String,
    diagnostics: Vec<Diagnostic<Span>>,
) -> (Files, Vec<Diagnostic>) {
    let mut files = Files::new();
    let file: FileId = files.add(name, text);
    let placed = diagnostics
        .into_iter()
        .map(|d| d.map(|span| FileSpan { file, span }))
        .collect();
    (files, placed)
}
