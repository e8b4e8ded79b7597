//! Delayed values: those whose delay changes, and those that change at events only.

use super::lower::Class;
use super::machine::Machine;
use super::slots::{Key, TIME};
use modeshift_mdae::sym::{VarId, VarRef};

/// Passes in which delayed values are found to move.
const MAX_ROUNDS: usize = 20;

impl Machine<'_> {
    /// Brings values with a delay that changes to what their delay is now; whether one was not there yet.
    pub(super) fn varying_delays(&mut self) -> bool {
        let mut moved = self.pipe_ends();
        let t = self.values[TIME as usize];
        for line in &mut self.lines {
            let Some(varying) = &line.varying else {
                continue;
            };
            let work = &mut self.scratch.work;
            varying.program.run(&self.values, work);
            // Beyond its range it is an error at the end of a step, and a matter of trying within.
            let time = varying.program.output(work, 0).clamp(0.0, varying.most);
            if time.is_nan() {
                continue;
            }
            line.program.run(&self.values, work);
            let out = line.out(t, time, line.program.output(work, 0));
            let known = &mut self.values[line.slot as usize];
            line.time = time;
            moved |= (*known - out).abs() > 8.0 * f64::EPSILON * known.abs().max(out.abs());
            *known = out;
        }
        moved
    }

    /// At the start a delayed value is the value itself, also after what happens at that instant; whether one was not there yet.
    /// It may depend on itself, so it is followed `rounds` times at most.
    pub(super) fn delays_at_start(&mut self, rounds: usize) -> bool {
        if self.lines.is_empty() || rounds >= MAX_ROUNDS {
            return false;
        }
        let t = self.values[TIME as usize];
        let mut moved = false;
        for line in self.lines.iter_mut().filter(|line| line.is_at_start(t)) {
            line.program.run(&self.values, &mut self.scratch.work);
            let value = line.program.output(&self.scratch.work, 0);
            let known = &mut self.values[line.slot as usize];
            if value != *known && value.is_finite() {
                moved |= (*known - value).abs() > 8.0 * f64::EPSILON * known.abs().max(value.abs());
                *known = value;
                line.begin_again(t, value);
            }
        }
        moved
    }

    /// Finds the delayed values that change at events only: what goes in depends on nothing that moves between events, delayed
    /// values that do included. At most [`MAX_ROUNDS`] passes over the code.
    pub(super) fn find_held_lines(&mut self) {
        let plan = &self.choice.plan;
        let mut moving = vec![false; self.values.len()];
        moving[TIME as usize] = true;
        for &slot in &plan.state_slots {
            moving[slot as usize] = true;
        }
        for (slot, key) in self.sorted.slots.iter() {
            if let Key::Var(v, 0) = key
                && self.lowering.class_of(v) == Class::Input
            {
                moving[slot as usize] = self.lowering.slot_moves(slot);
            }
        }
        for pipe in &self.pipes {
            pipe.slots().for_each(|slot| moving[slot as usize] = true);
        }
        for line in &mut self.lines {
            line.held = line.varying.is_none();
            moving[line.slot as usize] = !line.held;
        }
        for _ in 0..MAX_ROUNDS {
            for task in &plan.tasks {
                task.spread(&mut moving);
            }
            let mut more = false;
            for line in self.lines.iter_mut().filter(|line| line.held) {
                if line.program.reached(&|slot| moving[slot as usize], &[])[0] {
                    line.held = false;
                    moving[line.slot as usize] = true;
                    more = true;
                }
            }
            if !more {
                return;
            }
        }
        self.lines.iter_mut().for_each(|line| line.held = false);
    }

    /// What goes into delays that change, for a message.
    pub(super) fn delayed_by_themselves(&self) -> Vec<VarRef> {
        let lines = self.lines.iter().filter(|line| line.varying.is_some());
        let slots = lines.flat_map(|line| line.program.inputs());
        let named = slots.filter_map(|&slot| match self.sorted.slots.key(slot) {
            Some(Key::Var(v, order)) => Some(VarRef {
                order,
                ..VarRef::now(VarId(v), 0)
            }),
            _ => None,
        });
        named.collect()
    }
}
