//! Lines of styled characters: what codespan-reporting draws on, before it goes to the terminal.

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::term::{Styles, WriteStyle};
use std::io::{self, Write};
use termcolor::{ColorSpec, WriteColor};

/// What a character is part of; [`Ink::color`] says how that looks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Ink {
    #[default]
    Plain,
    Header(Severity),
    Message,
    LineNumber,
    Bullet,
    Border,
    Label(Severity, LabelStyle),
}

/// A run of text in one ink.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) ink: Ink,
    pub(super) text: String,
}

/// A drawn line without its line ending.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) runs: Vec<Run>,
}

#[derive(Default)]
pub(super) struct Canvas {
    pub(super) lines: Vec<Line>,
    ink: Ink,
    /// Bytes of a character that `write` has seen only in part.
    partial: Vec<u8>,
    /// The last line has no line ending yet.
    open: bool,
}

impl Line {
    pub(super) fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }

    pub(super) fn push(&mut self, ink: Ink, text: &str) {
        match self.runs.last_mut() {
            Some(run) if run.ink == ink => run.text.push_str(text),
            _ if text.is_empty() => {}
            _ => self.runs.push(Run {
                ink,
                text: text.to_owned(),
            }),
        }
    }
}

impl Ink {
    fn color(self, styles: &Styles) -> Option<&ColorSpec> {
        Some(match self {
            Self::Plain => return None,
            Self::Header(severity) => styles.header(severity),
            Self::Message => styles.header_message(),
            Self::LineNumber => styles.line_number(),
            Self::Bullet => styles.note_bullet(),
            Self::Border => styles.source_border(),
            Self::Label(severity, style) => styles.label(severity, style),
        })
    }
}

impl Canvas {
    /// `error[MS0002]: message`
    pub(super) fn header(&mut self, severity: Severity, code: &str, message: &str) {
        let name = match severity {
            Severity::Bug | Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note | Severity::Help => "note",
        };
        let mut line = Line::default();
        line.push(Ink::Header(severity), &format!("{name}[{code}]"));
        line.push(Ink::Message, &format!(": {message}"));
        self.lines.push(line);
    }

    pub(super) fn write(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let styles = Styles::default();
        for line in &self.lines {
            let last = line.runs.len().saturating_sub(1);
            for (i, run) in line.runs.iter().enumerate() {
                let text = if i == last {
                    run.text.trim_end()
                } else {
                    &run.text
                };
                match run.ink.color(&styles) {
                    Some(color) if !text.is_empty() => {
                        out.set_color(color)?;
                        out.write_all(text.as_bytes())?;
                        out.reset()?;
                    }
                    _ => out.write_all(text.as_bytes())?,
                }
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn put(&mut self, text: &str) {
        for (i, part) in text.split('\n').enumerate() {
            if i > 0 {
                if !self.open {
                    self.lines.push(Line::default());
                }
                self.open = false;
            }
            if part.is_empty() {
                continue;
            }
            if !self.open {
                self.lines.push(Line::default());
                self.open = true;
            }
            if let Some(line) = self.lines.last_mut() {
                line.push(self.ink, part);
            }
        }
    }
}

impl Write for Canvas {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.partial.extend_from_slice(bytes);
        let buffer = std::mem::take(&mut self.partial);
        match std::str::from_utf8(&buffer) {
            Ok(text) => self.put(text),
            Err(error) => {
                let (text, rest) = buffer.split_at(error.valid_up_to());
                self.put(&String::from_utf8_lossy(text));
                self.partial = rest.to_vec();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Canvas {
    fn set_header(&mut self, severity: Severity) -> io::Result<()> {
        self.ink = Ink::Header(severity);
        Ok(())
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.ink = Ink::Message;
        Ok(())
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.ink = Ink::LineNumber;
        Ok(())
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.ink = Ink::Bullet;
        Ok(())
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.ink = Ink::Border;
        Ok(())
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> io::Result<()> {
        self.ink = Ink::Label(severity, style);
        Ok(())
    }

    fn reset(&mut self) -> io::Result<()> {
        self.ink = Ink::Plain;
        Ok(())
    }
}
