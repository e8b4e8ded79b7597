//! The command line: the only place that knows clap, standard streams and exit codes.

mod args;
mod atomic;
mod changes;
mod commands;
mod markdown;
mod model;
mod pages;
mod progress;
mod sources;
mod threads;
mod ui;

use clap::Parser;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = args::Cli::parse();
    let mut ui = ui::Ui::new(args.globals);
    let result = args.command.run(&mut ui);
    ui.finish(result)
}
