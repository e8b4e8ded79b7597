//! The command line: the only place that knows clap, standard streams and exit codes.

mod args;
mod atomic;
mod baseline;
mod changes;
mod commands;
mod config;
mod hint;
mod markdown;
mod model;
mod openmodelica;
mod pages;
mod progress;
mod sources;
mod threads;
mod ui;
mod watch;

use clap::Parser;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Trees are walked by recursion. Their depth is bounded by the parser, at thousands of levels, which the
/// usual stack of a main thread does not hold in every phase; memory is only taken when it is used.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new()
        .name("main".into())
        .stack_size(STACK)
        .spawn(run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // No such stack to be had: work with the one there is.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    let args = args::Cli::parse();
    let mut ui = ui::Ui::new(args.globals);
    let result = ui.configure().and_then(|()| args.command.run(&mut ui));
    ui.finish(result)
}
