//! `delay(x, T)`: the value of an expression some time ago.
//!
//! Each delayed expression has a slot that equations read, and a history of its values at four points of every
//! step. Between them a cubic through the neighbours is taken, but never across an event.

use crate::tape::Program;
use modeshift_mdae::sym::Expr;

/// A delayed expression, as equations ask for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Delayed {
    pub expr: Expr,
    pub time: f64,
    pub slot: u32,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    t: f64,
    value: f64,
    /// How many events were over.
    stretch: usize,
}

/// A delayed expression with its past.
#[derive(Clone, Debug)]
pub struct Line {
    pub program: Program,
    pub time: f64,
    pub slot: u32,
    past: Vec<Point>,
    /// When the value jumped.
    jumps: Vec<f64>,
}

impl Line {
    pub fn new(program: Program, delayed: &Delayed) -> Self {
        Self {
            program,
            time: delayed.time,
            slot: delayed.slot,
            past: Vec::new(),
            jumps: Vec::new(),
        }
    }

    /// The same without the expression it comes from.
    pub fn of_program(program: Program, time: f64, slot: u32) -> Self {
        Self {
            program,
            time,
            slot,
            past: Vec::new(),
            jumps: Vec::new(),
        }
    }

    pub fn is_new(&self) -> bool {
        self.past.is_empty()
    }

    pub fn push(&mut self, t: f64, value: f64, stretch: usize) {
        if let Some(last) = self.past.last()
            && last.stretch != stretch
            && last.value != value
        {
            self.jumps.push(t);
        }
        // A step as short as a rounding has no points of its own between its ends.
        if let Some(last) = self.past.last_mut()
            && last.t == t
            && last.stretch == stretch
        {
            last.value = value;
            return;
        }
        self.past.push(Point { t, value, stretch });
    }

    /// When a jump comes out next, after `t`. O(log jumps).
    pub fn next_jump(&self, t: f64) -> Option<f64> {
        let next = self.jumps.partition_point(|jump| jump + self.time <= t);
        self.jumps.get(next).map(|jump| jump + self.time)
    }

    /// The value that comes out right after `t`: a jump that is a rounding away is over.
    pub fn right_after(&self, t: f64) -> f64 {
        let at = t - self.time;
        let near = 16.0 * f64::EPSILON * t.abs().max(self.time);
        let next = self.jumps.partition_point(|&jump| jump <= at + near);
        match next.checked_sub(1).map(|i| self.jumps[i]) {
            Some(jump) if (jump - at).abs() <= near => {
                let behind = self.past.partition_point(|p| p.t <= jump);
                behind.checked_sub(1).map_or(0.0, |i| self.past[i].value)
            }
            _ => self.at(at),
        }
    }

    /// The value at `t`: the first one before the past, the last one after it. O(log points).
    pub fn at(&self, t: f64) -> f64 {
        let next = self.past.partition_point(|p| p.t <= t);
        let (Some(b), Some(a)) = (self.past.get(next), next.checked_sub(1)) else {
            let end = if next == 0 {
                self.past.first()
            } else {
                self.past.last()
            };
            return end.map_or(0.0, |p| p.value);
        };
        let first = a.saturating_sub(1);
        let all = &self.past[first..(next + 2).min(self.past.len())];
        let near: Vec<&Point> = all.iter().filter(|p| p.stretch == b.stretch).collect();
        if near.len() < 3 || self.past[a].stretch != b.stretch {
            let a = &self.past[a];
            let part = if b.t > a.t {
                (t - a.t) / (b.t - a.t)
            } else {
                1.0
            };
            return a.value + part * (b.value - a.value);
        }
        let weight = |i: usize| {
            let others = near.iter().enumerate().filter(|(j, _)| *j != i);
            others
                .map(|(_, p)| (t - p.t) / (near[i].t - p.t))
                .product::<f64>()
        };
        // Through differences, so that what does not change is met exactly: integer parts are taken of it.
        let base = self.past[a].value;
        let moved = (0..near.len()).map(|i| weight(i) * (near[i].value - base));
        base + moved.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Delayed, Line};
    use crate::tape::Program;
    use modeshift_mdae::sym::Expr;

    #[test]
    fn cubics_are_exact_within_a_stretch_and_events_are_not_smoothed() {
        let delayed = Delayed {
            expr: Expr::zero(),
            time: 1.0,
            slot: 1,
        };
        let mut line = Line::new(Program::default(), &delayed);
        for i in 0..8 {
            let t = f64::from(i) / 4.0;
            line.push(t, t * t * t, 0);
        }
        line.push(2.0, 8.0, 0);
        line.push(2.0, 100.0, 1);
        line.push(3.0, 100.0, 1);
        assert!((line.at(0.9) - 0.729).abs() < 1e-12);
        assert_eq!(line.at(2.5), 100.0);
        assert!(line.at(1.999) < 8.0);
        for i in 9..20 {
            line.push(f64::from(i) / 3.0, 3.0, 2);
        }
        for i in 31..60 {
            assert_eq!(line.at(f64::from(i) / 9.7), 3.0);
        }
        line.push(9.0, 100.0, 3);
        assert_eq!(line.at(-1.0), 0.0);
        assert_eq!(line.at(9.0), 100.0);
    }
}
