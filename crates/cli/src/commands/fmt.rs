//! `modeshift fmt`: bring Modelica files into the one layout.

use super::Run;
use crate::progress::Progress;
use crate::sources::{self, Sources};
use crate::ui::{Failure, Ui, plural};
use crate::{atomic, threads};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Files, Severity};
use modeshift_syntax::FormatError;
use rayon::prelude::*;
use similar::{ChangeTag, TextDiff};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Format files
///
/// Rewrites every file, and every `*.mo` file below every directory, in the one layout. Comments
/// stay, the meaning stays, and a second run changes nothing. Files with syntax errors are reported
/// and left alone.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift fmt Clutch.mo\n  \
    modeshift fmt --check .\n  \
    modeshift fmt --check --diff Clutch.mo\n  \
    modeshift fmt --stdin < Clutch.mo")]
pub struct Fmt {
    /// Files and directories
    #[arg(
        required_unless_present = "stdin",
        conflicts_with = "stdin",
        value_name = "PATH"
    )]
    paths: Vec<PathBuf>,

    /// Change nothing; say what would be changed, and exit with 1 if anything would
    #[arg(long)]
    check: bool,

    /// With --check, print the changes
    #[arg(long, requires = "check")]
    diff: bool,

    /// Read from standard input and write to standard output
    #[arg(long)]
    stdin: bool,

    #[command(flatten)]
    threads: threads::Jobs,
}

/// What became of a file.
enum Fate {
    Same,
    Changes {
        old: String,
        new: String,
    },
    /// It has errors, which leave no text that could be formatted.
    Failed(Files, Vec<Diagnostic>),
}

impl Run for Fmt {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        if self.stdin {
            self.format_stdin(ui)
        } else {
            self.format_files(ui)
        }
    }
}

impl Fmt {
    fn format_stdin(&self, ui: &mut Ui) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let original = bytes.clone();
        match format("<stdin>".to_owned(), modeshift_syntax::decode(bytes)) {
            Fate::Failed(files, diagnostics) => {
                if !self.check {
                    ui.reserve_stdout();
                }
                ui.report(diagnostics, &files)?;
                // An editor that pipes its buffer through us must get it back, mistakes and all.
                if self.check {
                    Ok(())
                } else {
                    ui.print(|out| out.write_all(&original))
                }
            }
            Fate::Same if self.check => Ok(()),
            Fate::Same => ui.print(|out| out.write_all(&original)),
            Fate::Changes { old, new } if self.check => {
                ui.fail();
                self.describe(ui, "<stdin>", &old, &new)
            }
            Fate::Changes { new, .. } => ui.print(|out| out.write_all(new.as_bytes())),
        }
    }

    fn format_files(&self, ui: &mut Ui) -> Result<(), Failure> {
        let sources = Sources::find(&self.paths)?;
        let progress = Progress::new(ui, sources.files.len(), "formatting");
        let fates: Vec<Fate> = self.threads.install(|| {
            sources
                .files
                .par_iter()
                .map(|path| {
                    let fate = self.format_file(path);
                    progress.advance();
                    fate
                })
                .collect()
        })?;
        progress.finish();
        ui.report(sources.problems, &Files::new())?;
        let mut changed = 0;
        for (path, fate) in sources.files.iter().zip(fates) {
            match fate {
                Fate::Same => {}
                Fate::Failed(files, diagnostics) => ui.report(diagnostics, &files)?,
                Fate::Changes { old, new } => {
                    changed += 1;
                    let name = path.display().to_string();
                    if self.check {
                        ui.fail();
                        self.describe(ui, &name, &old, &new)?;
                    } else {
                        ui.detail(1, format_args!("formatted {name}"))?;
                    }
                }
            }
        }
        ui.summary(self.summary(sources.files.len(), changed, ui))
    }

    /// Formats one file, and writes it unless only a check was asked for.
    fn format_file(&self, path: &Path) -> Fate {
        let name = path.display().to_string();
        let fate = format(name.clone(), sources::read(path));
        if let Fate::Changes { new, .. } = &fate
            && !self.check
            && let Err(error) = atomic::replace(path, new)
        {
            let message = format!("cannot write `{name}`: {}", sources::reason(&error));
            return Fate::Failed(Files::new(), vec![Diagnostic::new(Code::MS0011, message)]);
        }
        fate
    }

    /// Says what formatting would change.
    fn describe(&self, ui: &mut Ui, name: &str, old: &str, new: &str) -> Result<(), Failure> {
        let diff = TextDiff::from_lines(old, new);
        let changes = diff.iter_all_changes();
        let lines = changes
            .filter(|change| change.tag() == ChangeTag::Delete)
            .count()
            .max(1);
        ui.summary(format_args!(
            "{name}: {} would change",
            plural(lines, "line")
        ))?;
        if self.diff {
            let mut unified = diff.unified_diff();
            let unified = unified
                .context_radius(2)
                .header(name, "formatted")
                .to_string();
            ui.summary(unified.trim_end())?;
        }
        Ok(())
    }

    fn summary(&self, total: usize, changed: usize, ui: &Ui) -> String {
        let verb = if self.check { "to format" } else { "formatted" };
        let rest = ui
            .tally()
            .map_or(String::new(), |tally| format!(", {tally}"));
        format!("{}: {changed} {verb}{rest}", plural(total, "file"))
    }
}

/// Formats a text that was read under `name`. Line endings stay as they are at the first line.
fn format(name: String, (text, unreadable): (String, Vec<Diagnostic<Span>>)) -> Fate {
    let failed = |text: String, diagnostics| {
        let (files, diagnostics) = sources::place_in_file(name, text, diagnostics);
        Fate::Failed(files, diagnostics)
    };
    if !unreadable.is_empty() {
        // To write it would change its encoding, which is more than its layout.
        let errors = (unreadable.into_iter())
            .map(|diagnostic| diagnostic.with_severity(Severity::Error))
            .collect();
        return failed(text, errors);
    }
    match modeshift_syntax::format(&text) {
        Ok(formatted) => {
            let new = match text.split_once('\n') {
                Some((first, _)) if first.ends_with('\r') => {
                    formatted.replace("\r\n", "\n").replace('\n', "\r\n")
                }
                _ => formatted,
            };
            if new == text {
                Fate::Same
            } else {
                Fate::Changes { old: text, new }
            }
        }
        Err(FormatError::Mistakes(mistakes)) => failed(text, mistakes),
        Err(FormatError::Unsafe(at)) => {
            let message = "formatting would change more than the layout; the file is left as it is";
            let diagnostic = Diagnostic::new(Code::MS0020, message)
                .label(at, "this would change")
                .note("This is a mistake of modeshift. Please report it with the file.");
            failed(text, vec![diagnostic])
        }
    }
}
