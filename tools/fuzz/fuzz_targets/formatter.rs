//! See `fuzzing::formatter` for what must hold.
#![no_main]

#[allow(dead_code)]
#[path = "../../../crates/syntax/tests/laws/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|text: &str| fuzzing::formatter(text));
