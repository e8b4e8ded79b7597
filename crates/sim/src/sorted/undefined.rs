//! Which operation of a model has no value: a division by zero or a function outside its domain, with the equation that
//! contains it. The equations are evaluated as they are written, at the values where a run stopped; what cannot be
//! evaluated so simply is passed over.

use super::machine::Machine;
use super::slots::Key;
use modeshift_flat::model::{EquationKind, FlatExp, FlatModel, FlatRef, Place, VarId};
use modeshift_flat::undefined;
use modeshift_flat::walk::walk_while;
use modeshift_inst::exp::{BinaryOp, Exp, UnaryOp};

/// How deep parameters are followed to the values of others.
const MAX_DEPTH: u32 = 20;

/// The first such operation: where, and what is wrong with it.
pub(super) fn operation(machine: &Machine<'_>) -> Option<(Place, String)> {
    operation_after(machine, 0.0)
}

/// The first operation that has no value where the present derivatives lead soon.
pub(super) fn operation_ahead(machine: &Machine<'_>) -> Option<(Place, String)> {
    const SOON: [f64; 4] = [1e-6, 1e-4, 1e-2, 1.0];
    SOON.iter()
        .find_map(|&after| operation_after(machine, after))
}

fn operation_after(machine: &Machine<'_>, after: f64) -> Option<(Place, String)> {
    let flat = machine.lowering.flat;
    let at = Point {
        machine,
        flat,
        after,
    };
    for equation in &flat.equations {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind
            && let Some(why) = at.wrong_in(lhs).or_else(|| at.wrong_in(rhs))
        {
            return Some((equation.origin.span, why));
        }
    }
    flat.variables.iter().find_map(|variable| {
        let why = at.wrong_in(variable.binding.as_ref()?)?;
        Some((variable.origin.span, why))
    })
}

struct Point<'p, 'a> {
    machine: &'p Machine<'a>,
    flat: &'p FlatModel,
    /// So much later than now, as far as the derivatives tell.
    after: f64,
}

impl Point<'_, '_> {
    fn wrong_in(&self, exp: &FlatExp) -> Option<String> {
        let mut found = None;
        walk_while(exp, &mut |part| {
            if found.is_none() {
                found = undefined::operation(self.flat, part, &|exp| self.value(exp, 0))
                    .map(|it| it.why);
            }
            // Which branch counts is not known here.
            found.is_none() && !matches!(part, Exp::If(_))
        });
        found
    }

    fn value(&self, exp: &FlatExp, depth: u32) -> Option<f64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let value = |exp: &FlatExp| self.value(exp, depth + 1);
        Some(match exp {
            Exp::Int(value) => *value as f64,
            Exp::Real(value) => *value,
            Exp::Time => self.machine.values[super::slots::TIME as usize],
            Exp::Cast(_, inner) => value(inner)?,
            Exp::Ref(FlatRef::Var(id)) => self.variable(*id, depth)?,
            Exp::Unary(UnaryOp::Neg, inner) => -value(inner)?,
            Exp::Binary(op, sides) => {
                let (a, b) = (value(&sides.0)?, value(&sides.1)?);
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Pow => libm::pow(a, b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn variable(&self, id: VarId, depth: u32) -> Option<f64> {
        let (unknown, negative) = self.machine.lowering.aliases.of(id.index() as u32);
        if let Some(slot) = self.machine.sorted.slots.get(Key::Var(unknown, 0)) {
            let now = *self.machine.values.get(slot as usize)?;
            let speed = self.machine.sorted.slots.get(Key::Var(unknown, 1));
            let speed = speed.and_then(|slot| self.machine.values.get(slot as usize));
            let value = match self.after {
                0.0 => now,
                after => now + after * speed.copied().unwrap_or(0.0),
            };
            return Some(if negative { -value } else { value });
        }
        self.value(self.flat.variables[id].binding.as_ref()?, depth + 1)
    }
}
