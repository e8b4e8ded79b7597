//! Comma-separated values: one line per point in time, names in the first line.

use crate::result::Trajectory;
use std::io::{self, Write};

/// Writes the signals and the model's own parameters; those of its components are left out, they do not change. Numbers
/// have as many digits as they need to be read back unchanged.
pub fn csv(trajectory: &Trajectory, out: &mut impl Write) -> io::Result<()> {
    let shown = trajectory.tabulated();
    let names: Vec<String> = shown
        .iter()
        .map(|&i| quoted(&trajectory.columns[i].name))
        .collect();
    writeln!(out, "{}", names.join(","))?;
    let mut texts = Texts::default();
    let mut line = Vec::new();
    for row in 0..trajectory.n_rows() {
        let row = trajectory.row(row);
        line.clear();
        for (position, &i) in shown.iter().enumerate() {
            if position > 0 {
                line.push(b',');
            }
            texts.write(row[i], &mut line)?;
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// Texts of numbers, by their bits: most signals of a model are equal to others or do not change from row to row.
struct Texts {
    entries: Vec<(u64, Vec<u8>)>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            entries: vec![(0, Vec::new()); 1 << Self::BITS],
        }
    }
}

impl Texts {
    const BITS: u32 = 14;

    fn write(&mut self, value: f64, out: &mut Vec<u8>) -> io::Result<()> {
        let bits = value.to_bits();
        let place = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        let (known, text) = &mut self.entries[place as usize];
        if *known != bits || text.is_empty() {
            *known = bits;
            text.clear();
            // With an exponent where there would be many zeros.
            if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) {
                write!(text, "{value:e}")?;
            } else {
                write!(text, "{value}")?;
            }
        }
        out.extend_from_slice(text);
        Ok(())
    }
}

/// Names with commas, as in `a[1,2]`, are put in quotes.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::csv;
    use crate::result::{Column, Trajectory};

    #[test]
    fn names_with_commas_are_quoted_and_parameters_of_components_left_out() {
        let column = |name: &str, parameter| Column {
            name: name.to_owned(),
            comment: None,
            parameter,
        };
        let trajectory = Trajectory {
            columns: vec![
                column("time", false),
                column("a[1,2]", false),
                column("p", true),
                column("a.p", true),
            ],
            rows: vec![0.0, 0.1, 3.0, 4.0, 1.0, 1e-30, 3.0, 4.0],
        };
        let mut out = Vec::new();
        csv(&trajectory, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "time,\"a[1,2]\",p\n0,0.1,3\n1,1e-30,3\n");
    }
}
