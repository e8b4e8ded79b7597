//! `modeshift lsp`: the language server, on standard input and output.

use super::Run;
use crate::ui::{Failure, Ui};
use modeshift_lsp::Environment;

/// Run the language server for editors
///
/// Speaks the Language Server Protocol 3.17 on standard input and output. Editors start it
/// themselves; there is no use in running it by hand.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift lsp\n\n\
    Libraries are those of MODELICAPATH and of the setting `libraries` that the editor sends.")]
pub struct Lsp {}

impl Run for Lsp {
    fn run(self, _: &mut Ui) -> Result<(), Failure> {
        let environment = Environment {
            current_dir: std::env::current_dir()?,
            modelica_path: std::env::var_os("MODELICAPATH"),
        };
        let served = modeshift_lsp::serve_stdio(environment);
        served.map_err(|error| Failure::Io(std::io::Error::other(error.to_string())))
    }
}
