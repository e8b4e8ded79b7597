//! The language server: LSP 3.17 on top of a [`modeshift_driver::Session`].
//!
//! One thread owns the session and applies edits. Questions are answered by a few others, on clones of the
//! session; after the last edit that is waiting a worker checks a clone and sends back diagnostics, phase by
//! phase. An edit cancels all of them (salsa unwinds their queries), so that no keystroke waits for the last
//! one's check.
//!
//! Never here: knowledge of Modelica. Questions are answered by `ide`, checks are made by `driver`.

#![expect(
    clippy::mutable_key_type,
    reason = "the cell in `Uri` caches how it was split and takes no part in comparisons"
)]

mod capabilities;
mod convert;
mod document;
mod handlers;
mod pool;
mod progress;
mod server;
mod settings;
mod transport;
mod worker;

pub use document::{Encoding, LineIndex};
pub use server::{Error, serve};
pub use settings::Environment;

use std::io::{BufReader, stdin, stdout};

/// Serves on standard input and output until the client says `exit`.
pub fn serve_stdio(environment: Environment) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error(error.to_string());
    let (connection, writer) =
        transport::connect(BufReader::new(stdin()), stdout()).map_err(failed)?;
    let served = serve(connection, environment);
    // What is still to be said is written before the process ends.
    match writer.join() {
        Ok(written) => written.map_err(failed)?,
        Err(panic) => std::panic::resume_unwind(panic),
    }
    served
}
