//! The costs of a simulation: which block and which function took how long.

use modeshift_mdae::sym::VarRef;
use modeshift_sim::profile::{self, At, BlockCost, Phases};
use serde::Serialize;
use std::fmt::Write as _;

/// Blocks and functions beyond this many are summed up.
const MAX_LINES: usize = 20;
/// Names of the unknowns of a block.
const MAX_NAMES: usize = 4;

/// Where the time went, in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    pub compile: f64,
    pub start: f64,
    pub integrate: f64,
    pub events: f64,
    /// The most expensive first.
    pub blocks: Vec<Block>,
    pub functions: Vec<Function>,
}

/// Equations that are computed together.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    /// `start`, `steps` or `events`.
    pub at: &'static str,
    pub unknowns: Vec<String>,
    /// How many unknowns Newton's method looks for; `null` for assignments.
    pub iterated: Option<usize>,
    pub runs: u64,
    pub iterations: u64,
    pub seconds: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Function {
    pub name: String,
    pub runs: u64,
    pub seconds: f64,
}

impl Profile {
    /// `name` tells what the modeller calls an unknown.
    pub fn of(found: profile::Profile, phases: Phases, name: &dyn Fn(VarRef) -> String) -> Self {
        let Phases {
            compile,
            start,
            events,
            integrate,
        } = phases;
        let block = |it: &BlockCost| Block {
            at: match it.at {
                At::Start => "start",
                At::Steps => "steps",
                At::Events => "events",
            },
            unknowns: it.unknowns.iter().map(|&v| name(v)).collect(),
            iterated: it.iterated,
            runs: it.runs,
            iterations: it.iterations,
            seconds: it.time.as_secs_f64(),
        };
        let functions = found.functions.into_iter();
        Self {
            compile: compile.as_secs_f64(),
            start: start.as_secs_f64(),
            integrate: integrate.as_secs_f64(),
            events: events.as_secs_f64(),
            blocks: found.blocks.iter().map(block).collect(),
            functions: functions
                .map(|it| Function {
                    name: it.name,
                    runs: it.runs,
                    seconds: it.time.as_secs_f64(),
                })
                .collect(),
        }
    }

    /// As tables.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "\n     seconds       runs  iterations  block");
        for it in self.blocks.iter().take(MAX_LINES) {
            let mut names = it.unknowns[..it.unknowns.len().min(MAX_NAMES)].join(", ");
            if it.unknowns.len() > MAX_NAMES {
                let _ = write!(names, " and {} more", it.unknowns.len() - MAX_NAMES);
            }
            let kind = match it.iterated {
                None => "assigned".to_owned(),
                Some(n) => format!("{n} of {} iterated", it.unknowns.len()),
            };
            let _ = writeln!(
                out,
                "{:>12.6} {:>10} {:>11}  {}, {kind}: {names}",
                it.seconds, it.runs, it.iterations, it.at
            );
        }
        rest(&mut out, self.blocks.iter().map(|it| it.seconds), "blocks");
        if self.functions.is_empty() {
            return out;
        }
        let _ = writeln!(out, "\n     seconds      calls  function (within blocks)");
        for it in self.functions.iter().take(MAX_LINES) {
            let _ = writeln!(out, "{:>12.6} {:>10}  {}", it.seconds, it.runs, it.name);
        }
        rest(
            &mut out,
            self.functions.iter().map(|it| it.seconds),
            "functions",
        );
        out
    }
}

/// What is not listed.
fn rest(out: &mut String, seconds: impl ExactSizeIterator<Item = f64>, what: &str) {
    let more = seconds.len().saturating_sub(MAX_LINES);
    if more > 0 {
        let sum: f64 = seconds.skip(MAX_LINES).sum();
        let _ = writeln!(out, "{sum:>12.6}  {more} more {what}");
    }
}
