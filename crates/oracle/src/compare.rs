//! A trajectory against the interpreter, instant by instant.

use crate::interpret::{Segment, Trace};
use crate::value::Value;
use modeshift_sim::result::Trajectory;

/// Rows this near to an instant belong to it.
const CLUSTER: f64 = 1e-7;
/// What numbers may differ by, relative to their size.
const TOLERANCE: f64 = 2e-5;

/// Rows over time by name.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn of(trajectory: &Trajectory) -> Self {
        let columns = trajectory.columns.iter();
        Self {
            names: columns.map(|column| column.name.clone()).collect(),
            rows: (0..trajectory.n_rows())
                .map(|i| trajectory.row(i).to_vec())
                .collect(),
        }
    }
}

/// The first difference, in words.
pub fn difference(trace: &Trace, table: &Table) -> Option<String> {
    let column = |name: &str| table.names.iter().position(|n| n == name);
    let Some(clock) = column("time") else {
        return Some("there is no time".to_owned());
    };
    let mut signals: Vec<(usize, usize)> = Vec::new();
    for (i, name) in trace
        .names
        .iter()
        .enumerate()
        .filter(|(i, _)| trace.varies[*i])
    {
        let text = |segment: &Segment| matches!(segment.values[i], Some(Value::Text(_)));
        if trace.segments.first().is_some_and(text) {
            continue;
        }
        match column(name) {
            Some(column) => signals.push((i, column)),
            None => return Some(format!("there is no signal {name:?}")),
        }
    }
    let time_of = |row: &Vec<f64>| row.get(clock).copied().unwrap_or(f64::NAN);
    let about = |what: &str, segment: &Segment, row: &Vec<f64>| -> Option<String> {
        let t = time_of(row) - segment.start;
        signals.iter().find_map(|&(i, column)| {
            let value = segment.values[i].as_ref()?;
            let (expected, found) = (value.written(t), row.get(column).copied()?);
            let fits = match value {
                Value::Real(_) => (expected - found).abs() <= TOLERANCE * (1.0 + expected.abs()),
                _ => expected == found,
            };
            (!fits).then(|| {
                let name = &trace.names[i];
                format!(
                    "at time {} ({what}): {name} is {found} instead of {expected}",
                    time_of(row)
                )
            })
        })
    };
    for (index, segment) in trace.segments.iter().enumerate() {
        let next = trace.segments.get(index + 1);
        let end = next.map_or(trace.end, |next| next.start);
        if next.is_some_and(|next| next.start - segment.start < CLUSTER) {
            // Another event follows at once.
            continue;
        }
        let near = |row: &&Vec<f64>, t: f64| (time_of(row) - t).abs() <= CLUSTER;
        let last = table.rows.iter().rfind(|row| near(row, segment.start));
        if let Some(row) = last
            && !segment.echo
            && let Some(what) = about("after the event", segment, row)
        {
            return Some(what);
        }
        if last.is_none() && index > 0 && !segment.echo {
            let before = &trace.segments[index - 1];
            let same = |i: &(usize, usize)| {
                let after = |s: &Segment| {
                    s.values[i.0]
                        .as_ref()
                        .map(|v| v.written(segment.start - s.start))
                };
                match (after(before), after(segment)) {
                    (Some(a), Some(b)) => (a - b).abs() < TOLERANCE,
                    _ => true,
                }
            };
            if !signals.iter().all(same) {
                return Some(format!("there is no event at time {}", segment.start));
            }
        }
        let inside = |row: &&Vec<f64>| {
            time_of(row) > segment.start + CLUSTER && time_of(row) < end - CLUSTER
        };
        for row in table.rows.iter().filter(inside) {
            if let Some(what) = about("between events", segment, row) {
                return Some(what);
            }
        }
        if next.is_some_and(|next| !next.echo)
            && let Some(row) = table.rows.iter().find(|row| near(row, end))
            && let Some(what) = about("before the event", segment, row)
        {
            return Some(what);
        }
    }
    let last = table.rows.last().map_or(f64::NEG_INFINITY, time_of);
    (last < trace.end - CLUSTER).then(|| format!("it ends at time {last}, not at {}", trace.end))
}
