//! Events without end: accumulation points (Zeno) and chattering.

use crate::failure::FailureKind;
use crate::result::EventRecord;
use modeshift_mdae::model::ModeId;
use std::collections::VecDeque;

/// How many events are looked at.
const WINDOW: usize = 12;
/// Events in a row without time between them.
const MAX_AT_ONCE: usize = 200;

/// Remembers the last events that changed something.
pub struct Watch<G = ModeId> {
    times: VecDeque<f64>,
    guards: VecDeque<Vec<G>>,
    /// When something changed last.
    last: Option<f64>,
    horizon: f64,
    at_once: usize,
    total: usize,
    /// Events that are no bounces count only for chattering.
    only_bounces: bool,
}

/// Why events do not end, with those who cause them.
#[derive(Clone, PartialEq, Debug)]
pub enum Endless<G> {
    Zeno {
        at: f64,
        guards: Vec<G>,
        events: usize,
    },
    Chattering {
        guards: Vec<G>,
        events: usize,
    },
}

impl Watch {
    /// Takes note of an event; says when it is one too many.
    pub fn add(&mut self, time: f64, records: &[EventRecord]) -> Option<FailureKind> {
        if !records.iter().any(|r| r.fired > 0 || r.from != r.to) {
            return None;
        }
        let fired = records.iter().any(|r| r.fired > 0 || r.transient.is_some());
        let bounce = fired || records.iter().any(|r| !r.jumps.is_empty());
        let causes = records.iter().flat_map(|r| r.causes.iter().copied());
        let found = self.note(time, bounce, causes.collect())?;
        Some(match found {
            Endless::Zeno { at, guards, events } => FailureKind::Zeno { at, guards, events },
            Endless::Chattering { guards, events } => FailureKind::Chattering { guards, events },
        })
    }
}

impl<G: Ord + Copy> Watch<G> {
    pub fn new(horizon: f64) -> Self {
        Self {
            times: VecDeque::new(),
            guards: VecDeque::new(),
            last: None,
            horizon: horizon.abs().max(f64::MIN_POSITIVE),
            at_once: 0,
            total: 0,
            only_bounces: false,
        }
    }

    /// Looks for accumulation among bounces alone.
    pub fn of_bounces(horizon: f64) -> Self {
        Self {
            only_bounces: true,
            ..Self::new(horizon)
        }
    }

    /// Takes note of an event that changed something: whether it is one like a bounce, and who causes it.
    pub fn note(&mut self, time: f64, bounce: bool, causes: Vec<G>) -> Option<Endless<G>> {
        let close = self
            .last
            .is_some_and(|last| time - last < 1e-9 * self.horizon);
        self.last = Some(time);
        self.at_once = if close { self.at_once + 1 } else { 0 };
        if self.at_once >= MAX_AT_ONCE {
            self.guards.push_back(causes);
            return Some(Endless::Chattering {
                guards: self.recent_guards(),
                events: self.at_once,
            });
        }
        // Falling edges between two bounces are not bounces.
        if !bounce && (!close || self.only_bounces) {
            return None;
        }
        self.total += 1;
        self.times.push_back(time);
        self.guards.push_back(causes);
        if self.times.len() > WINDOW {
            self.times.pop_front();
            self.guards.pop_front();
        }
        self.accumulation()
    }

    /// The limit of event times whose distances shrink like a geometric sequence, once it is near.
    fn accumulation(&self) -> Option<Endless<G>> {
        if self.times.len() < WINDOW {
            return None;
        }
        let gaps: Vec<f64> = self
            .times
            .iter()
            .zip(self.times.iter().skip(1))
            .map(|(a, b)| b - a)
            .collect();
        let ratios: Vec<f64> = gaps.windows(2).map(|pair| pair[1] / pair[0]).collect();
        let (least, most) = ratios
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(l, m), &r| (l.min(r), m.max(r)));
        let shrinking = most < 0.98 && least > 0.01 && most - least < 0.1;
        let last = *gaps.last()?;
        let rest = last * most / (1.0 - most);
        (shrinking && rest < 1e-3 * self.horizon.min(1.0)).then(|| Endless::Zeno {
            at: self.times.back().copied().unwrap_or(0.0) + rest,
            guards: self.recent_guards(),
            events: self.total,
        })
    }

    fn recent_guards(&self) -> Vec<G> {
        let mut guards: Vec<G> = self.guards.iter().flatten().copied().collect();
        guards.sort_unstable();
        guards.dedup();
        guards
    }
}
