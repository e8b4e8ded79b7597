//! Makes random edits and compares the incremental result with that of a fresh session after each.
//!
//! ```text
//! cargo run --release -p modeshift-lsp --example random_edits -- [EDITS [SEED]]
//! ```
//!
//! 10,000 edits unless told otherwise, in runs of 500 so that every run starts from sensible texts.

#[path = "../tests/random/mod.rs"]
mod random;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUN: usize = 500;
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: usize| match arguments.next() {
        Some(text) => text.parse().expect("a number"),
        None => usual,
    };
    let (edits, seed) = (number(10_000), number(1) as u64);
    let work = move || {
        let mut differences = 0;
        for run in 0..edits.div_ceil(RUN) {
            let count = RUN.min(edits - run * RUN);
            if let Err(difference) = random::run(seed + run as u64, count, |_| {}) {
                differences += 1;
                println!("{difference}");
            }
        }
        println!("{differences} differences in {edits} edits");
        differences
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    match thread.expect("a thread").join() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) | Err(_) => ExitCode::FAILURE,
    }
}
