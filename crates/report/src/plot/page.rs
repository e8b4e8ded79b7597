//! Trajectories as a page to look around in: zoom, legend, events and modes; nothing is loaded from elsewhere.
//!
//! Signals with the same unit share a picture, and all pictures share the axis of time. The program is `plot.js`, on top
//! of what the report is made of (`html/base.js`, `html/style.css`).

use crate::graph::mode_name;
use crate::simulation::Event;
use crate::transitions::Valuation;
use modeshift_sim::result::Trajectory;
use serde::Serialize;

/// What the page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    pub model: String,
    start: f64,
    stop: f64,
    signals: Vec<Signal>,
    events: Vec<Instant>,
    /// Stretches of time between changes of mode; empty where the engine tells no modes.
    modes: Vec<Stretch>,
}

#[derive(Clone, Debug, Serialize)]
struct Signal {
    name: String,
    unit: String,
    comment: String,
    times: Vec<f64>,
    /// Null where there is no finite value.
    values: Vec<Option<f64>>,
}

#[derive(Clone, Debug, Serialize)]
struct Instant {
    time: f64,
    /// What happened, in a line.
    text: String,
    /// The conditions that hold before and after, where the engine tells modes.
    from: Option<Vec<String>>,
    to: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize)]
struct Stretch {
    from: f64,
    to: f64,
    /// The conditions that hold.
    name: String,
}

/// Events beyond these are not embedded: thousands of lines at the same places show nothing.
const MOST_EVENTS: usize = 2000;

/// What is known about the signals and conditions of a model beside a run of it.
pub struct About<'a> {
    /// The unit of a signal, empty if it has none.
    pub unit: &'a dyn Fn(&str) -> String,
    /// Whether a condition decides equations: modes are named by those.
    pub decides: &'a dyn Fn(&str) -> bool,
}

/// Collects what the page shows of the columns.
pub fn run(
    model: &str,
    trajectory: &Trajectory,
    columns: &[usize],
    about: &About<'_>,
    events: &[Event],
) -> Run {
    let times: Vec<f64> = trajectory.column(0).collect();
    let (start, stop) = match (times.first(), times.last()) {
        (Some(&start), Some(&stop)) if stop > start => (start, stop),
        (Some(&start), _) => (start, start + 1.0),
        _ => (0.0, 1.0),
    };
    let signals = columns.iter().map(|&i| {
        let column = &trajectory.columns[i];
        let values: Vec<f64> = trajectory.column(i).collect();
        let kept = thinned(&values);
        Signal {
            unit: (about.unit)(&column.name),
            comment: column.comment.clone().unwrap_or_default(),
            name: column.name.clone(),
            times: kept.iter().map(|&k| times[k]).collect(),
            values: kept
                .iter()
                .map(|&k| Some(values[k]).filter(|value| value.is_finite()))
                .collect(),
        }
    });
    Run {
        model: model.to_owned(),
        start,
        stop,
        signals: signals.collect(),
        events: events
            .iter()
            .take(MOST_EVENTS)
            .map(|event| instant(event, about))
            .collect(),
        modes: stretches(events, start, stop, about),
    }
}

/// Points to draw: of every bucket of many points the first, the smallest, the largest and the last. A screen shows no
/// more, and peaks stay.
fn thinned(values: &[f64]) -> Vec<usize> {
    const BUCKETS: usize = 5000;
    if values.len() <= 4 * BUCKETS {
        return (0..values.len()).collect();
    }
    let size = values.len().div_ceil(BUCKETS);
    let mut kept = Vec::with_capacity(4 * BUCKETS);
    for start in (0..values.len()).step_by(size) {
        let bucket = start..values.len().min(start + size);
        let by_value = |&a: &usize, &b: &usize| values[a].total_cmp(&values[b]);
        let mut points = vec![start, bucket.end - 1];
        points.extend(bucket.clone().min_by(by_value));
        points.extend(bucket.max_by(by_value));
        points.sort_unstable();
        points.dedup();
        kept.extend(points);
    }
    kept
}

fn instant(event: &Event, about: &About<'_>) -> Instant {
    let number = |value: Option<f64>| value.map_or("?".to_owned(), |value| format!("{value:.6}"));
    let jumps = event.jumps.iter().map(|(name, jump)| {
        let (before, after) = (number(jump.before), number(jump.after));
        format!("{name} jumps from {before} to {after}")
    });
    let impulses = event
        .impulses
        .keys()
        .map(|name| format!("{name} is impulsive"));
    let parts: Vec<String> = std::iter::once(event.causes.join(", "))
        .filter(|causes| !causes.is_empty())
        .chain(jumps)
        .chain(impulses)
        .collect();
    Instant {
        time: event.time,
        text: parts.join("; "),
        from: holding(&event.from, about),
        to: holding(&event.to, about),
    }
}

/// The conditions that hold, of those that decide equations.
fn holding(valuation: &Valuation, about: &About<'_>) -> Option<Vec<String>> {
    let deciding = valuation.iter().filter(|(name, _)| (about.decides)(name));
    let holding = deciding.filter(|(_, holds)| **holds);
    let names = holding.map(|(name, _)| name.clone()).collect();
    (!valuation.is_empty()).then_some(names)
}

fn named(valuation: &Valuation, about: &About<'_>) -> String {
    let deciding = valuation.iter().filter(|(name, _)| (about.decides)(name));
    mode_name(deciding.map(|(name, holds)| (name.as_str(), *holds)))
}

/// The modes between events, as long as they are the same.
fn stretches(events: &[Event], start: f64, stop: f64, about: &About<'_>) -> Vec<Stretch> {
    let Some(first) = events.iter().find(|event| !event.to.is_empty()) else {
        return Vec::new();
    };
    let mut list = vec![Stretch {
        from: start,
        to: stop,
        name: named(&first.from, about),
    }];
    for event in events.iter().take(MOST_EVENTS) {
        let name = named(&event.to, about);
        let last = list.len() - 1;
        if list[last].name != name {
            list[last].to = event.time;
            list.push(Stretch {
                from: event.time,
                to: stop,
                name,
            });
        }
    }
    list
}

const PAGE: &str = include_str!("page.html");

/// The page.
pub fn html(run: &Run) -> Result<String, serde_json::Error> {
    let program = [
        include_str!("../html/base.js"),
        include_str!("plot.js"),
        "drawRun(byId('main'), data);\n",
    ];
    crate::html::assembled(PAGE, &run.model, run, &program)
}

#[cfg(test)]
mod tests {
    use super::{mode_name, thinned};

    #[test]
    fn thinning_keeps_ends_and_peaks() {
        let mut values = vec![0.0; 100_000];
        values[77_777] = 5.0;
        values[33_333] = -5.0;
        let kept = thinned(&values);
        assert!(kept.len() <= 20_000);
        assert!(kept.contains(&77_777) && kept.contains(&33_333));
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 99_999));
        assert!(kept.is_sorted());
    }

    #[test]
    fn a_mode_is_named_by_the_conditions_that_hold() {
        let named = |pairs: &[(&'static str, bool)]| mode_name(pairs.iter().copied());
        assert_eq!(named(&[("g", false)]), "not g");
        assert_eq!(named(&[("a", true), ("b", false), ("c", true)]), "a, c");
        assert_eq!(named(&[("a", false), ("b", false)]), "none");
    }
}
