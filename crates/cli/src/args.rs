//! What can be written on the command line, apart from the commands' own arguments.

use crate::commands::Command;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, ValueEnum};

/// A compiler for multimode physical models.
///
/// modeshift reads Modelica, finds the modes a model can be in, and says before any simulation
/// which of them have no unique solution, where a mode depends on itself, and how the model
/// restarts when it changes from one mode to another.
#[derive(Parser, Debug)]
#[command(
    name = "modeshift",
    version,
    propagate_version = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Exit status: 0 clean, 1 there are errors, 2 wrong usage.\n\
                  `modeshift COMMAND --help` shows a command's options and examples.",
    after_long_help = "Exit status:\n  \
        0  clean\n  \
        1  there are errors (or, for `fmt --check`, files to format)\n  \
        2  wrong usage, or a path that does not exist\n\n\
        Environment:\n  \
        NO_COLOR      no colours\n  \
        MODELICAPATH  directories with libraries"
)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// How to print diagnostics
    ///
    /// `terminal` and `short` go to standard error. `json` (one object per line) and `sarif` go to
    /// standard output, or to standard error where the command prints a document of its own.
    #[arg(
        long,
        visible_alias = "format-diagnostics",
        global = true,
        value_name = "FORMAT",
        default_value = "terminal"
    )]
    pub message_format: MessageFormat,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,

    /// Wrap messages at this many columns instead of the terminal's width
    #[arg(long, global = true, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(30..))]
    pub width: Option<u16>,

    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print more; twice for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Treat warnings as errors: `warnings` for all, `fixpoints`, or a code or its name
    #[arg(short = 'D', long, global = true, value_name = "WHAT", value_parser = deniable(), hide_possible_values = true)]
    pub deny: Vec<String>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageFormat {
    /// Source excerpts for people
    #[default]
    Terminal,
    /// One line per diagnostic
    Short,
    /// One JSON object per line
    Json,
    /// A SARIF 2.1.0 log
    Sarif,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// All names, so that clap suggests the nearest for a slip.
fn deniable() -> PossibleValuesParser {
    PossibleValuesParser::new(modeshift_diag::Code::names())
}
