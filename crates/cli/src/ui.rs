//! The user's side of a command: where diagnostics, documents and remarks go, and the exit status.

use crate::args::{Globals, MessageFormat, When};
use crate::config::Config;
use crate::markdown;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_diag::terminal::{self, Style};
use modeshift_diag::{Code, Diagnostic, Files, Severity, sarif};
use modeshift_report::plot::Canvas;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use termcolor::{BufferedStandardStream, ColorChoice};

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The user asked for something that is not there: exit status 2.
    Usage(String),
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(error.into())
    }
}

/// Streams and settings for one run of a command.
pub struct Ui {
    globals: Globals,
    config: Config,
    errors: usize,
    warnings: usize,
    /// The command failed for another reason than an error diagnostic.
    failed: bool,
    /// The command prints a document of its own to standard output.
    has_document: bool,
    sarif: sarif::Log,
}

impl Ui {
    pub fn new(globals: Globals) -> Self {
        Self {
            globals,
            config: Config::default(),
            errors: 0,
            warnings: 0,
            failed: false,
            has_document: false,
            sarif: sarif::Log::new(),
        }
    }

    /// Reads the settings of the project, if there are any.
    pub fn configure(&mut self) -> Result<(), Failure> {
        self.config = Config::find(&std::env::current_dir()?)?;
        Ok(())
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the settings of the project leave of these diagnostics, then [`Ui::judge`].
    pub fn judge_in(
        &self,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
        files: &Files,
    ) -> Vec<Diagnostic> {
        let base = std::env::current_dir().unwrap_or_default();
        let wanted = diagnostics.into_iter().filter_map(|diagnostic| {
            let place = diagnostic
                .labels
                .first()
                .and_then(|label| files.place(label.at));
            let file = place.map(|(file, _)| base.join(file.name()));
            self.config.judge(diagnostic, file.as_deref())
        });
        self.judge(wanted)
    }

    /// Says that standard output belongs to the command's document, which keeps machine-readable
    /// diagnostics off it. Call it before anything is reported.
    pub fn reserve_stdout(&mut self) {
        self.has_document = true;
    }

    /// Raises what `--deny` names to errors, and drops what `--quiet` does not want to see.
    pub fn judge(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
        let judged = diagnostics
            .into_iter()
            .map(|diagnostic| match diagnostic.severity {
                Severity::Warning if self.denies(diagnostic.code) => {
                    diagnostic.with_severity(Severity::Error)
                }
                _ => diagnostic,
            });
        judged
            .filter(|diagnostic| diagnostic.is_error() || !self.globals.quiet)
            .collect()
    }

    /// Does `--deny` make an error of this code's warnings?
    pub fn denies(&self, code: Code) -> bool {
        self.globals
            .deny
            .iter()
            .any(|name| Code::named(name).contains(&code))
    }

    /// Does `--deny` name this code or its group, not just all warnings? Then notes of the kind count, too.
    pub fn denies_by_name(&self, code: Code) -> bool {
        let names = self.globals.deny.iter();
        let mut names = names.filter(|name| *name != "warnings");
        names.any(|name| Code::named(name).contains(&code))
    }

    /// Messages that somebody asked for, although they are not shown by themselves.
    pub fn lints(&self) -> Vec<Code> {
        let opt_in = Code::ALL.iter().copied().filter(|code| code.is_opt_in());
        opt_in
            .filter(|&code| self.denies(code) || self.config.mentions(code))
            .collect()
    }

    /// Counts diagnostics that the command's document carries, so that they decide the exit status.
    pub fn count<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => {}
            }
        }
    }

    /// Shows diagnostics to the user, in the format asked for.
    pub fn report(
        &mut self,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
        files: &Files,
    ) -> Result<(), Failure> {
        let diagnostics = self.judge_in(diagnostics, files);
        self.count(&diagnostics);
        if diagnostics.is_empty() {
            return Ok(());
        }
        match self.globals.message_format {
            MessageFormat::Terminal | MessageFormat::Short => self.draw(&diagnostics, files)?,
            MessageFormat::Json => self.print_machine(|out| {
                for diagnostic in &diagnostics {
                    serde_json::to_writer(&mut *out, &JsonDiagnostic::new(diagnostic, files))?;
                    writeln!(out)?;
                }
                Ok(())
            })?,
            MessageFormat::Sarif => {
                for diagnostic in &diagnostics {
                    self.sarif.add(diagnostic, files);
                }
            }
        }
        Ok(())
    }

    fn draw(&self, diagnostics: &[Diagnostic], files: &Files) -> io::Result<()> {
        let mut err = BufferedStandardStream::stderr(self.color_choice());
        let style = Style {
            width: self.width(),
            short: self.globals.message_format == MessageFormat::Short,
        };
        for diagnostic in diagnostics {
            terminal::write(&mut err, diagnostic, files, style)?;
        }
        err.flush()
    }

    /// Writes machine-readable diagnostics to the stream that is free for them.
    fn print_machine(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.has_document {
            let mut out = BufWriter::new(io::stderr().lock());
            write(&mut out)?;
            out.flush()
        } else {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out)?;
            out.flush()
        }
    }

    /// Prints a document to standard output.
    pub fn print(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.has_document = true;
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut out)?;
        out.flush()?;
        Ok(())
    }

    /// Prints a JSON document to standard output, indented for people.
    pub fn print_json(&mut self, document: &impl serde::Serialize) -> Result<(), Failure> {
        self.print(|out| {
            serde_json::to_writer_pretty(&mut *out, document)?;
            writeln!(out)
        })
    }

    /// Prints a page of the documentation: laid out for a terminal, else as it is.
    pub fn print_page(&mut self, page: &str) -> Result<(), Failure> {
        if !io::stdout().is_terminal() && self.globals.color != When::Always {
            return self.print(|out| out.write_all(page.as_bytes()));
        }
        let choice = match self.globals.color {
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
            When::Auto => ColorChoice::Auto,
        };
        let mut out = BufferedStandardStream::stdout(choice);
        markdown::write(&mut out, page, self.width().min(Style::DEFAULT_WIDTH))?;
        Ok(out.flush()?)
    }

    /// A remark on standard error for people, which `--quiet` silences.
    pub fn remark(&self, text: impl std::fmt::Display) -> Result<(), Failure> {
        if !self.globals.quiet {
            writeln!(io::stderr().lock(), "{text}")?;
        }
        Ok(())
    }

    /// A remark that is printed only when `--verbose` was given at least `level` times.
    pub fn detail(&self, level: u8, text: impl std::fmt::Display) -> Result<(), Failure> {
        if self.globals.verbose >= level {
            self.remark(text)
        } else {
            Ok(())
        }
    }

    /// Was `--verbose` given?
    pub fn is_verbose(&self) -> bool {
        self.globals.verbose > 0
    }

    /// Forgets what was reported, for another round; clears the screen if there is one.
    pub fn begin_again(&mut self) -> Result<(), Failure> {
        (self.errors, self.warnings, self.failed) = (0, 0, false);
        if io::stdout().is_terminal() && io::stderr().is_terminal() {
            let mut out = io::stdout().lock();
            // Clear, and put the cursor into the corner.
            out.write_all(b"\x1b[2J\x1b[H")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Makes the exit status 1 although no error was reported.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// May a progress bar be drawn on standard error?
    pub fn is_interactive(&self) -> bool {
        !self.globals.quiet
            && self.globals.message_format == MessageFormat::Terminal
            && io::stderr().is_terminal()
    }

    /// `2 errors and 1 warning`; nothing when there are none.
    pub fn tally(&self) -> Option<String> {
        match (self.errors, self.warnings) {
            (0, 0) => None,
            (errors, 0) => Some(plural(errors, "error")),
            (0, warnings) => Some(plural(warnings, "warning")),
            (errors, warnings) => Some(format!(
                "{} and {}",
                plural(errors, "error"),
                plural(warnings, "warning")
            )),
        }
    }

    /// The closing line of a command that prints no document: to standard output, or to standard
    /// error where machine-readable diagnostics have the former.
    pub fn summary(&self, text: impl std::fmt::Display) -> Result<(), Failure> {
        match self.globals.message_format {
            MessageFormat::Json | MessageFormat::Sarif => self.remark(text),
            _ if self.globals.quiet => Ok(()),
            _ => Ok(writeln!(io::stdout().lock(), "{text}")?),
        }
    }

    /// How a picture is drawn on standard output: as wide as the terminal, with colours if it has them.
    pub fn canvas(&self) -> Canvas {
        let plain = Canvas::default();
        let size = terminal_size::terminal_size_of(io::stdout());
        let width = self.globals.width.or(size.map(|(width, _)| width.0));
        let tall = size.map(|(_, height)| usize::from(height.0) / 2);
        Canvas {
            width: width.map_or(plain.width, |width| usize::from(width).max(40)),
            height: tall.map_or(plain.height, |tall| tall.clamp(8, 24)),
            colours: match self.globals.color {
                When::Always => true,
                When::Never => false,
                When::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            },
        }
    }

    /// Does a person watch who may like to know how long things took? What others read is the same each time.
    pub fn wants_times(&self) -> bool {
        self.is_interactive() || self.is_verbose()
    }

    /// How wide the terminal is, or what is taken to be readable.
    pub fn width(&self) -> usize {
        let terminal = || terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0);
        self.globals
            .width
            .or_else(terminal)
            .map_or(Style::DEFAULT_WIDTH, usize::from)
    }

    fn color_choice(&self) -> ColorChoice {
        match self.globals.color {
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
            // termcolor itself looks at NO_COLOR and TERM, but not at the stream.
            When::Auto if io::stderr().is_terminal() => ColorChoice::Auto,
            When::Auto => ColorChoice::Never,
        }
    }

    /// Prints what is still to be printed and gives the exit status.
    pub fn finish(mut self, result: Result<(), Failure>) -> ExitCode {
        match result.and_then(|()| self.close()) {
            Ok(()) if self.errors > 0 || self.failed => ExitCode::from(1),
            Ok(()) => ExitCode::SUCCESS,
            // The reader has seen enough, as with `| head`.
            Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(Failure::Io(error)) => complain(&error.to_string(), 1),
            Err(Failure::Usage(message)) => complain(&message, 2),
        }
    }

    fn close(&mut self) -> Result<(), Failure> {
        if self.globals.message_format == MessageFormat::Sarif {
            let log = std::mem::take(&mut self.sarif).finish();
            self.print_machine(|out| {
                serde_json::to_writer_pretty(&mut *out, &log)?;
                writeln!(out)
            })?;
        }
        Ok(())
    }
}

fn complain(message: &str, status: u8) -> ExitCode {
    // If even standard error is gone there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "modeshift: {message}");
    ExitCode::from(status)
}

/// `1 file`, `3 classes`
pub fn plural(count: usize, word: &str) -> String {
    match (count, word) {
        (1, _) => format!("1 {word}"),
        (_, "class" | "fix") => format!("{count} {word}es"),
        _ => format!("{count} {word}s"),
    }
}
