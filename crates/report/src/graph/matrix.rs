//! The incidence matrix of a mode as a picture: rows and columns in block triangular form, the matching marked.

use super::Incidence;
use super::picture::cut;
use super::svg::{escape, open};
use std::fmt::Write as _;

const CELL: f64 = 20.0;
const LONGEST: usize = 44;
const LETTER: f64 = 7.25;

/// Draws the matrix.
pub fn matrix(incidence: &Incidence) -> String {
    let structure = &incidence.structure;
    let (rows, columns) = (structure.rows.len() as f64, structure.columns.len() as f64);
    let longest = |names: &[String]| {
        names
            .iter()
            .map(|name| name.chars().count().min(LONGEST))
            .max()
            .unwrap_or(0) as f64
    };
    let left = longest(&incidence.equations) * LETTER + 56.0;
    let top = longest(&incidence.variables) * LETTER * 0.87 + 50.0;
    // Names of columns lean to the right.
    let lean = longest(&incidence.variables) * LETTER * 0.5;
    let mut out = open(
        left + columns * CELL + lean + 20.0,
        top + rows * CELL + 20.0,
        &incidence.model,
    );
    let mut start = 0.0;
    for &size in &structure.blocks {
        let (at, side) = (start * CELL, f64::from(size) * CELL);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"3\" fill=\"#eef3fc\" stroke=\"#9db9ea\"/>",
            left + at,
            top + at
        );
        start += f64::from(size);
    }
    entries(incidence, left, top, &mut out);
    for (i, name) in incidence.equations.iter().enumerate() {
        let y = top + i as f64 * CELL + 14.0;
        let c = structure
            .c
            .get(i)
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text><text class=\"small\" x=\"{:.1}\" y=\"{y:.1}\" \
             text-anchor=\"middle\">{c}</text>",
            left - 32.0,
            escape(&cut(name, LONGEST)),
            left - 14.0
        );
    }
    for (i, name) in incidence.variables.iter().enumerate() {
        let x = left + i as f64 * CELL + 12.0;
        let order = structure.d.get(i).copied().unwrap_or(0);
        let name = format!(
            "{}{}",
            cut(name, LONGEST),
            "′".repeat(order.clamp(0, 3) as usize)
        );
        let d = structure
            .d
            .get(i)
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "<text transform=\"translate({x:.1} {:.1}) rotate(-60)\">{}</text><text class=\"small\" x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{d}</text>",
            top - 26.0,
            escape(&name),
            x - 2.0,
            top - 8.0
        );
    }
    out.push_str("</svg>\n");
    out
}

fn entries(incidence: &Incidence, left: f64, top: f64, out: &mut String) {
    let structure = &incidence.structure;
    for entry in structure.entries.chunks_exact(3) {
        let (row, column) = (entry[0] as usize, entry[1] as usize);
        let leading = match (structure.c.get(row), structure.d.get(column)) {
            (Some(c), Some(d)) => d - c == entry[2],
            _ => false,
        };
        let color = match (structure.matching[row] == entry[1], leading) {
            (true, _) => "#2f5fb3",
            (false, true) => "#9db9ea",
            (false, false) => "#d9d5ca",
        };
        let (x, y) = (left + column as f64 * CELL, top + row as f64 * CELL);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{color}\"/>",
            x + 3.0,
            y + 3.0,
            CELL - 6.0,
            CELL - 6.0
        );
        if entry[2] > 0 {
            let primes = "′".repeat(entry[2].min(3) as usize);
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{primes}</text>",
                x + CELL / 2.0,
                y + 15.0
            );
        }
    }
}
