//! Apache Parquet: one column of doubles per signal, not compressed, in a single row group.
//!
//! The libraries for Parquet take longer to compile than the whole of modeshift. What a table of numbers needs
//! is little: pages of plain doubles, and a footer in Thrift's compact protocol that says where they are.

use crate::result::Trajectory;
use std::io::{self, Write};

const MAGIC: &[u8; 4] = b"PAR1";
/// Physical type DOUBLE.
const DOUBLE: i64 = 5;
const PLAIN: i64 = 0;
const RLE: i64 = 3;

/// Writes the signals and the model's own parameters.
pub fn parquet(trajectory: &Trajectory, out: &mut impl Write) -> io::Result<()> {
    let shown = trajectory.tabulated();
    let n = trajectory.n_rows();
    let mut file: Vec<u8> = MAGIC.to_vec();
    let mut chunks = Vec::with_capacity(shown.len());
    for &signal in &shown {
        let offset = file.len();
        page_header(&mut file, n);
        for value in trajectory.column(signal) {
            file.extend_from_slice(&value.to_le_bytes());
        }
        chunks.push((offset, file.len() - offset));
    }
    let start = file.len();
    let names: Vec<&str> = shown
        .iter()
        .map(|&i| trajectory.columns[i].name.as_str())
        .collect();
    footer(&mut file, &names, &chunks, n);
    let length = (file.len() - start) as u32;
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(MAGIC);
    out.write_all(&file)
}

/// A data page of required values: no levels.
fn page_header(file: &mut Vec<u8>, n: usize) {
    let bytes = (8 * n) as i64;
    let mut page = Struct::new(file);
    page.int32(1, 0); // DATA_PAGE
    page.int32(2, bytes);
    page.int32(3, bytes);
    page.field(5, STRUCT);
    {
        let mut data = Struct::new(page.out);
        data.int32(1, n as i64);
        data.int32(2, PLAIN);
        data.int32(3, RLE);
        data.int32(4, RLE);
        data.end();
    }
    page.end();
}

fn footer(file: &mut Vec<u8>, names: &[&str], chunks: &[(usize, usize)], n: usize) {
    let mut meta = Struct::new(file);
    meta.int32(1, 1);
    meta.list(2, STRUCT, names.len() + 1);
    {
        let mut root = Struct::new(meta.out);
        root.text(4, "schema");
        root.int32(5, names.len() as i64);
        root.end();
        for name in names {
            let mut column = Struct::new(meta.out);
            column.int32(1, DOUBLE);
            column.int32(3, 0); // REQUIRED
            column.text(4, name);
            column.end();
        }
    }
    meta.int64(3, n as i64);
    meta.list(4, STRUCT, 1);
    row_group(meta.out, names, chunks, n);
    meta.text(6, "modeshift");
    meta.end();
}

fn row_group(file: &mut Vec<u8>, names: &[&str], chunks: &[(usize, usize)], n: usize) {
    let mut group = Struct::new(file);
    group.list(1, STRUCT, names.len());
    for (name, &(offset, size)) in names.iter().zip(chunks) {
        let mut chunk = Struct::new(group.out);
        chunk.int64(2, offset as i64);
        chunk.field(3, STRUCT);
        let mut meta = Struct::new(chunk.out);
        meta.int32(1, DOUBLE);
        meta.list(2, I32, 1);
        zigzag(meta.out, PLAIN);
        meta.list(3, BINARY, 1);
        bytes(meta.out, name.as_bytes());
        meta.int32(4, 0); // UNCOMPRESSED
        meta.int64(5, n as i64);
        meta.int64(6, size as i64);
        meta.int64(7, size as i64);
        meta.int64(9, offset as i64);
        meta.end();
        chunk.end();
    }
    let total: usize = chunks.iter().map(|chunk| chunk.1).sum();
    group.int64(2, total as i64);
    group.int64(3, n as i64);
    group.end();
}

// Types of Thrift's compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Writes the fields of a struct, in increasing order.
struct Struct<'f> {
    out: &'f mut Vec<u8>,
    last: i16,
}

impl<'f> Struct<'f> {
    fn new(out: &'f mut Vec<u8>) -> Self {
        Self { out, last: 0 }
    }

    fn field(&mut self, id: i16, kind: u8) {
        let distance = (id - self.last) as u8;
        self.out.push(distance << 4 | kind);
        self.last = id;
    }

    fn int32(&mut self, id: i16, value: i64) {
        self.field(id, I32);
        zigzag(self.out, value);
    }

    fn int64(&mut self, id: i16, value: i64) {
        self.field(id, I64);
        zigzag(self.out, value);
    }

    fn text(&mut self, id: i16, text: &str) {
        self.field(id, BINARY);
        bytes(self.out, text.as_bytes());
    }

    fn list(&mut self, id: i16, kind: u8, length: usize) {
        self.field(id, LIST);
        if length < 15 {
            self.out.push((length as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            varint(self.out, length as u64);
        }
    }

    fn end(self) {
        self.out.push(0);
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(out: &mut Vec<u8>, value: i64) {
    varint(out, ((value << 1) ^ (value >> 63)) as u64);
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::{parquet, varint, zigzag};
    use crate::result::{Column, Trajectory};

    #[test]
    fn numbers_take_as_few_bytes_as_the_protocol_allows() {
        let mut out = Vec::new();
        varint(&mut out, 300);
        assert_eq!(out, [0xac, 0x02]);
        out.clear();
        zigzag(&mut out, -1);
        assert_eq!(out, [1]);
    }

    #[test]
    fn the_footer_is_where_the_end_says() {
        let column = |name: &str| Column {
            name: name.to_owned(),
            comment: None,
            parameter: false,
        };
        let trajectory = Trajectory {
            columns: vec![column("time"), column("x")],
            rows: vec![0.0, 1.0, 1.0, 2.0],
        };
        let mut out = Vec::new();
        parquet(&trajectory, &mut out).unwrap();
        assert!(out.starts_with(b"PAR1") && out.ends_with(b"PAR1"));
        let n = out.len();
        let length = u32::from_le_bytes(out[n - 8..n - 4].try_into().unwrap()) as usize;
        // The first field of the footer is its version.
        assert_eq!(out[n - 8 - length..n - 6 - length], [0x15, 0x02]);
    }
}
