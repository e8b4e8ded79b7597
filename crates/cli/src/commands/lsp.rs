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
    modeshift lsp\n  \
    modeshift lsp --memory-limit 2000\n\n\
    Libraries are those of MODELICAPATH and of the setting `libraries` that the editor sends.")]
pub struct Lsp {
    /// Keep less of models that were not looked at last once the server has more memory than this, in megabytes (Linux)
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
}

impl Run for Lsp {
    fn run(self, _: &mut Ui) -> Result<(), Failure> {
        let environment = Environment {
            current_dir: std::env::current_dir()?,
            modelica_path: std::env::var_os("MODELICAPATH"),
            memory_limit: self.memory_limit.map(|limit| limit.saturating_mul(1 << 20)),
            explain: Some(crate::pages::page),
        };
        let served = modeshift_lsp::serve_stdio(environment);
        served.map_err(|error| Failure::Io(std::io::Error::other(error.to_string())))
    }
}
