//! Comma-separated values: one line per point in time, names in the first line.

use crate::result::Trajectory;
use std::io::{self, Write};

/// Writes the signals; parameters are left out, they do not change. Numbers have as many digits as they need to
/// be read back unchanged.
pub fn csv(trajectory: &Trajectory, out: &mut impl Write) -> io::Result<()> {
    let shown: Vec<usize> = (0..trajectory.columns.len())
        .filter(|&i| !trajectory.columns[i].parameter)
        .collect();
    let names: Vec<String> = shown
        .iter()
        .map(|&i| quoted(&trajectory.columns[i].name))
        .collect();
    writeln!(out, "{}", names.join(","))?;
    for row in 0..trajectory.n_rows() {
        let row = trajectory.row(row);
        for (position, &i) in shown.iter().enumerate() {
            if position > 0 {
                out.write_all(b",")?;
            }
            write!(out, "{}", row[i])?;
        }
        writeln!(out)?;
    }
    Ok(())
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
    fn names_with_commas_are_quoted_and_parameters_left_out() {
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
            ],
            rows: vec![0.0, 0.1, 3.0, 1.0, 1e-30, 3.0],
        };
        let mut out = Vec::new();
        csv(&trajectory, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "time,\"a[1,2]\"\n0,0.1\n1,0.000000000000000000000000000001\n"
        );
    }
}
