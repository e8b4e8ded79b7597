//! A panic is one lost answer.

use salsa::Cancelled;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why there is no result.
#[derive(Debug)]
pub enum Interrupted {
    /// The text was edited meanwhile. To be passed on by [`std::panic::resume_unwind`] where somebody waits for it.
    Edited(Cancelled),
    /// A mistake of ours: here, or on another thread in a query that this one waited for.
    Panicked,
}

/// The result of `work`, if it comes to one. What a panic leaves behind must be usable: queries begin again, and what they
/// remember is taken out while they run.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Cancelled>() {
        Ok(why) => match *why {
            Cancelled::PropagatedPanic => Interrupted::Panicked,
            edited => Interrupted::Edited(edited),
        },
        Err(_) => Interrupted::Panicked,
    })
}
