//! Where clocked variables meet continuous time without `sample` or `hold` between them.
//!
//! The two are linked by equations that share variables. On the shortest way from one to the other, the equation with a
//! derivative is continuous for certain: the variable through which the way enters it is what has to be held.

use super::partition::Mark;
use super::{Item, What, Work};
use crate::model::{EquationKind, FlatExp, FlatRef, Place, VarId};
use crate::walk::walk;
use modeshift_base::FxHashMap;
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Callee, Exp};
use std::collections::VecDeque;

const BOTH_WAYS: &str = "`sample` leads from continuous time to a clock, `hold` leads back; in between, equations share one clock.";

impl Work {
    /// Reports that a variable is both. `incidences` are the variables of the items.
    pub(super) fn mixed(&mut self, continuous: &Mark, clocked: &Mark, incidences: &[Vec<VarId>]) {
        let name = |id: VarId| self.model.variables[id].name.clone();
        if let Some((entry, place)) = self.continuous_reader(continuous, clocked, incidences) {
            let entry = name(entry);
            let mut diagnostic = Diagnostic::new(
                Code::MS2072,
                format!("`{entry}` is clocked, but an equation in continuous time reads it"),
            )
            .label(place, "this equation has a derivative")
            .label(clocked.place, clocked.why);
            diagnostic = diagnostic.note(format!(
                "write `hold({entry})` there: it keeps the value between the ticks of the clock"
            ));
            return self.diagnostics.push(diagnostic);
        }
        let message = match continuous.nameless {
            true => {
                "an equation mixes clocked variables with variables in continuous time".to_owned()
            }
            false => format!(
                "`{}` is read in continuous time, but is clocked",
                name(continuous.variable)
            ),
        };
        let mut diagnostic =
            Diagnostic::new(Code::MS2072, message).label(continuous.place, continuous.why);
        if clocked.place != continuous.place {
            let why = match clocked.nameless {
                true => clocked.why.to_owned(),
                false => format!("`{}`: {}", name(clocked.variable), clocked.why),
            };
            diagnostic = diagnostic.label(clocked.place, why);
        }
        self.diagnostics.push(diagnostic.note(BOTH_WAYS));
    }

    /// The only equation with a derivative on the way from the clocked variable to the continuous one, and the variable
    /// through which the way enters it.
    fn continuous_reader(
        &self,
        continuous: &Mark,
        clocked: &Mark,
        incidences: &[Vec<VarId>],
    ) -> Option<(VarId, Place)> {
        let way = way(clocked.variable, continuous.variable, incidences)?;
        let mut entries = way.into_iter().filter_map(|(entry, index)| {
            let item = &self.items[index];
            let named = !self.model.variables[entry].name.starts_with('$');
            (named && has_derivative(item)).then_some((entry, item.origin.span))
        });
        let only = entries.next()?;
        entries.next().is_none().then_some(only)
    }
}

/// The shortest way between two variables: each step leads from a variable through an item. Linear in the incidences.
fn way(from: VarId, to: VarId, incidences: &[Vec<VarId>]) -> Option<Vec<(VarId, usize)>> {
    let mut items_of: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for (index, all) in incidences.iter().enumerate() {
        for &id in all {
            items_of.entry(id).or_default().push(index);
        }
    }
    let mut came: FxHashMap<VarId, (VarId, usize)> = FxHashMap::default();
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        if at == to {
            let mut way = Vec::new();
            let mut at = at;
            while let Some(&(before, item)) = came.get(&at) {
                way.push((before, item));
                at = before;
            }
            way.reverse();
            return Some(way);
        }
        for index in items_of.remove(&at).into_iter().flatten() {
            for &next in &incidences[index] {
                if next != from && !came.contains_key(&next) {
                    came.insert(next, (at, index));
                    waiting.push_back(next);
                }
            }
        }
    }
    None
}

fn has_derivative(item: &Item) -> bool {
    let What::Equation(EquationKind::Equality { lhs, rhs, .. }) = &item.what else {
        return false;
    };
    let of_variable = |exp: &FlatExp| {
        let mut found = false;
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part
                && let (Callee::Builtin(name), [Exp::Ref(FlatRef::Var(_))]) =
                    (&call.function, &call.args[..])
            {
                found |= name.as_str() == "der";
            }
        });
        found
    };
    of_variable(lhs) || of_variable(rhs)
}
