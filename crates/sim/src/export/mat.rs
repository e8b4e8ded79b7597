//! MATLAB's format of level 4 in the layout of Dymola and OpenModelica (`binTrans`).
//!
//! `name` and `description` are matrices of characters, one column per signal. `dataInfo` says for each signal
//! in which of the two matrices it is (`data_1` for constants, with values at the start and the end; `data_2`
//! for the rest, one column per point in time) and in which row.

use crate::result::Trajectory;
use std::io::{self, Write};

const DOUBLE: i32 = 0;
const INTEGER: i32 = 20;
const TEXT: i32 = 51;

/// Writes all signals, parameters included.
pub fn mat(trajectory: &Trajectory, out: &mut impl Write) -> io::Result<()> {
    class(out)?;
    let columns = &trajectory.columns;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let comments: Vec<&str> = columns
        .iter()
        .map(|c| c.comment.as_deref().unwrap_or(""))
        .collect();
    texts(out, "name", &names)?;
    texts(out, "description", &comments)?;
    let (mut constants, mut signals) = (vec![0], Vec::new());
    let mut info = Vec::with_capacity(4 * columns.len());
    for (i, column) in columns.iter().enumerate() {
        if column.parameter {
            constants.push(i);
            info.extend([1, constants.len() as i32, 0, 0]);
        } else {
            signals.push(i);
            let matrix = if i == 0 { 0 } else { 2 };
            info.extend([matrix, signals.len() as i32, 0, -1]);
        }
    }
    header(out, INTEGER, 4, columns.len(), "dataInfo")?;
    for number in info {
        out.write_all(&number.to_le_bytes())?;
    }
    let n = trajectory.n_rows();
    let ends: Vec<usize> = if n == 0 { Vec::new() } else { vec![0, n - 1] };
    doubles(out, "data_1", trajectory, &constants, &ends)?;
    let all: Vec<usize> = (0..n).collect();
    doubles(out, "data_2", trajectory, &signals, &all)
}

fn header(
    out: &mut impl Write,
    kind: i32,
    rows: usize,
    columns: usize,
    name: &str,
) -> io::Result<()> {
    let size =
        |n: usize| i32::try_from(n).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput));
    for number in [kind, size(rows)?, size(columns)?, 0, size(name.len() + 1)?] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(name.as_bytes())?;
    out.write_all(&[0])
}

/// `Aclass` is written line by line, other than the texts that follow it.
fn class(out: &mut impl Write) -> io::Result<()> {
    let lines = ["Atrajectory", "1.1", "", "binTrans"];
    header(out, TEXT, lines.len(), 11, "Aclass")?;
    for column in 0..11 {
        for line in lines {
            let byte = line.as_bytes().get(column).copied().unwrap_or(b' ');
            out.write_all(&[byte])?;
        }
    }
    Ok(())
}

/// One text per column, filled up with spaces.
fn texts(out: &mut impl Write, name: &str, list: &[&str]) -> io::Result<()> {
    let longest = list.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
    header(out, TEXT, longest, list.len(), name)?;
    for text in list {
        out.write_all(text.as_bytes())?;
        out.write_all(&vec![b' '; longest - text.len()])?;
    }
    Ok(())
}

fn doubles(
    out: &mut impl Write,
    name: &str,
    trajectory: &Trajectory,
    signals: &[usize],
    points: &[usize],
) -> io::Result<()> {
    header(out, DOUBLE, signals.len(), points.len(), name)?;
    for &point in points {
        let row = trajectory.row(point);
        for &signal in signals {
            out.write_all(&row[signal].to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::mat;
    use crate::result::{Column, Trajectory};

    /// Reads headers back: kind, rows, columns and name of each matrix, with its bytes.
    fn matrices(mut bytes: &[u8]) -> Vec<(i32, usize, usize, String, Vec<u8>)> {
        let mut list = Vec::new();
        while !bytes.is_empty() {
            let number = |i: usize| i32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
            let (kind, rows, columns) = (number(0), number(1) as usize, number(2) as usize);
            let length = number(4) as usize;
            let name = String::from_utf8(bytes[20..20 + length - 1].to_vec()).unwrap();
            let size = match kind {
                0 => 8,
                20 => 4,
                _ => 1,
            };
            let start = 20 + length;
            let end = start + size * rows * columns;
            list.push((kind, rows, columns, name, bytes[start..end].to_vec()));
            bytes = &bytes[end..];
        }
        list
    }

    #[test]
    fn signals_and_parameters_are_found_through_data_info() {
        let column = |name: &str, parameter| Column {
            name: name.to_owned(),
            comment: None,
            parameter,
        };
        let trajectory = Trajectory {
            columns: vec![column("time", false), column("p", true), column("x", false)],
            rows: vec![0.0, 7.0, 1.0, 0.5, 7.0, 2.0, 1.0, 7.0, 3.0],
        };
        let mut out = Vec::new();
        mat(&trajectory, &mut out).unwrap();
        let list = matrices(&out);
        let names: Vec<&str> = list.iter().map(|m| m.3.as_str()).collect();
        assert_eq!(
            names,
            [
                "Aclass",
                "name",
                "description",
                "dataInfo",
                "data_1",
                "data_2"
            ]
        );
        let info: Vec<i32> = list[3]
            .4
            .chunks(4)
            .map(|b| i32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        assert_eq!(info, [0, 1, 0, -1, 1, 2, 0, 0, 2, 2, 0, -1]);
        let doubles = |i: usize| -> Vec<f64> {
            let bytes = list[i].4.chunks(8);
            bytes
                .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
                .collect()
        };
        assert_eq!(doubles(4), [0.0, 7.0, 1.0, 7.0]);
        assert_eq!(doubles(5), [0.0, 1.0, 0.5, 2.0, 1.0, 3.0]);
    }
}
