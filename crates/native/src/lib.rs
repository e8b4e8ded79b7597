//! Functions of shared libraries, called with arguments whose types are known when the program runs.
//!
//! The types come from the `external` clause of a Modelica function, so nothing here can check them: a wrong declaration
//! crashes the process, as it does in every Modelica tool. That is why a user has to allow it, and why this is a crate of
//! its own, the only one with `unsafe` code for this purpose.
//!
//! No library for foreign functions is needed: by the calling conventions of Unix systems integers and floating-point
//! numbers are passed in registers of their own, in order, and what finds no register goes to the stack. So one type of
//! function, with all registers and enough room on the stack, fits all.

#![allow(
    unsafe_code,
    reason = "calling foreign code is the purpose of this crate"
)]

mod call;
mod memory;

use std::ffi::{OsStr, c_void};
use std::path::Path;

pub use memory::Data;

/// How an argument is passed.
#[derive(Clone, Debug)]
pub struct Argument {
    pub data: Data,
    /// The function gets a pointer and may write. Arrays and records are always passed so.
    pub by_reference: bool,
}

/// What a function gives back itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    Nothing,
    Real,
    Int,
    Text,
    Object,
}

/// A function of a library that was opened.
#[derive(Clone, Copy, Debug)]
pub struct Function(*const c_void);

// A pointer to code is the same for all threads.
unsafe impl Send for Function {}
unsafe impl Sync for Function {}

/// Shared libraries, kept open.
#[derive(Debug, Default)]
pub struct Libraries {
    open: Vec<libloading::Library>,
}

impl Libraries {
    /// Opens a shared library. Its initialisers run.
    pub fn open(&mut self, path: &Path) -> Result<(), String> {
        self.add(path.as_os_str())
    }

    /// The process itself, with the C library.
    pub fn open_process(&mut self) {
        #[cfg(unix)]
        self.open.push(libloading::os::unix::Library::this().into());
    }

    fn add(&mut self, path: &OsStr) -> Result<(), String> {
        // What the initialisers of a library do is allowed with the library.
        let library = unsafe { libloading::Library::new(path) };
        self.open.push(library.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// The function of that name in the first library that has one.
    pub fn find(&self, name: &str) -> Option<Function> {
        self.open.iter().find_map(|library| {
            // Only the address is taken.
            let found = unsafe { library.get::<*const c_void>(name) };
            let address = found.ok().map(|symbol| *symbol)?;
            (!address.is_null()).then_some(Function(address))
        })
    }
}

/// Calls a function. Arguments that are passed by reference hold what it wrote.
pub fn call(
    function: Function,
    args: &mut [Argument],
    returns: Returns,
) -> Result<Option<Data>, String> {
    let mut memory: Vec<memory::Memory> = Vec::with_capacity(args.len());
    for arg in args.iter() {
        memory.push(memory::Memory::new(&arg.data)?);
    }
    let words = args.iter().zip(&mut memory).map(|(arg, memory)| {
        match (arg.by_reference || arg.data.is_composite(), &arg.data) {
            (false, Data::Real(value)) => call::Word::Float(*value),
            (false, _) => call::Word::Int(memory.first()),
            (true, _) => call::Word::Int(memory.address()),
        }
    });
    let words: Vec<call::Word> = words.collect();
    // Everything that the pointers lead to is in `memory`, which outlives the call.
    let result = unsafe { call::call(function.0, &words, returns == Returns::Real)? };
    for (arg, memory) in args.iter_mut().zip(&memory) {
        if arg.by_reference {
            // The function wrote what its declaration says.
            unsafe { memory.read(&mut arg.data) };
        }
    }
    Ok(match (returns, result) {
        (Returns::Nothing, _) => None,
        (Returns::Real, call::Word::Float(value)) => Some(Data::Real(value)),
        (Returns::Text, call::Word::Int(word)) => Some(Data::Text(unsafe { memory::text(word) })),
        (Returns::Object, call::Word::Int(word)) => Some(Data::Object(word)),
        (_, call::Word::Int(word)) => Some(Data::Int(word as u32 as i32)),
        (_, call::Word::Float(_)) => None,
    })
}
