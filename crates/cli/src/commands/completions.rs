//! `modeshift completions`: scripts that teach a shell to complete our command line.

use super::Run;
use crate::args::Cli;
use crate::ui::{Failure, Ui};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift completions bash > ~/.local/share/bash-completion/completions/modeshift\n  \
    modeshift completions zsh > ~/.zfunc/_modeshift\n  \
    modeshift completions fish > ~/.config/fish/completions/modeshift.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Run for Completions {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        // clap_complete panics when it cannot write, as it cannot behind `| head`: so it writes
        // into memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "modeshift", &mut script);
        ui.print(|out| out.write_all(&script))
    }
}
