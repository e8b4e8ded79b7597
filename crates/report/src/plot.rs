//! Trajectories as pictures: in a terminal, as SVG, as a page.

pub mod page;

use modeshift_sim::result::Trajectory;
use std::fmt::Write as _;

/// What a picture shows of a trajectory.
struct Frame<'t> {
    trajectory: &'t Trajectory,
    times: (f64, f64),
    values: (f64, f64),
}

impl<'t> Frame<'t> {
    fn new(trajectory: &'t Trajectory, columns: &[usize]) -> Self {
        let range = |list: &mut dyn Iterator<Item = f64>| {
            let finite = list.filter(|v| v.is_finite());
            let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v), b.max(v))
            });
            match (low, high) {
                (low, high) if low > high => (0.0, 1.0),
                (low, high) if low == high => (low - 0.5, high + 0.5),
                range => range,
            }
        };
        Self {
            trajectory,
            times: range(&mut trajectory.column(0)),
            values: range(&mut columns.iter().flat_map(|&i| trajectory.column(i))),
        }
    }

    /// The points of a signal with both coordinates from 0 to 1.
    fn points(&self, column: usize) -> impl Iterator<Item = (f64, f64)> + '_ {
        let unit = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low);
        let points = self
            .trajectory
            .column(0)
            .zip(self.trajectory.column(column));
        points
            .filter(|(t, v)| t.is_finite() && v.is_finite())
            .map(move |(t, v)| (unit(t, self.times), unit(v, self.values)))
    }

    fn name(&self, column: usize) -> &str {
        &self.trajectory.columns[column].name
    }
}

/// A picture for a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    /// Characters, with the frame.
    pub width: usize,
    /// Lines, without the frame.
    pub height: usize,
    /// Whether signals are told apart by the sixteen colours that each terminal has.
    pub colours: bool,
}

impl Default for Canvas {
    fn default() -> Self {
        Self {
            width: 85,
            height: 16,
            colours: false,
        }
    }
}

/// The colours of signals in a terminal: those of ANSI without black, white and grey.
const ANSI: [u8; 6] = [34, 31, 32, 35, 33, 36];

