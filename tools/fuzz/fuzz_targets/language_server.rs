//! See `random::follow` for what must hold.
#![no_main]

#[allow(dead_code)]
#[path = "../../../crates/lsp/tests/random/mod.rs"]
mod random;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| random::follow(bytes));
