//! `delay(x, T)`: the value of an expression some time ago.
//!
//! Each delayed expression has a slot that equations read, and a history of its values at four points of every
//! step. Between them a cubic through the neighbours is taken, but never across an event. What changes at events only has
//! a history of events, and asks for no steps.
//!
//! Where the time `T` itself changes, so that it may depend on anything in the model, value and time are found together by
//! iteration. The integrator may then step farther than `T`: between the last point of the history and now the value
//! changes linearly, and steps are at most as long as [`Line::longest_step`] says.

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
pub struct Point {
    pub t: f64,
    pub value: f64,
    /// How many events were over.
    pub stretch: usize,
}

/// When a value jumped, and what it was just before.
type Jump = (f64, f64);

/// A delayed expression with its past.
#[derive(Clone, Debug)]
pub struct Line {
    pub program: Program,
    /// The delay; where it changes, what it was last.
    pub time: f64,
    pub slot: u32,
    pub varying: Option<Varying>,
    /// The value changes at events only.
    pub held: bool,
    past: Vec<Point>,
    jumps: Vec<Jump>,
    /// The last of these that has come out, and the next one that will: see [`Line::aim`].
    aimed: (Option<Jump>, Option<Jump>),
}

/// A delay that changes.
#[derive(Clone, Debug)]
pub struct Varying {
    pub program: Program,
    pub most: f64,
}

impl Line {
    pub fn new(program: Program, delayed: &Delayed) -> Self {
        Self {
            program,
            time: delayed.time,
            slot: delayed.slot,
            varying: None,
            held: false,
            past: Vec::new(),
            jumps: Vec::new(),
            aimed: (None, None),
        }
    }

    /// The same without the expression it comes from.
    pub fn of_program(program: Program, time: f64, slot: u32) -> Self {
        Self {
            program,
            time,
            slot,
            varying: None,
            held: false,
            past: Vec::new(),
            jumps: Vec::new(),
            aimed: (None, None),
        }
    }

    /// Steps beyond this reach into what is not known yet.
    pub fn longest_step(&self) -> f64 {
        match &self.varying {
            _ if self.held => f64::INFINITY,
            None => self.time,
            Some(varying) => self.time.max(0.01 * varying.most),
        }
    }

    /// The value that comes out at `t` after a delay of `time`, given the value that goes in at `t`.
    pub fn out(&self, t: f64, time: f64, now: f64) -> f64 {
        let at = t - time;
        match self.past.last() {
            Some(last) if at > last.t && t > last.t && !self.held => {
                last.value + (at - last.t) / (t - last.t) * (now - last.value)
            }
            _ => self.at(at),
        }
    }

    /// Whether time has not gone on since the past began.
    pub fn is_at_start(&self, t: f64) -> bool {
        self.past.iter().all(|point| point.t >= t)
    }

    /// The past begins once more, with another value.
    pub fn begin_again(&mut self, t: f64, value: f64) {
        self.past.clear();
        self.jumps.clear();
        self.push(t, value, 0);
    }

    pub fn is_new(&self) -> bool {
        self.past.is_empty()
    }

    pub fn push(&mut self, t: f64, value: f64, stretch: usize) {
        if let Some(last) = self.past.last()
            && last.stretch != stretch
            && last.value != value
        {
            let left = last.value;
            self.jumps.push((t, left));
        }
        if self.held && self.past.last().is_some_and(|last| last.value == value) {
            return;
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
        // Where the delay changes the instant is not known beforehand: the integrator finds the jump.
        if self.varying.is_some() {
            return None;
        }
        let next = self.jumps.partition_point(|it| it.0 + self.time <= t);
        self.jumps.get(next).map(|it| it.0 + self.time)
    }

    /// Whatever is asked for from now on lies between two jumps: one that came out at `t` is over, and the next one is not
    /// there yet. A method that steps from one to the other must not see either, nor by a rounding of `t - T`.
    pub fn aim(&mut self, t: f64) {
        self.aimed = (None, None);
        if self.varying.is_none() {
            let near = 16.0 * f64::EPSILON * t.abs().max(self.time);
            let next = self
                .jumps
                .partition_point(|it| it.0 + self.time <= t + near);
            let last = next.checked_sub(1).map(|i| self.jumps[i]);
            self.aimed = (last, self.jumps.get(next).copied());
        }
    }

    /// The value that comes out at `t`, on this side of the jumps that were [aimed](Line::aim) at.
    pub fn coming_out(&self, t: f64) -> f64 {
        let at = t - self.time;
        match self.aimed {
            (_, Some((jump, left))) if at >= jump => left,
            (Some((jump, _)), _) if at < jump => self.at(jump),
            _ => self.at(at),
        }
    }

    /// The value that comes out right after `t`: a jump that is a rounding away is over.
    pub fn right_after(&self, t: f64) -> f64 {
        let at = t - self.time;
        let near = 16.0 * f64::EPSILON * t.abs().max(self.time);
        let next = self.jumps.partition_point(|it| it.0 <= at + near);
        match next.checked_sub(1).map(|i| self.jumps[i]) {
            Some((jump, _)) if (jump - at).abs() <= near => {
                let behind = self.past.partition_point(|p| p.t <= jump);
                behind.checked_sub(1).map_or(0.0, |i| self.past[i].value)
            }
            _ => self.at(at),
        }
    }

    /// The value at `t`: the first one before the past, the last one after it. O(log points).
    pub fn at(&self, t: f64) -> f64 {
        if self.held {
            let next = self.past.partition_point(|p| p.t <= t);
            let last = self.past.get(next.saturating_sub(1));
            return last.map_or(0.0, |p| p.value);
        }
        interpolate(&self.past, t)
    }
}

/// The value at `t` of a curve through points that rise in `t`: a cubic through the neighbours, but never across an event;
/// the first or last value beyond the ends. O(log points).
pub fn interpolate(points: &[Point], t: f64) -> f64 {
    let next = points.partition_point(|p| p.t <= t);
    let (Some(b), Some(a)) = (points.get(next), next.checked_sub(1)) else {
        let end = if next == 0 {
            points.first()
        } else {
            points.last()
        };
        return end.map_or(0.0, |p| p.value);
    };
    let first = a.saturating_sub(1);
    let all = &points[first..(next + 2).min(points.len())];
    let near: Vec<&Point> = all.iter().filter(|p| p.stretch == b.stretch).collect();
    let a = &points[a];
    if near.len() < 3 || a.stretch != b.stretch {
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
    let base = a.value;
    let moved = (0..near.len()).map(|i| weight(i) * (near[i].value - base));
    base + moved.sum::<f64>()
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

    #[test]
    fn what_is_held_has_the_value_of_the_last_event() {
        let mut line = Line::of_program(Program::default(), 0.1, 1);
        line.held = true;
        line.push(0.0, 1.0, 0);
        line.push(2.0, 3.0, 1);
        line.push(3.0, 3.0, 2);
        line.push(4.0, 2.0, 3);
        let out = [0.0, 1.99, 2.0, 3.5, 3.99, 4.0, 7.0].map(|t| line.at(t));
        assert_eq!(out, [1.0, 1.0, 3.0, 3.0, 3.0, 2.0, 2.0]);
        assert_eq!(line.longest_step(), f64::INFINITY);
        assert_eq!(line.next_jump(2.0), Some(2.1));
    }
}
