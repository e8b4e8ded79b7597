//! `modeshift man`: the manual page, made from the same text as `--help`.

use super::Run;
use crate::args::Cli;
use crate::ui::{Failure, Ui};
use clap::CommandFactory;

/// Print a manual page
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift man | man -l -\n  \
    modeshift man check > modeshift-check.1")]
pub struct Man {
    /// The command to describe; all of modeshift when left out
    command: Option<String>,
}

impl Run for Man {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        let mut root = Cli::command();
        root.build();
        let command = match &self.command {
            None => root,
            Some(name) => root
                .find_subcommand(name)
                .cloned()
                .map(|command| command.display_name(format!("modeshift-{name}")))
                .ok_or_else(|| Failure::Usage(format!("there is no command `{name}`")))?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        ui.print(|out| out.write_all(&page))
    }
}
