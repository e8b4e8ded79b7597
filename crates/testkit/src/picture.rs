//! Terminal output as an SVG picture, so that the pictures in the documentation are what the
//! program really prints.

use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

const CHAR_WIDTH: f64 = 8.4;
const LINE_HEIGHT: usize = 19;
const PADDING: usize = 16;
const TITLE_BAR: usize = 30;

/// The colours of ANSI codes 30 to 37 and of their bright forms, on a dark ground.
const COLORS: [&str; 16] = [
    "#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de",
    "#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#89dceb", "#ffffff",
];
const FOREGROUND: &str = "#cdd6f4";
const BACKGROUND: &str = "#1e1e2e";

#[derive(Clone, Copy, PartialEq, Default)]
struct Pen {
    color: Option<usize>,
    bold: bool,
}

/// A picture of a terminal in which `command` printed `output`, which may use ANSI colours.
pub fn svg(command: &str, output: &str) -> String {
    let mut lines = vec![vec![(
        Pen {
            color: Some(2),
            bold: true,
        },
        "$ ".to_owned(),
    )]];
    lines[0].push((
        Pen {
            color: None,
            bold: true,
        },
        command.to_owned(),
    ));
    lines.extend(styled_lines(output.trim_end()));
    let columns = lines
        .iter()
        .map(|line| line_width(line))
        .max()
        .unwrap_or(0)
        .max(40);
    let width = (columns as f64 * CHAR_WIDTH).ceil() as usize + 2 * PADDING;
    let height = lines.len() * LINE_HEIGHT + 2 * PADDING + TITLE_BAR;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
<title>{}</title>
<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>
<circle cx="20" cy="18" r="6" fill="{}"/><circle cx="40" cy="18" r="6" fill="{}"/><circle cx="60" cy="18" r="6" fill="{}"/>
<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">
"#,
        escape(command),
        COLORS[1],
        COLORS[3],
        COLORS[2]
    );
    for (i, line) in lines.iter().enumerate() {
        let y = TITLE_BAR + PADDING + i * LINE_HEIGHT + 14;
        write_line(&mut svg, line, y);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Every stretch without wide gaps is placed by its column and given its width, so that the picture
/// depends neither on the font nor on how a viewer treats blanks.
fn write_line(svg: &mut String, line: &[(Pen, String)], y: usize) {
    let mut column = 0;
    for (pen, text) in line {
        let fill = pen.color.map_or(FOREGROUND, |color| COLORS[color]);
        let bold = if pen.bold {
            r#" font-weight="bold""#
        } else {
            ""
        };
        for (offset, part) in stretches(text) {
            let x = PADDING as f64 + (column + offset) as f64 * CHAR_WIDTH;
            let length = part.width() as f64 * CHAR_WIDTH;
            let part = escape(part);
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y}" fill="{fill}"{bold} textLength="{length:.1}" lengthAdjust="spacingAndGlyphs">{part}</text>"#
            );
        }
        column += text.width();
    }
}

/// The parts of `text` between gaps of two or more blanks, with the columns they begin at.
fn stretches(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut column = 0;
    text.split_inclusive("  ").filter_map(move |piece| {
        let begin = column + piece.len() - piece.trim_start().len();
        column += piece.width();
        let part = piece.trim();
        (!part.is_empty()).then_some((begin, part))
    })
}

fn line_width(line: &[(Pen, String)]) -> usize {
    line.iter().map(|(_, text)| text.width()).sum()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Splits text with ANSI escape sequences into lines of runs.
fn styled_lines(text: &str) -> Vec<Vec<(Pen, String)>> {
    let mut pen = Pen::default();
    let lines = text.lines().map(|line| {
        let mut runs: Vec<(Pen, String)> = Vec::new();
        for (i, part) in line.split("\u{1b}[").enumerate() {
            let text = match part.split_once('m') {
                Some((codes, text)) if i > 0 => {
                    pen = pen.after(codes);
                    text
                }
                _ => part,
            };
            match runs.last_mut() {
                Some((last, run)) if *last == pen => run.push_str(text),
                _ if text.is_empty() => {}
                _ => runs.push((pen, text.to_owned())),
            }
        }
        runs
    });
    lines.collect()
}

impl Pen {
    /// The pen after a sequence `ESC [ codes m`.
    fn after(self, codes: &str) -> Self {
        let codes: Vec<usize> = codes
            .split(';')
            .filter_map(|code| code.parse().ok())
            .collect();
        match codes[..] {
            [] | [0] => Self::default(),
            [1] => Self { bold: true, ..self },
            [code @ 30..=37] => Self {
                color: Some(code - 30),
                ..self
            },
            [code @ 90..=97] => Self {
                color: Some(code - 82),
                ..self
            },
            [38, 5, code @ 0..=15] => Self {
                color: Some(code),
                ..self
            },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_columns_survive() {
        let svg = svg(
            "modeshift check A.mo",
            "\u{1b}[0m\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: a < b\n  x\n",
        );
        assert!(svg.contains(r##"fill="#f38ba8" font-weight="bold""##));
        assert!(svg.contains(">: a &lt; b</text>"));
        assert!(svg.contains(">error</text>"));
        assert_eq!(svg.matches("<text").count(), 5);
    }
}
