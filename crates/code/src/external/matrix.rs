//! Matrices from files: text, comma-separated values, MATLAB's format in versions 4, 6 and 7.

use crate::array::{Array, Dims};

type Read<T> = Result<T, String>;

fn matrix(rows: usize, columns: usize, data: Vec<f64>) -> Array<f64> {
    Array {
        dims: Dims::from_slice(&[rows, columns]),
        data,
    }
}

/// `double name(2, 3)` and the numbers behind it.
pub fn from_text(text: &str, name: &str) -> Read<Array<f64>> {
    let mut lines = text.lines();
    if !lines.next().is_some_and(|line| line.starts_with("#1")) {
        return Err("a file of tables starts with `#1`".into());
    }
    let content = |line: &str| line.split('#').next().unwrap_or_default().to_owned();
    let mut rest = lines.map(content);
    while let Some(line) = rest.next() {
        let Some((rows, columns, behind)) = header(&line, name)? else {
            continue;
        };
        let count = rows.checked_mul(columns).filter(|&n| n <= 50_000_000);
        let count = count.ok_or("the table is too large")?;
        let mut data = Vec::with_capacity(count.min(1 << 20));
        let mut line = behind;
        loop {
            for item in line
                .split([' ', '\t', ',', ';', '\r'])
                .filter(|item| !item.is_empty())
            {
                if data.len() == count {
                    return Ok(matrix(rows, columns, data));
                }
                let value = item.trim_start_matches('+').parse();
                data.push(value.map_err(|_| format!("`{item}` in table `{name}` is no number"))?);
            }
            if data.len() == count {
                return Ok(matrix(rows, columns, data));
            }
            line = rest
                .next()
                .ok_or_else(|| format!("table `{name}` ends too early"))?;
        }
    }
    Err(format!("there is no table `{name}`"))
}

/// The sizes of the matrix that a line declares, if it is the one.
fn header(line: &str, name: &str) -> Read<Option<(usize, usize, String)>> {
    let line = line.trim_start();
    let Some(rest) = line
        .strip_prefix("double")
        .or_else(|| line.strip_prefix("float"))
    else {
        return Ok(None);
    };
    let Some((own, rest)) = rest.split_once('(') else {
        return Ok(None);
    };
    if own.trim() != name {
        return Ok(None);
    }
    let wrong = || format!("the sizes of table `{name}` are missing");
    let (sizes, behind) = rest.split_once(')').ok_or_else(wrong)?;
    let mut sizes = sizes.split(',').map(|size| size.trim().parse::<usize>());
    match (sizes.next(), sizes.next()) {
        (Some(Ok(rows)), Some(Ok(columns))) => Ok(Some((rows, columns, behind.to_owned()))),
        _ => Err(wrong()),
    }
}

pub fn from_csv(text: &str, delimiter: &str, header_lines: i64) -> Read<Array<f64>> {
    let delimiter = delimiter.chars().next().unwrap_or(',');
    let lines = text
        .lines()
        .skip(usize::try_from(header_lines).unwrap_or(0));
    let mut width = None;
    let mut data = Vec::new();
    let mut rows = 0;
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let before = data.len();
        for cell in line.trim_end_matches('\r').split(delimiter) {
            let cell = cell.trim().trim_matches('"');
            if cell.is_empty() && delimiter == ' ' {
                continue;
            }
            data.push(cell.parse().map_err(|_| format!("`{cell}` is no number"))?);
        }
        rows += 1;
        if *width.get_or_insert(data.len() - before) != data.len() - before {
            return Err(format!("row {rows} has another number of columns"));
        }
    }
    Ok(matrix(rows, width.unwrap_or(0), data))
}

/// From a file of MATLAB; `a.b` is a field of a structure.
pub fn from_mat(bytes: &[u8], name: &str) -> Read<Array<f64>> {
    let endian = bytes.get(126..128);
    if bytes.len() > 128 && matches!(endian, Some(b"IM" | b"MI")) {
        if endian == Some(b"MI") {
            return Err("a file of MATLAB with bytes in the other order".into());
        }
        return version5(&bytes[128..], name);
    }
    version4(bytes, name)
}

fn int(bytes: &[u8], at: usize) -> Read<usize> {
    let four = bytes.get(at..at + 4).ok_or("the file ends too early")?;
    Ok(u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize)
}

fn version4(bytes: &[u8], name: &str) -> Read<Array<f64>> {
    let mut at = 0;
    while at + 20 <= bytes.len() {
        let (kind, rows, columns) = (int(bytes, at)?, int(bytes, at + 4)?, int(bytes, at + 8)?);
        let (imaginary, length) = (int(bytes, at + 12)?, int(bytes, at + 16)?);
        if kind >= 1000 || length == 0 || length > 1000 {
            return Err("the file is no file of MATLAB that can be read".into());
        }
        let width = [8, 4, 4, 2, 2, 1].get(kind / 10 % 10).copied();
        let width = width.ok_or("the file has numbers of an unknown kind")?;
        let own = bytes
            .get(at + 20..at + 20 + length)
            .ok_or("the file ends too early")?;
        let own = String::from_utf8_lossy(own)
            .trim_end_matches('\0')
            .to_owned();
        let count = rows.checked_mul(columns).ok_or("a matrix is too large")?;
        let start = at + 20 + length;
        let size = count.checked_mul(width).ok_or("a matrix is too large")?;
        let data = bytes
            .get(start..start.saturating_add(size))
            .ok_or("the file ends too early")?;
        if own == name {
            let numbers = numbers(data, [9, 7, 5, 3, 4, 2][kind / 10 % 10])?;
            return Ok(matrix(rows, columns, row_wise(&numbers, rows, columns)));
        }
        at = start + size * (1 + usize::from(imaginary != 0));
    }
    Err(format!("there is no matrix `{name}`"))
}

