//! What a person wants to know of a simulation at first: how far it went, what happened, and what it cost.

use super::{Document, Event};
use modeshift_base::{FxIndexMap, shown};
use modeshift_sim::profile::Phases;
use std::fmt::Write as _;
use std::time::Duration;

/// More than so many are counted, not listed.
const MAX_LISTED: usize = 6;

/// The summary; with `events` each event has a line of its own.
pub fn text(document: &Document, events: bool) -> String {
    let mut out = String::new();
    let statistics = &document.statistics;
    let _ = writeln!(
        out,
        "{}: time {} to {}, {}, {}, {}",
        document.model,
        shown(document.start_time),
        shown(document.time),
        plural(statistics.steps, "step"),
        plural(document.event_count, "event"),
        plural(statistics.modes, "mode"),
    );
    if events {
        let span = document.time - document.start_time;
        for event in &document.events {
            // What is found right after the start happens at the start.
            let after = event.time - document.start_time;
            let time = match after.abs() < 1e-12 * span {
                true => document.start_time,
                false => event.time,
            };
            line(&mut out, event, time);
        }
    }
    let mut row = |name: &str, text: String| {
        if !text.is_empty() {
            let _ = writeln!(out, "  {name:<8}  {text}");
        }
    };
    row("states", states(document));
    row("method", method(document));
    if !events {
        row("events", causes(&document.events));
        row("modes", modes(&document.events));
    }
    out
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// One event on a line.
fn line(out: &mut String, event: &Event, time: f64) {
    let causes: Vec<String> = (event.causes.iter())
        .map(|cause| match event.to.get(cause) {
            Some(true) if event.from.get(cause) == Some(&false) => format!("{cause} becomes true"),
            Some(false) if event.from.get(cause) == Some(&true) => format!("{cause} becomes false"),
            _ => cause.clone(),
        })
        .collect();
    let _ = write!(out, "{:>12}  {}", digits(time), causes.join(", "));
    for (name, jump) in &event.jumps {
        // A condition that became true or false has been named as a cause.
        if event.causes.contains(name) && event.to.contains_key(name) {
            continue;
        }
        if let (Some(before), Some(after)) = (jump.before, jump.after) {
            let _ = write!(out, "  {name}: {} → {}", digits(before), digits(after));
        }
    }
    let _ = writeln!(out);
}

/// A number with six significant digits, without zeros at its end.
fn digits(value: f64) -> String {
    const SIGNIFICANT: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:e}");
    let size = scientific.rsplit_once('e');
    let size = size.and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let size = size.unwrap_or(0);
    if !(-4..15).contains(&size) {
        return format!("{value:.5e}");
    }
    let places = (SIGNIFICANT - 1 - size).max(0) as usize;
    let text = format!("{value:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn states(document: &Document) -> String {
    let states = &document.states;
    if states.is_empty() {
        return String::new();
    }
    let changed = match document.statistics.reselections {
        0 => String::new(),
        n => format!(", chosen again {}", times(n)),
    };
    format!("{}{changed}", listed(states.iter().cloned()))
}

fn times(n: usize) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

fn method(document: &Document) -> String {
    let statistics = &document.statistics;
    if statistics.evaluations == 0 {
        return String::new();
    }
    let mut text = format!(
        "{}: {}",
        document.solver,
        plural(statistics.evaluations, "evaluation")
    );
    for (count, word) in [
        (statistics.jacobians, "Jacobian"),
        (statistics.factorisations, "factorisation"),
        (statistics.rejected, "rejected step"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {}", plural(count, word));
        }
    }
    text
}

/// What caused events, the most frequent first.
fn causes(events: &[Event]) -> String {
    let mut counts: FxIndexMap<&str, usize> = FxIndexMap::default();
    for cause in events.iter().flat_map(|event| &event.causes) {
        *counts.entry(cause).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|it| std::cmp::Reverse(it.1));
    listed(counts.into_iter().map(|(name, count)| match count {
        1 => name.to_owned(),
        _ => format!("{name} ({})", times(count)),
    }))
}

/// The conditions that changed, in the order in which they did.
fn modes(events: &[Event]) -> String {
    let changes = events.iter().filter_map(|event| {
        let changed = event.to.iter().filter_map(|(name, &value)| {
            let differs = event.from.get(name) != Some(&value);
            let not = if value { "" } else { "not " };
            differs.then(|| format!("{not}{name}"))
        });
        let changed: Vec<String> = changed.collect();
        let time = (event.time * 1e6).round() / 1e6;
        (!changed.is_empty()).then(|| format!("{time}: {}", listed(changed)))
    });
    let changes: Vec<String> = changes.collect();
    let more = changes.len().saturating_sub(MAX_LISTED);
    let mut text = changes[..changes.len() - more].join("; ");
    if more > 0 {
        let _ = write!(text, "; {more} more");
    }
    text
}

fn listed(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    let mut text = names[..names.len() - more].join(", ");
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// How long each phase took. `total` is everything since the command began.
pub fn phases(phases: &Phases, total: Duration) -> String {
    let known = phases.compile + phases.start + phases.integrate + phases.events;
    let parts = [
        ("reading", total.saturating_sub(known)),
        ("compiling", phases.compile),
        ("start", phases.start),
        ("steps", phases.integrate),
        ("events", phases.events),
    ];
    let parts: Vec<String> = parts
        .iter()
        .map(|(name, time)| format!("{name} {}", seconds(*time)))
        .collect();
    format!("  time      {} s: {}", seconds(total), parts.join(", "))
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
