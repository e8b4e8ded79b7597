//! `modeshift new`: a package to begin with.

use super::Run;
use crate::sources::reason;
use crate::ui::{Failure, Ui};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a new package, with a model that passes `check`
///
/// Makes a directory with a `package.mo`, a `package.order`, a clutch as an example and a README. Nothing that exists is
/// changed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift new Drive\n  \
    modeshift new Drive --dir models\n  \
    modeshift check Drive")]
pub struct New {
    /// The name of the package, which becomes that of the directory
    #[arg(value_name = "NAME")]
    name: String,

    /// Where to make it; the current directory when left out
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

/// The files of a package; `NAME` stands for its name.
const FILES: &[(&str, &str)] = &[
    ("package.mo", include_str!("new/package.mo")),
    ("package.order", include_str!("new/package.order")),
    ("Clutch.mo", include_str!("new/Clutch.mo")),
    ("README.md", include_str!("new/README.md")),
];

impl Run for New {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        check_name(&self.name)?;
        let dir = self.dir.join(&self.name);
        let shown = dir.strip_prefix(".").unwrap_or(&dir);
        fs::create_dir(&dir).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::Usage(format!(
                "`{}` exists already; nothing was changed",
                shown.display()
            )),
            _ => failure(&dir, &error),
        })?;
        for (name, text) in FILES {
            write_new(&dir.join(name), &text.replace("NAME", &self.name))?;
        }
        ui.remark(format!(
            "made the package `{}`; try `modeshift check {}`",
            self.name,
            shown.display()
        ))
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("{}: {}", path.display(), reason(error)))
}

/// Never overwrites, not even a file that came into being a moment ago.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let file = fs::File::create_new(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| failure(path, &error))
}

/// A name of a class that is a name of a directory as well.
fn check_name(name: &str) -> Result<(), Failure> {
    let is_identifier = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let words = modeshift_syntax::lex(name).tokens;
    let is_word = !matches!(
        words[..],
        [modeshift_syntax::Token {
            kind: modeshift_syntax::TokenKind::Ident,
            ..
        }]
    );
    if is_identifier && !is_word && name != "NAME" {
        return Ok(());
    }
    let why = if is_identifier {
        "it is a word of the language"
    } else {
        "use letters, digits and `_`, a letter first"
    };
    Err(Failure::Usage(format!(
        "`{name}` cannot be the name of a package: {why}"
    )))
}