/// A picture of Braille dots. Without colours signals are told apart by the place of their names only.
pub fn text(trajectory: &Trajectory, columns: &[usize], canvas: Canvas) -> String {
    let (width, height) = (canvas.width.saturating_sub(13), canvas.height);
    let paint = |signal: usize, text: &str| match canvas.colours {
        true => format!("\u{1b}[{}m{text}\u{1b}[0m", ANSI[signal % ANSI.len()]),
        false => text.to_owned(),
    };
    let frame = Frame::new(trajectory, columns);
    let (w, h) = (2 * width.max(10), 4 * height.max(4));
    // By dot, the number of a signal that passes it.
    let mut dots: Vec<Option<usize>> = vec![None; w * h];
    for (signal, &column) in columns.iter().enumerate() {
        let mut last: Option<(f64, f64)> = None;
        for (x, y) in frame.points(column) {
            let here = (x * (w - 1) as f64, (1.0 - y) * (h - 1) as f64);
            line(last.unwrap_or(here), here, |x, y| {
                if let Some(dot) = dots.get_mut(y * w + x) {
                    *dot = Some(signal);
                }
            });
            last = Some(here);
        }
    }
    let mut out = String::new();
    let label = |value: f64| format!("{value:>11.4}");
    for row in 0..h / 4 {
        let edge = match row {
            0 => label(frame.values.1),
            _ if row + 1 == h / 4 => label(frame.values.0),
            _ => " ".repeat(11),
        };
        let _ = write!(out, "{edge} │");
        let cells: Vec<(char, Option<usize>)> = (0..w / 2)
            .map(|cell| braille(&dots, w, cell, row))
            .collect();
        // Trailing blanks are no part of the picture.
        let end = cells.iter().rposition(|(_, signal)| signal.is_some());
        for run in cells[..end.map_or(0, |end| end + 1)].chunk_by(|a, b| a.1 == b.1) {
            let text: String = run.iter().map(|(c, _)| *c).collect();
            match run[0].1 {
                Some(signal) => out.push_str(&paint(signal, &text)),
                None => out.push_str(&text),
            }
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{} └{}", " ".repeat(11), "─".repeat(w / 2));
    let names = columns.iter().enumerate();
    let names: Vec<String> = names
        .map(|(signal, &i)| paint(signal, frame.name(i)))
        .collect();
    let (start, end) = (format!("{}", frame.times.0), format!("{}", frame.times.1));
    let gap = (w / 2).saturating_sub(start.len() + end.len());
    let _ = writeln!(out, "{}{start}{}{end}", " ".repeat(13), " ".repeat(gap));
    let _ = writeln!(out, "{}{}", " ".repeat(13), names.join(", "));
    out
}

/// Visits the dots from one point to another.
fn line(from: (f64, f64), to: (f64, f64), mut visit: impl FnMut(usize, usize)) {
    let steps = (to.0 - from.0)
        .abs()
        .max((to.1 - from.1).abs())
        .ceil()
        .max(1.0);
    for i in 0..=steps as usize {
        let part = i as f64 / steps;
        let x = (from.0 + part * (to.0 - from.0)).round() as usize;
        let y = (from.1 + part * (to.1 - from.1)).round() as usize;
        visit(x, y);
    }
}

/// The character of some dots, and the signal that most of them belong to, the first one among equals.
fn braille(dots: &[Option<usize>], w: usize, cell: usize, row: usize) -> (char, Option<usize>) {
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let mut bits = 0;
    let mut signals = Vec::new();
    for (dy, pair) in BITS.iter().enumerate() {
        for (dx, bit) in pair.iter().enumerate() {
            if let Some(signal) = dots[(4 * row + dy) * w + 2 * cell + dx] {
                bits |= bit;
                signals.push(signal);
            }
        }
    }
    let count = |signal: &usize| signals.iter().filter(|it| *it == signal).count();
    let most = signals.iter().copied().rev().max_by_key(count);
    (char::from_u32(0x2800 + bits).unwrap_or(' '), most)
}

const COLOURS: [&str; 8] = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f",
];

/// A picture as SVG.
pub fn svg(trajectory: &Trajectory, columns: &[usize], title: &str) -> String {
    let frame = Frame::new(trajectory, columns);
    let (width, height) = (800.0, 420.0);
    let (left, top, right, bottom) = (80.0, 40.0, 20.0, 50.0);
    let (w, h) = (width - left - right, height - top - bottom);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">"
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let _ = writeln!(
        out,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    let (bottom_y, right_x) = (top + h, left + w);
    for (value, part) in ticks(frame.values) {
        let y = bottom_y - part * h;
        let _ = writeln!(
            out,
            "<path d=\"M{left} {y:.1}H{right_x}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{value}</text>",
            left - 6.0,
            y + 4.0
        );
    }
    for (value, part) in ticks(frame.times) {
        let x = left + part * w;
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {top}V{bottom_y}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{value}</text>",
            bottom_y + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time</text>",
        left + w / 2.0,
        height - 10.0
    );
    for (i, &column) in columns.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let mut path = String::new();
        for (x, y) in frame.points(column) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.2} {:.2}", left + x * w, bottom_y - y * h);
        }
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{:.1}\" y=\"24\" fill=\"{colour}\">{}</text>",
            left + 120.0 * i as f64,
            escaped(frame.name(column))
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Round numbers in a range, with their places from 0 to 1.
fn ticks((low, high): (f64, f64)) -> Vec<(String, f64)> {
    let span = high - low;
    let mut step = 1.0;
    while step > span / 4.0 {
        step /= 10.0;
    }
    while step * 10.0 <= span / 4.0 {
        step *= 10.0;
    }
    let step = [5.0, 2.0, 1.0]
        .into_iter()
        .map(|factor| factor * step)
        .find(|step| span / step >= 4.0)
        .unwrap_or(step);
    let first = (low / step).ceil();
    (0..12)
        .map(|i| (first + f64::from(i)) * step)
        .take_while(|value| *value <= high + 1e-9 * span)
        .map(|value| {
            let digits = if step < 1.0 {
                1 + libm::log10(step.recip()) as usize
            } else {
                0
            };
            (format!("{value:.digits$}"), (value - low) / span)
        })
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Canvas, svg, text, ticks};
    use modeshift_sim::result::{Column, Trajectory};

    fn ramp() -> Trajectory {
        let column = |name: &str| Column {
            name: name.to_owned(),
            comment: None,
            parameter: false,
        };
        Trajectory {
            columns: vec![column("time"), column("a<b")],
            rows: vec![0.0, 0.0, 1.0, 10.0],
        }
    }

    #[test]
    fn a_ramp_rises_from_the_lower_left_to_the_upper_right() {
        let canvas = Canvas {
            width: 23,
            height: 4,
            colours: false,
        };
        let picture = text(&ramp(), &[1], canvas);
        let lines: Vec<&str> = picture.lines().collect();
        assert!(lines[0].starts_with("    10.0000 │"));
        assert!(lines[3].starts_with("     0.0000 │"));
        assert!(lines[0].chars().count() > lines[3].chars().count());
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let plain = Canvas::default();
        let coloured = Canvas {
            colours: true,
            ..plain
        };
        let picture = text(&ramp(), &[1], coloured);
        assert!(picture.contains("\u{1b}[34ma<b\u{1b}[0m"));
        let parts = picture.split('\u{1b}').enumerate();
        let stripped: String = parts
            .map(|(i, part)| match i {
                0 => part,
                _ => part.split_once('m').map_or("", |(_, rest)| rest),
            })
            .collect();
        assert_eq!(stripped, text(&ramp(), &[1], plain));
    }

    #[test]
    fn names_are_escaped() {
        assert!(svg(&ramp(), &[1], "t").contains("a&lt;b"));
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        let shown: Vec<String> = ticks((0.0, 15.0)).into_iter().map(|t| t.0).collect();
        assert_eq!(shown, ["0", "2", "4", "6", "8", "10", "12", "14"]);
        assert!(
            ticks((-0.013, 0.02))
                .iter()
                .all(|t| (0.0..=1.0).contains(&t.1))
        );
    }
}
