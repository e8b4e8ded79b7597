//! Diagnostics for people: source excerpts with labels, wrapped and cropped to the terminal's width.
//!
//! codespan-reporting draws the excerpts. Around it we do what it leaves to its caller: give it
//! only the lines it will show, cropped to the width and without control characters ([`excerpt`]);
//! catch what it draws as styled characters ([`canvas`]) and fold label texts that are too long
//! without breaking the lines that lead to other labels ([`fold`]); show fixes as the changed text
//! ([`fix`]).

mod canvas;
mod excerpt;
mod fix;
mod fold;

use crate::diagnostic::{Diagnostic, Severity};
use crate::files::Files;
use canvas::Canvas;
use codespan_reporting::diagnostic as codespan;
use codespan_reporting::term::{self, Chars, Config};
use excerpt::Excerpts;
use std::io;
use termcolor::WriteColor;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// One line per diagnostic, without excerpts and notes.
    pub short: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: Self::DEFAULT_WIDTH,
            short: false,
        }
    }
}

impl Style {
    /// Used when the output is no terminal.
    pub const DEFAULT_WIDTH: usize = 100;
    /// Narrower than this nothing can be drawn sensibly.
    pub const MIN_WIDTH: usize = 30;
}

/// Draws one diagnostic, followed by an empty line unless `style.short`.
pub fn write(
    out: &mut dyn WriteColor,
    diagnostic: &Diagnostic,
    files: &Files,
    style: Style,
) -> io::Result<()> {
    if style.short {
        return write_short(out, diagnostic, files);
    }
    let width = style.width.max(Style::MIN_WIDTH);
    let (excerpts, labels) = Excerpts::of(diagnostic, files, width);
    let drawing = codespan::Diagnostic {
        severity: severity(diagnostic.severity),
        code: Some(diagnostic.code.as_str().to_owned()),
        message: headline(diagnostic, width),
        labels,
        notes: notes(diagnostic, files, &excerpts, width),
    };
    let config = Config {
        tab_width: excerpt::TAB_WIDTH,
        chars: Chars::box_drawing(),
        ..Config::default()
    };
    let mut canvas = Canvas::default();
    term::emit_to_write_style(&mut canvas, &config, &excerpts, &drawing)
        .map_err(|error| io::Error::other(error.to_string()))?;
    let messages: Vec<&str> = drawing
        .labels
        .iter()
        .map(|label| label.message.as_str())
        .collect();
    fold::fold_labels(&mut canvas, &messages, width);
    canvas.write(out)
}

/// `file:line:column: error[MS0002]: message`, the form that editors' problem matchers read.
fn write_short(out: &mut dyn WriteColor, diagnostic: &Diagnostic, files: &Files) -> io::Result<()> {
    if let Some((file, place)) = diagnostic
        .labels
        .first()
        .and_then(|label| files.place(label.at))
    {
        write!(out, "{}:{}:{}: ", file.name(), place.line, place.column)?;
    }
    let mut canvas = Canvas::default();
    canvas.header(
        severity(diagnostic.severity),
        diagnostic.code.as_str(),
        &one_line(&diagnostic.message),
    );
    canvas.write(out)
}

const fn severity(severity: Severity) -> codespan::Severity {
    match severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
        Severity::Note => codespan::Severity::Note,
    }
}

/// The message, continued under itself behind `error[MS0002]: `.
fn headline(diagnostic: &Diagnostic, width: usize) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let indent = name.len() + diagnostic.code.as_str().len() + 4;
    // A hanging indent that eats a third of a narrow terminal is worse than a small one.
    let hang = if indent * 3 > width { 2 } else { indent };
    fold::wrap(&one_line(&diagnostic.message), indent, hang, width)
}

fn notes(
    diagnostic: &Diagnostic,
    files: &Files,
    excerpts: &Excerpts<'_>,
    width: usize,
) -> Vec<String> {
    // Notes begin behind the gutter, `= `.
    let indent = excerpts.gutter() + 3;
    let prose = |text: &str| wrap_note(text, indent, width);
    let mut notes: Vec<String> = diagnostic.notes.iter().map(|note| prose(note)).collect();
    for fix in &diagnostic.fixes {
        let mut text = prose(&format!("fix: {}", fix.title));
        for line in fix::changed_lines(fix, files, width.saturating_sub(indent)) {
            text.push('\n');
            text.push_str(&line);
        }
        notes.push(text);
    }
    notes
}

/// Each line of a note is a paragraph of its own; indented ones (equations, tables) stay as they are.
fn wrap_note(text: &str, indent: usize, width: usize) -> String {
    let room = width.saturating_sub(indent).max(Style::MIN_WIDTH / 2);
    let lines = text.lines().map(|line| {
        let line = excerpt::printable(line);
        if line.starts_with(' ') {
            line
        } else {
            fold::wrap(&line, 0, 0, room)
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Without line breaks and control characters.
fn one_line(text: &str) -> String {
    let joined = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    excerpt::printable(&joined)
}
