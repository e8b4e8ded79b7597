//! Checking in the background.

use crate::pool::STACK;
use crossbeam_channel::Sender;
use modeshift_driver::{Phase, Report, Session};
use std::panic::AssertUnwindSafe;

/// What a worker found in one phase, and for which state of the texts.
pub(crate) struct Checked {
    pub generation: u64,
    pub phase: Phase,
    pub report: Report,
}

/// Checks a clone of the session on a thread of its own, and sends what each phase finds. When the session is
/// edited meanwhile the check is cancelled and the rest is not sent; should it panic, the rest is not sent
/// either and the next edit tries again.
pub(crate) fn spawn(session: Session, generation: u64, results: Sender<Checked>) {
    let check = move || {
        // Cancelled by an edit, or a mistake of ours that the next edit may not run into.
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
            session.check_in_phases(|phase, found| {
                let report = session.report(found);
                // Without a receiver the server is shutting down.
                let _ = results.send(Checked {
                    generation,
                    phase,
                    report,
                });
            });
        }));
    };
    let builder = std::thread::Builder::new()
        .name("check".to_owned())
        .stack_size(STACK);
    // When no thread can be had the diagnostics are late by one edit.
    drop(builder.spawn(check));
}
