//! See `fuzzing::parser` for what must hold.
#![no_main]

#[allow(dead_code)]
#[path = "../../../crates/syntax/tests/laws/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::parser(bytes));
