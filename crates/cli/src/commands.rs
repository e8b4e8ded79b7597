//! The commands, one module each.
//!
//! A new command is a module with a struct that derives [`clap::Args`] and implements [`Run`], and
//! a line in each of the two lists below. The struct's doc comment is its help text.

use crate::ui::{Failure, Ui};

// Written out and not by the macro below: rustfmt does not look behind macros.
mod check;
mod compare;
mod completions;
mod explain;
mod flatten;
mod fmt;
mod graph;
mod lsp;
mod man;
mod mdae;
mod modes;
mod new;
mod parse;
mod report;
mod restart;
mod simulate;
mod transitions;

/// A command that can be run. Whether it succeeded is the [`Ui`]'s business, which has seen the
/// diagnostics; an `Err` means that it could not do its work at all.
pub trait Run {
    fn run(self, ui: &mut Ui) -> Result<(), Failure>;
}

macro_rules! commands {
    ($($module:ident::$name:ident),* $(,)?) => {
        #[derive(clap::Subcommand, Debug)]
        pub enum Command { $($name($module::$name),)* }

        impl Command {
            pub fn run(self, ui: &mut Ui) -> Result<(), Failure> {
                match self { $(Self::$name(command) => command.run(ui),)* }
            }
        }
    };
}

// In the order of the help text: what users need first comes first.
commands! {
    check::Check,
    modes::Modes,
    mdae::Mdae,
    transitions::Transitions,
    restart::Restart,
    simulate::Simulate,
    report::Report,
    graph::Graph,
    flatten::Flatten,
    compare::Compare,
    parse::Parse,
    fmt::Fmt,
    new::New,
    lsp::Lsp,
    explain::Explain,
    completions::Completions,
    man::Man,
}
