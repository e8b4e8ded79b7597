//! Checking in the background.

use crossbeam_channel::Sender;
use modeshift_driver::{Report, Session};
use std::panic::AssertUnwindSafe;

/// What a worker found, and for which state of the texts.
pub(crate) struct Checked {
    pub generation: u64,
    pub report: Report,
}

/// Checks a clone of the session on a thread of its own. When the session is edited meanwhile the check
/// is cancelled and nothing is sent; should it panic, nothing is sent either and the next edit
/// tries again.
pub(crate) fn spawn(session: Session, generation: u64, results: Sender<Checked>) {
    let check = move || {
        let outcome = salsa::Cancelled::catch(AssertUnwindSafe(|| {
            std::panic::catch_unwind(AssertUnwindSafe(|| check(&session))).unwrap_or_else(|panic| {
                match panic.downcast::<salsa::Cancelled>() {
                    Ok(cancelled) => std::panic::resume_unwind(cancelled),
                    Err(_) => None,
                }
            })
        }));
        // The clone must be gone before the main thread can edit: it waits for that.
        drop(session);
        if let Ok(Some(report)) = outcome {
            // Without a receiver the server is shutting down.
            let _ = results.send(Checked { generation, report });
        }
    };
    let builder = std::thread::Builder::new()
        .name("check".to_owned())
        .stack_size(STACK);
    // When no thread can be had the diagnostics are late by one edit.
    drop(builder.spawn(check));
}

/// Deeply nested models recurse deeply.
const STACK: usize = 64 << 20;

fn check(session: &Session) -> Option<Report> {
    Some(session.report(session.check_all()))
}
