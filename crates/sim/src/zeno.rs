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
pub struct Watch {
    times: VecDeque<f64>,
    guards: VecDeque<Vec<ModeId>>,
    /// When something changed last.
    last: Option<f64>,
    horizon: f64,
    at_once: usize,
    total: usize,
}

impl Watch {
    pub fn new(horizon: f64) -> Self {
        Self {
            times: VecDeque::new(),
            guards: VecDeque::new(),
            last: None,
            horizon: horizon.abs().max(f64::MIN_POSITIVE),
            at_once: 0,
            total: 0,
        }
    }

    /// Takes note of an event; says when it is one too many.
    pub fn add(&mut self, time: f64, records: &[EventRecord]) -> Option<FailureKind> {
        if !records.iter().any(|r| r.fired > 0 || r.from != r.to) {
            return None;
        }
        let fired = records.iter().any(|r| r.fired > 0 || r.transient.is_some());
        let close = self
            .last
            .is_some_and(|last| time - last < 1e-9 * self.horizon);
        self.last = Some(time);
        self.at_once = if close { self.at_once + 1 } else { 0 };
        let causes = records
            .iter()
            .flat_map(|r| r.causes.iter().copied())
            .collect();
        if self.at_once >= MAX_AT_ONCE {
            self.guards.push_back(causes);
            return Some(FailureKind::Chattering {
                guards: self.recent_guards(),
                events: self.at_once,
            });
        }
        // Falling edges between two bounces are not bounces.
        if !fired && records.iter().all(|r| r.jumps.is_empty()) && !close {
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
    fn accumulation(&self) -> Option<FailureKind> {
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
        (shrinking && rest < 1e-3 * self.horizon.min(1.0)).then(|| FailureKind::Zeno {
            at: self.times.back().copied().unwrap_or(0.0) + rest,
            guards: self.recent_guards(),
            events: self.total,
        })
    }

    fn recent_guards(&self) -> Vec<ModeId> {
        let mut guards: Vec<ModeId> = self.guards.iter().flatten().copied().collect();
        guards.sort_unstable();
        guards.dedup();
        guards
    }
}
