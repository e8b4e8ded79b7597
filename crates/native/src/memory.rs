//! Values as C sees them in memory.

use std::ffi::{CStr, CString, c_char};

/// A value of an argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    Real(f64),
    Int(i32),
    /// A size, which is `size_t`.
    Size(u64),
    Text(String),
    /// A pointer that a constructor gave.
    Object(u64),
    Reals(Vec<f64>),
    Ints(Vec<i32>),
    Texts(Vec<String>),
    /// A structure.
    Record(Vec<Self>),
}

impl Data {
    /// Whether it is passed by its address always.
    pub(crate) const fn is_composite(&self) -> bool {
        matches!(
            self,
            Self::Reals(_) | Self::Ints(_) | Self::Texts(_) | Self::Record(_)
        )
    }

    /// Size and alignment in a structure.
    fn layout(&self) -> (usize, usize) {
        match self {
            Self::Int(_) => (4, 4),
            Self::Record(fields) => {
                let (mut end, mut align) = (0_usize, 1);
                for field in fields {
                    let (size, own) = field.layout();
                    end = end.next_multiple_of(own) + size;
                    align = align.max(own);
                }
                (end.next_multiple_of(align), align)
            }
            Self::Reals(items) => (8 * items.len(), 8),
            Self::Ints(items) => (4 * items.len(), 4),
            Self::Texts(items) => (8 * items.len(), 8),
            _ => (8, 8),
        }
    }
}

/// The bytes of a value, with the strings it points to.
#[derive(Debug)]
pub(crate) struct Memory {
    words: Vec<u64>,
    strings: Vec<CString>,
}

impl Memory {
    pub(crate) fn new(data: &Data) -> Result<Self, String> {
        let (size, _) = data.layout();
        let mut bytes = vec![0; size.next_multiple_of(8).max(8)];
        let mut strings = Vec::new();
        write(data, &mut bytes, 0, &mut strings)?;
        let words = bytes.chunks_exact(8).map(|chunk| {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        });
        Ok(Self {
            words: words.collect(),
            strings,
        })
    }

    /// The value itself, if it fits a register.
    pub(crate) fn first(&self) -> u64 {
        debug_assert!(self.strings.len() <= 1);
        self.words[0]
    }

    pub(crate) fn address(&mut self) -> u64 {
        self.words.as_mut_ptr() as u64
    }

    /// Takes over what was written.
    ///
    /// # Safety
    /// Pointers to strings must be null or lead to strings.
    pub(crate) unsafe fn read(&self, data: &mut Data) {
        let bytes: Vec<u8> = self.words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        unsafe { read(data, &bytes, 0) };
    }
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

fn write(
    data: &Data,
    bytes: &mut [u8],
    at: usize,
    strings: &mut Vec<CString>,
) -> Result<(), String> {
    let mut string = |text: &str| -> Result<[u8; 8], String> {
        let text = CString::new(text).map_err(|_| "a string holds a zero".to_owned())?;
        // The characters stay where they are when the list of strings grows.
        let address = (text.as_ptr() as u64).to_ne_bytes();
        strings.push(text);
        Ok(address)
    };
    match data {
        Data::Real(value) => put(bytes, at, &value.to_ne_bytes()),
        // The upper half matters only where a register is passed.
        Data::Int(value) if bytes.len() == 8 => put(bytes, at, &i64::from(*value).to_ne_bytes()),
        Data::Int(value) => put(bytes, at, &value.to_ne_bytes()),
        Data::Size(value) | Data::Object(value) => put(bytes, at, &value.to_ne_bytes()),
        Data::Text(text) => put(bytes, at, &string(text)?),
        Data::Reals(items) => {
            for (k, item) in items.iter().enumerate() {
                put(bytes, at + 8 * k, &item.to_ne_bytes());
            }
        }
        Data::Ints(items) => {
            for (k, item) in items.iter().enumerate() {
                put(bytes, at + 4 * k, &item.to_ne_bytes());
            }
        }
        Data::Texts(items) => {
            for (k, item) in items.iter().enumerate() {
                put(bytes, at + 8 * k, &string(item)?);
            }
        }
        Data::Record(fields) => {
            let mut end = at;
            for field in fields {
                let (size, align) = field.layout();
                let start = end.next_multiple_of(align);
                // A lone Integer in a structure takes its own four bytes.
                match field {
                    Data::Int(value) => put(bytes, start, &value.to_ne_bytes()),
                    field => write(field, bytes, start, strings)?,
                }
                end = start + size;
            }
        }
    }
    Ok(())
}

fn word(bytes: &[u8], at: usize) -> [u8; 8] {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    word
}

fn half(bytes: &[u8], at: usize) -> i32 {
    let mut half = [0; 4];
    half.copy_from_slice(&bytes[at..at + 4]);
    i32::from_ne_bytes(half)
}

unsafe fn read(data: &mut Data, bytes: &[u8], at: usize) {
    match data {
        Data::Real(value) => *value = f64::from_ne_bytes(word(bytes, at)),
        Data::Int(value) => *value = half(bytes, at),
        Data::Size(value) | Data::Object(value) => *value = u64::from_ne_bytes(word(bytes, at)),
        Data::Text(own) => *own = unsafe { text(u64::from_ne_bytes(word(bytes, at))) },
        Data::Reals(items) => {
            for (k, item) in items.iter_mut().enumerate() {
                *item = f64::from_ne_bytes(word(bytes, at + 8 * k));
            }
        }
        Data::Ints(items) => {
            for (k, item) in items.iter_mut().enumerate() {
                *item = half(bytes, at + 4 * k);
            }
        }
        Data::Texts(items) => {
            for (k, item) in items.iter_mut().enumerate() {
                *item = unsafe { text(u64::from_ne_bytes(word(bytes, at + 8 * k))) };
            }
        }
        Data::Record(fields) => {
            let mut end = at;
            for field in fields {
                let (size, align) = field.layout();
                let start = end.next_multiple_of(align);
                unsafe { read(field, bytes, start) };
                end = start + size;
            }
        }
    }
}

/// A string of C.
///
/// # Safety
/// The address must be null or that of a string.
pub(crate) unsafe fn text(address: u64) -> String {
    let pointer = address as *const c_char;
    if pointer.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_string_lossy().into_owned()
}
