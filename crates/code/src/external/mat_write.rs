//! Matrices into files of MATLAB, versions 4, 6 and 7.

use crate::array::Array;

/// The file with one more matrix: `before` is what it holds already, empty for a new one.
pub fn with_matrix(
    before: Vec<u8>,
    name: &str,
    matrix: &Array<f64>,
    format: &str,
) -> Result<Vec<u8>, String> {
    let (rows, columns) = matrix.matrix().map_err(|trouble| trouble.to_string())?;
    let size = |n: usize| u32::try_from(n).map_err(|_| "a matrix is too large".to_owned());
    let (m, n) = (size(rows)?, size(columns)?);
    let mut numbers = Vec::with_capacity(matrix.data.len() * 8);
    for column in 0..columns {
        for row in 0..rows {
            numbers.extend(matrix.data[row * columns + column].to_le_bytes());
        }
    }
    let newer = before.get(126..128) == Some(b"IM");
    let mut file = before;
    if !file.is_empty() && newer != (format != "4") {
        return Err("the file has another format, and nothing is appended".to_owned());
    }
    match format {
        "4" => {
            for word in [0, m, n, 0, size(name.len() + 1)?] {
                file.extend(word.to_le_bytes());
            }
            file.extend(name.bytes());
            file.push(0);
            file.extend(numbers);
        }
        "6" | "7" => {
            if file.is_empty() {
                file.extend(format!("{:<124}", "MATLAB 5.0 MAT-file").bytes());
                file.extend(0x0100_u16.to_le_bytes());
                file.extend(b"IM");
            }
            let mut array = Vec::new();
            // A matrix of doubles, without flags.
            element(&mut array, UINT32, &[6, 0, 0, 0, 0, 0, 0, 0]);
            let dims: Vec<u8> = [m, n].iter().flat_map(|size| size.to_le_bytes()).collect();
            element(&mut array, INT32, &dims);
            element(&mut array, INT8, name.as_bytes());
            element(&mut array, DOUBLE, &numbers);
            let mut whole = Vec::new();
            element(&mut whole, MATRIX, &array);
            if format == "7" {
                let packed = miniz_oxide::deflate::compress_to_vec_zlib(&whole, 6);
                file.extend(COMPRESSED.to_le_bytes());
                file.extend(size(packed.len())?.to_le_bytes());
                file.extend(packed);
            } else {
                file.extend(whole);
            }
        }
        other => {
            return Err(format!(
                "`{other}` is no version of MATLAB's format: 4, 6 or 7"
            ));
        }
    }
    Ok(file)
}

const INT8: u32 = 1;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;

fn element(out: &mut Vec<u8>, kind: u32, data: &[u8]) {
    out.extend(kind.to_le_bytes());
    out.extend((data.len() as u32).to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len().next_multiple_of(8), 0);
}

#[cfg(test)]
mod tests {
    use super::super::matrix;
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let first = Array {
            dims: [2, 3].into_iter().collect(),
            data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5],
        };
        let second = Array {
            dims: [1, 1].into_iter().collect(),
            data: vec![-7.25],
        };
        for format in ["4", "6", "7"] {
            let file = with_matrix(Vec::new(), "A", &first, format).unwrap();
            let file = with_matrix(file, "other", &second, format).unwrap();
            assert_eq!(matrix::from_mat(&file, "A"), Ok(first.clone()));
            assert_eq!(matrix::from_mat(&file, "other"), Ok(second.clone()));
        }
        let old = with_matrix(Vec::new(), "A", &first, "4").unwrap();
        assert!(with_matrix(old, "B", &second, "7").is_err());
    }
}
