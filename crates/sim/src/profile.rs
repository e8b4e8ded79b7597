//! What a run costs: how often blocks and functions were computed, and how long that took.
//!
//! Counting costs nothing worth mentioning. Clocks are read only where a run is profiled, since reading them takes as long as
//! a small block.

use modeshift_mdae::sym::VarRef;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where the time of a run went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// Sorting, state selection and compiling.
    pub compile: Duration,
    /// Initial values.
    pub start: Duration,
    /// Everything that happens at events.
    pub events: Duration,
    /// Steps, outputs and the search for events.
    pub integrate: Duration,
}

/// Adds the time that something takes.
pub fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    *total += began.elapsed();
    result
}

/// The cost of a task so far.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    runs: Cell<u64>,
    iterations: Cell<u64>,
    nanos: Cell<u64>,
}

impl Cost {
    /// One step of Newton's method.
    pub fn iterate(&self) {
        self.iterations.set(self.iterations.get() + 1);
    }

    /// Counts a run, and times it where that is wanted.
    pub fn of<T>(&self, profiling: bool, work: impl FnOnce() -> T) -> T {
        self.runs.set(self.runs.get() + 1);
        if !profiling {
            return work();
        }
        let began = Instant::now();
        let result = work();
        self.nanos.set(self.nanos.get() + nanos(began));
        result
    }

    pub fn runs(&self) -> u64 {
        self.runs.get()
    }

    pub fn iterations(&self) -> u64 {
        self.iterations.get()
    }

    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanos.get())
    }
}

fn nanos(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// The cost of a function, which programs on several threads may share.
#[derive(Debug, Default)]
pub struct CallCost {
    runs: AtomicU64,
    nanos: AtomicU64,
}

impl CallCost {
    pub fn of<T>(&self, profiling: bool, work: impl FnOnce() -> T) -> T {
        if !profiling {
            return work();
        }
        let began = Instant::now();
        let result = work();
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(nanos(began), Ordering::Relaxed);
        result
    }

    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

/// Equations that are computed together.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockCost {
    /// When it is computed.
    pub at: At,
    pub unknowns: Vec<VarRef>,
    /// How many of them Newton's method looks for; `None` for assignments.
    pub iterated: Option<usize>,
    pub runs: u64,
    /// Steps of Newton's method.
    pub iterations: u64,
    pub time: Duration,
}

/// The system that a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum At {
    Start,
    Steps,
    Events,
}

/// A function with all its calls.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCost {
    pub name: String,
    pub runs: u64,
    pub time: Duration,
}

/// The costs of a run, the largest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Profile {
    pub blocks: Vec<BlockCost>,
    pub functions: Vec<FunctionCost>,
}

impl Profile {
    pub fn sorted(mut self) -> Self {
        self.blocks.sort_by_key(|it| std::cmp::Reverse(it.time));
        self.functions.sort_by_key(|it| std::cmp::Reverse(it.time));
        self
    }
}
