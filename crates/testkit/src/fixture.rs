//! Several files in one text.
//!
//! ```text
//! //- /Lib/package.mo
//! package Lib end Lib;
//! //- /User.mo
//! model User Lib.A a; end User;
//! ```
//!
//! A text without such a line is one file called `/main.mo`.

use std::path::PathBuf;
use std::{fs, io};

const MARK: &str = "//- ";

/// The files of a fixture, names with their leading slash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    pub files: Vec<(String, String)>,
}

impl Fixture {
    /// # Panics
    /// When a name does not begin with a slash, or text comes before the first name.
    pub fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('\n');
        if !text.starts_with(MARK) {
            assert!(
                !text.contains("\n//- "),
                "text before the first `//- /name.mo`"
            );
            return Self {
                files: vec![("/main.mo".into(), text.into())],
            };
        }
        let mut files: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            match line.strip_prefix(MARK) {
                Some(name) => {
                    let name = name.trim();
                    assert!(
                        name.starts_with('/'),
                        "a fixture's file name begins with `/`: {name}"
                    );
                    files.push((name.into(), String::new()));
                }
                None => {
                    if let Some((_, text)) = files.last_mut() {
                        text.push_str(line);
                    }
                }
            }
        }
        Self { files }
    }

    /// Writes the files below a new temporary directory, which lives as long as the result.
    pub fn write(&self) -> io::Result<tempfile::TempDir> {
        let dir = tempfile::tempdir()?;
        for (name, text) in &self.files {
            let path: PathBuf = dir.path().join(name.trim_start_matches('/'));
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, text)?;
        }
        Ok(dir)
    }
}

#[cfg(test)]
mod tests {
    use super::Fixture;

    #[test]
    fn files_are_split_at_their_names() {
        let fixture = Fixture::parse("\n//- /a/A.mo\nmodel A\nend A;\n//- /B.mo\n");
        assert_eq!(
            fixture.files,
            [
                ("/a/A.mo".into(), "model A\nend A;\n".into()),
                ("/B.mo".into(), String::new())
            ]
        );
        let dir = fixture.write().unwrap();
        let text = std::fs::read_to_string(dir.path().join("a/A.mo")).unwrap();
        assert_eq!(text, "model A\nend A;\n");
    }

    #[test]
    fn a_text_without_names_is_one_file() {
        let fixture = Fixture::parse("model A end A;");
        assert_eq!(
            fixture.files,
            [("/main.mo".into(), "model A end A;".into())]
        );
    }
}
