//! Which equations relate two variables at one instant: what to look at where two start values contradict each other.

use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::balance::is_unknown;
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, Place, VarId};
use modeshift_flat::walk::{equation_exps, walk_while};
use modeshift_inst::exp::{Callee, Exp};
use std::collections::VecDeque;

/// More equations than this explain nothing.
const MAX_EQUATIONS: usize = 4;

/// A variable, or its derivative, which is another unknown.
type Unknown = (VarId, bool);

/// The shortest chain of equations from one variable to another, in the order of the text. Empty if there is none, or
/// only long ones. O(size of the model).
pub(super) fn tied_by(flat: &FlatModel, from: u32, to: u32) -> Vec<Place> {
    let mut relations: Vec<(Place, Vec<Unknown>)> = Vec::new();
    for equation in &flat.equations {
        let mut found = Vec::new();
        equation_exps(equation, &mut |exp| unknowns(flat, exp, &mut found));
        relations.push((equation.origin.span, found));
    }
    for id in flat.variables.ids() {
        let variable = &flat.variables[id];
        if let Some(binding) = &variable.binding
            && is_unknown(variable)
        {
            let mut found = vec![(id, false)];
            unknowns(flat, binding, &mut found);
            relations.push((variable.origin.span, found));
        }
    }
    let mut of: FxHashMap<Unknown, Vec<usize>> = FxHashMap::default();
    for (index, (_, unknowns)) in relations.iter().enumerate() {
        for unknown in unknowns {
            of.entry(*unknown).or_default().push(index);
        }
    }
    let (start, goal) = (
        (VarId::new(from as usize), false),
        (VarId::new(to as usize), false),
    );
    let mut came: FxHashMap<Unknown, (Unknown, usize)> = FxHashMap::default();
    let mut used: FxHashSet<usize> = FxHashSet::default();
    let mut waiting = VecDeque::from([start]);
    while let Some(at) = waiting.pop_front() {
        if at == goal {
            break;
        }
        for &index in of.get(&at).into_iter().flatten() {
            if !used.insert(index) {
                continue;
            }
            for &next in &relations[index].1 {
                if next != start && !came.contains_key(&next) {
                    came.insert(next, (at, index));
                    waiting.push_back(next);
                }
            }
        }
    }
    let mut places = Vec::new();
    let mut at = goal;
    while at != start {
        let Some(&(before, index)) = came.get(&at) else {
            return Vec::new();
        };
        places.push(relations[index].0);
        at = before;
    }
    if places.len() > MAX_EQUATIONS {
        places.clear();
    }
    places.sort_by_key(|place| place.span.start);
    places
}

fn unknowns(flat: &FlatModel, exp: &FlatExp, found: &mut Vec<Unknown>) {
    walk_while(exp, &mut |part| {
        let (part, derivative) = match part {
            Exp::Call(call) if matches!(&call.function, Callee::Builtin(name) if *name == "der") => {
                match call.args.first() {
                    Some(inner) => (inner, true),
                    None => return false,
                }
            }
            // The value before the instant is given.
            Exp::Call(call) if matches!(&call.function, Callee::Builtin(name) if *name == "pre") => {
                return false;
            }
            part => (part, false),
        };
        if let Exp::Ref(FlatRef::Var(id)) = part
            && is_unknown(&flat.variables[*id])
            && !found.contains(&(*id, derivative))
        {
            found.push((*id, derivative));
        }
        !derivative
    });
}
