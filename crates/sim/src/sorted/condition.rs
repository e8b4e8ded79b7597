//! Relations and integer parts that are held between events, and make one when they change.

use super::lower::{Held, HeldKind, Lowering};
use super::slots::{Key, RIGHT, TIME};
use crate::tape::{Derivatives, Reg, Unary};
use modeshift_mdae::sym::RelOp;

impl Lowering<'_> {
    /// A relation; outside `noEvent` it is a condition of its own if it can change between events.
    pub fn relation(&mut self, op: RelOp, a: Reg, b: Reg) -> Reg {
        let direct = self.graph.compare(op, a, b);
        if self.no_event || matches!(op, RelOp::Equal | RelOp::NotEqual) || !self.moves(direct) {
            return direct;
        }
        self.hold(HeldKind::Relation(op, a, b))
    }

    /// An integer part.
    pub fn round(&mut self, op: Unary, a: Reg) -> Reg {
        if self.no_event || !self.moves(a) {
            return self.graph.unary(op, a);
        }
        self.hold(HeldKind::Round(op, a))
    }

    pub(super) fn hold(&mut self, kind: HeldKind) -> Reg {
        if let Some(&index) = self.held_index.get(&kind) {
            return self.graph.input(self.held[index as usize].slot);
        }
        let index = self.held.len() as u32;
        let slot = self.slots.of(Key::Held(index));
        let (value, time_slope) = match kind {
            HeldKind::Relation(op, a, b) => self.right_limit(op, a, b),
            HeldKind::Round(op, a) => (self.graph.unary(op, a), None),
        };
        let origin = self.origin.clone();
        self.held.push(Held {
            kind,
            value,
            slot,
            time_slope,
            origin,
        });
        self.held_index.insert(kind, index);
        self.graph.input(slot)
    }

    /// A relation that time and held values decide is met exactly: at its instant it is what it is right after.
    pub(super) fn right_limit(&mut self, op: RelOp, a: Reg, b: Reg) -> (Reg, Option<Reg>) {
        let direct = self.graph.compare(op, a, b);
        let read: Vec<u32> = self.graph.slots_of(direct);
        if read
            .iter()
            .any(|&slot| slot != TIME && self.slot_moves(slot))
        {
            return (direct, None);
        }
        let difference = self.graph.sub(a, b);
        let time = self.graph.input(TIME);
        let mut derivatives = Derivatives::default();
        let slope = derivatives.of(
            self.functions,
            &mut self.graph,
            difference,
            &mut |graph, slot| (slot == TIME).then(|| graph.constant(1.0)),
        );
        let Some(slope) = slope else {
            return (direct, None);
        };
        if self.graph.slots_of(slope).contains(&TIME) {
            return (direct, None);
        }
        let zero = self.graph.constant(0.0);
        let rising = self.graph.compare(RelOp::Greater, slope, zero);
        let after = match op {
            RelOp::Greater | RelOp::GreaterEqual => rising,
            _ => self.not(rising),
        };
        let moved = self.graph.unary(Unary::Abs, difference);
        let size = self.graph.unary(Unary::Abs, time);
        let steep = self.graph.unary(Unary::Abs, slope);
        let size = self.graph.mul(size, steep);
        let part = self.graph.constant(16.0 * f64::EPSILON);
        let near = self.graph.mul(size, part);
        let near = self.graph.compare(RelOp::LessEqual, moved, near);
        let right = self.graph.input(RIGHT);
        let near = self.and(right, near);
        (self.graph.select(near, after, direct), Some(slope))
    }
}
