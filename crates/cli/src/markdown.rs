//! A page of the documentation on a terminal: headings stand out, examples are set off, prose is
//! wrapped. Knows as much Markdown as our pages use; the rest stays as it is written.

use std::io;
use termcolor::{Color, ColorSpec, WriteColor};

/// Writes `page` wrapped to `width` columns.
pub fn write(out: &mut dyn WriteColor, page: &str, width: usize) -> io::Result<()> {
    let mut paragraph = Paragraph::default();
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        if let Some(marks) = fence {
            if line.trim_end() == marks {
                fence = None;
            } else {
                writeln!(out, "    {line}")?;
            }
        } else if line.starts_with("```") {
            paragraph.flush(out, width)?;
            let marks = line.len() - line.trim_start_matches('`').len();
            fence = Some(&line[..marks]);
            caption(out, &line[marks..])?;
        } else if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ')
            && line.starts_with('#')
        {
            paragraph.flush(out, width)?;
            styled(out, ColorSpec::new().set_bold(true), heading)?;
            writeln!(out)?;
        } else if line.is_empty() || line.starts_with(['-', '|', ' ']) {
            paragraph.flush(out, width)?;
            prose(out, line)?;
            writeln!(out)?;
        } else {
            paragraph.push(line);
        }
    }
    paragraph.flush(out, width)
}

/// What an example shows, told by the words behind its fence.
fn caption(out: &mut dyn WriteColor, info: &str) -> io::Result<()> {
    let (color, text) = match info.split_whitespace().nth(1) {
        Some("fails") => (Color::Red, "  ✗ reported:"),
        Some("passes") => (Color::Green, "  ✓ fine:"),
        _ => return Ok(()),
    };
    styled(out, ColorSpec::new().set_fg(Some(color)), text)?;
    writeln!(out)
}

fn styled(out: &mut dyn WriteColor, style: &ColorSpec, text: &str) -> io::Result<()> {
    out.set_color(style)?;
    write!(out, "{text}")?;
    out.reset()
}

/// A line with the code in it coloured, or in its quotes where there are no colours.
fn prose(out: &mut dyn WriteColor, line: &str) -> io::Result<()> {
    if !out.supports_color() {
        return write!(out, "{line}");
    }
    for (i, part) in line.split('`').enumerate() {
        if i % 2 == 0 {
            write!(out, "{part}")?;
        } else {
            styled(out, ColorSpec::new().set_fg(Some(Color::Cyan)), part)?;
        }
    }
    Ok(())
}

/// Lines of prose that belong together.
#[derive(Default)]
struct Paragraph {
    words: Vec<String>,
}

impl Paragraph {
    /// Adds a line's words; code in backquotes is one word.
    fn push(&mut self, line: &str) {
        let mut open = false;
        for word in line.split_whitespace() {
            match self.words.last_mut() {
                Some(last) if open => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => self.words.push(word.to_owned()),
            }
            open ^= word.matches('`').count() % 2 == 1;
        }
    }

    fn flush(&mut self, out: &mut dyn WriteColor, width: usize) -> io::Result<()> {
        let mut line = String::new();
        for word in self.words.drain(..) {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                prose(out, &line)?;
                writeln!(out)?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        if !line.is_empty() {
            prose(out, &line)?;
            writeln!(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use termcolor::NoColor;

    #[test]
    fn a_page_is_laid_out() {
        let page = "# MS0002: A `;` is missing\n\nEvery equation ends with\n`a ;`, like that.\n\n\
                    ```modelica fails\nmodel A\n```\n\n- one\n- two\n";
        let mut out = NoColor::new(Vec::new());
        super::write(&mut out, page, 30).unwrap();
        let text = String::from_utf8(out.into_inner()).unwrap();
        assert_eq!(
            text,
            "MS0002: A `;` is missing\n\nEvery equation ends with\n`a ;`, like that.\n\n  \
             ✗ reported:\n    model A\n\n- one\n- two\n"
        );
    }
}