fn row_wise(numbers: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| j * rows + i));
    places
        .map(|at| numbers.get(at).copied().unwrap_or(0.0))
        .collect()
}

/// Numbers of one of the types of version 5.
fn numbers(data: &[u8], kind: usize) -> Read<Vec<f64>> {
    macro_rules! read {
        ($ty:ty, $n:literal) => {
            data.chunks_exact($n)
                .map(|chunk| {
                    let mut bytes = [0; $n];
                    bytes.copy_from_slice(chunk);
                    <$ty>::from_le_bytes(bytes) as f64
                })
                .collect()
        };
    }
    Ok(match kind {
        1 => read!(i8, 1),
        2 => read!(u8, 1),
        3 => read!(i16, 2),
        4 => read!(u16, 2),
        5 => read!(i32, 4),
        6 => read!(u32, 4),
        7 => read!(f32, 4),
        9 => read!(f64, 8),
        12 => read!(i64, 8),
        13 => read!(u64, 8),
        _ => return Err("the file has numbers of an unknown kind".into()),
    })
}

/// The next element: its type, its data, and where the one after it begins.
fn element(bytes: &[u8], at: usize) -> Read<(usize, &[u8], usize)> {
    let tag = int(bytes, at)?;
    // Up to four bytes stand in the tag itself.
    if tag >> 16 != 0 {
        let (kind, size) = (tag & 0xffff, tag >> 16);
        let data = bytes
            .get(at + 4..at + 4 + size.min(4))
            .ok_or("the file ends too early")?;
        return Ok((kind, data, at + 8));
    }
    let size = int(bytes, at + 4)?;
    let data = bytes
        .get(at + 8..(at + 8).saturating_add(size))
        .ok_or("the file ends too early")?;
    let padded = if tag == 15 {
        size
    } else {
        size.div_ceil(8) * 8
    };
    Ok((tag, data, at + 8 + padded))
}

fn version5(bytes: &[u8], name: &str) -> Read<Array<f64>> {
    let (top, inner) = name
        .split_once('.')
        .map_or((name, None), |(a, b)| (a, Some(b)));
    let mut at = 0;
    while at + 8 <= bytes.len() {
        let (kind, data, next) = element(bytes, at)?;
        at = next;
        let inflated;
        let data = match kind {
            15 => {
                inflated =
                    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(data, 400_000_000)
                        .map_err(|_| "compressed data is damaged")?;
                match element(&inflated, 0)? {
                    (14, data, _) => data,
                    _ => continue,
                }
            }
            14 => data,
            _ => continue,
        };
        let (own, value) = variable(data)?;
        if own == top {
            return match inner {
                None => full(&value, name),
                Some(field) => structure(&value, field),
            };
        }
    }
    Err(format!("there is no matrix `{name}`"))
}

/// What an array of version 5 consists of.
struct Value<'a> {
    class: usize,
    dims: Vec<usize>,
    rest: &'a [u8],
}

fn variable(data: &[u8]) -> Read<(String, Value<'_>)> {
    let (_, flags, next) = element(data, 0)?;
    let (_, dims, next) = element(data, next)?;
    let (_, name, next) = element(data, next)?;
    let dims = numbers(dims, 5)?
        .into_iter()
        .map(|size| size as usize)
        .collect();
    let value = Value {
        class: int(flags, 0)? & 0xff,
        dims,
        rest: data.get(next..).unwrap_or(&[]),
    };
    Ok((String::from_utf8_lossy(name).into_owned(), value))
}

fn full(value: &Value<'_>, name: &str) -> Read<Array<f64>> {
    let [rows, columns] = value.dims[..] else {
        return Err(format!("`{name}` is no matrix"));
    };
    if !(6..=15).contains(&value.class) {
        return Err(format!("`{name}` is no matrix of numbers"));
    }
    let (kind, data, _) = element(value.rest, 0)?;
    let numbers = numbers(data, kind)?;
    if rows.checked_mul(columns) != Some(numbers.len()) {
        return Err(format!("`{name}` is damaged"));
    }
    Ok(matrix(rows, columns, row_wise(&numbers, rows, columns)))
}

fn structure(value: &Value<'_>, path: &str) -> Read<Array<f64>> {
    let missing = || format!("there is no field `{path}`");
    if value.class != 2 {
        return Err(missing());
    }
    let (first, rest) = path
        .split_once('.')
        .map_or((path, None), |(a, b)| (a, Some(b)));
    let (_, length, next) = element(value.rest, 0)?;
    let length = int(length, 0)?.max(1);
    let (_, names, mut at) = element(value.rest, next)?;
    for name in names.chunks(length) {
        let name = String::from_utf8_lossy(name)
            .trim_end_matches('\0')
            .to_owned();
        let (kind, data, next) = element(value.rest, at)?;
        at = next;
        if name == first && kind == 14 {
            let (_, value) = variable(data)?;
            return match rest {
                None => full(&value, path),
                Some(rest) => structure(&value, rest),
            };
        }
    }
    Err(missing())
}
