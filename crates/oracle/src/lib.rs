//! A second, slow opinion on what a hybrid model does.
//!
//! [`mod@interpret`] reads appendix B of the Modelica specification word by word: at an instant all equations are solved
//! with the left limits `pre(v)` known, then `pre(v) := v` until nothing changes. There is no sorting: equations are
//! tried over and over until all values are found. Between instants values are polynomials in time, integrated
//! exactly, and events are their roots. Where rounding could decide (two events at almost the same time, a relation
//! almost at its threshold) it says so and stops, so that what it does say is beyond doubt.
//!
//! [`generate`] writes random models that such an interpreter can run: automata, counters, sampled controllers,
//! integrators with `reinit`, algorithms. [`compare`] holds a trajectory of `modeshift simulate` against the
//! interpreter, instant by instant, and [`trial`] does all three for one model.
//!
//! Nothing here shares code with the engines of simulation.

pub mod compare;
mod eval;
pub mod generate;
mod instant;
pub mod interpret;
mod round;
mod statement;
pub mod trial;
mod value;

pub use interpret::{Doubt, Trace, interpret};

use modeshift_driver::{MemorySystem, Session, Settings};
use modeshift_flat::model::FlatModel;
use std::sync::Arc;

/// A session with a text.
pub fn session_of(text: &str) -> Session {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/M.mo", text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("M.mo");
    session
}

/// The flat model of a text, or what is wrong with it.
pub fn flatten(text: &str) -> Result<FlatModel, String> {
    flat_of(&session_of(text)).cloned()
}

/// The flat model of the last class of a session.
pub fn flat_of(session: &Session) -> Result<&FlatModel, String> {
    let class = session
        .default_class()
        .map_err(|what| what.message.to_string())?;
    let flat = session.flat(class);
    let wrong = session
        .check_files()
        .into_iter()
        .chain(flat.diagnostics.iter().cloned());
    if let Some(error) = wrong.into_iter().find(modeshift_diag::Diagnostic::is_error) {
        return Err(error.message.to_string());
    }
    Ok(&flat.model)
}
