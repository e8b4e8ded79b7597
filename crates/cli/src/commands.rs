//! The commands, one module each.
//!
//! A new command is a module with a struct that derives [`clap::Args`] and implements [`Run`], and
//! one line in the list below. The struct's doc comment is its help text.

use crate::ui::{Failure, Ui};

/// A command that can be run. Whether it succeeded is the [`Ui`]'s business, which has seen the
/// diagnostics; an `Err` means that it could not do its work at all.
pub trait Run {
    fn run(self, ui: &mut Ui) -> Result<(), Failure>;
}

macro_rules! commands {
    ($($module:ident::$name:ident),* $(,)?) => {
        $(mod $module;)*

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
