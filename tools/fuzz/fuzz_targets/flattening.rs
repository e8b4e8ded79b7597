//! See `fuzzing::flattening` for what must hold.
#![no_main]

#[allow(dead_code)]
#[path = "../../../crates/driver/tests/laws/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|text: &str| fuzzing::flattening(text));
