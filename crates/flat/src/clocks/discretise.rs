//! Differential equations on a clock: `der(x)` becomes a variable, and the solver method of the clock says how `x` follows
//! from it (Modelica 3.6 §16.8).

use super::build::{if_, is_call, minus, over, plus, pre, times, var};
use super::partition::Partitions;
use super::ticks::Ticking;
use super::{Piece, What, Work, change_what, what_exps};
use crate::model::{Equation, EquationKind, FlatExp, FlatRef, Origin, VarId};
use crate::walk::{equation_exps, rewrite, walk};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;
use std::sync::Arc;

type Items = Vec<Piece>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    ExplicitEuler,
    ExplicitMidPoint2,
    ExplicitRungeKutta4,
    ImplicitEuler,
    ImplicitTrapezoid,
}

impl Method {
    fn new(name: &str) -> Option<Self> {
        Some(match name {
            "ExplicitEuler" => Self::ExplicitEuler,
            "ExplicitMidPoint2" => Self::ExplicitMidPoint2,
            // What the simulation environment takes: the most accurate of the methods with one step per tick.
            "ExplicitRungeKutta4" | "External" => Self::ExplicitRungeKutta4,
            "ImplicitEuler" => Self::ImplicitEuler,
            "ImplicitTrapezoid" => Self::ImplicitTrapezoid,
            _ => return None,
        })
    }
}

/// A state of a discretised partition.
struct State {
    id: VarId,
    derivative: VarId,
    origin: Arc<Origin>,
    guard: Option<VarId>,
}

impl Work {
    /// Replaces derivatives in the items of a class. `initial` are its initial equations.
    pub(super) fn discretise(
        &mut self,
        class: usize,
        partitions: &Partitions,
        ticking: &Ticking,
        items: &mut Items,
        initial: &[Equation],
    ) -> Option<()> {
        let mut found: FxIndexMap<VarId, (Arc<Origin>, Option<VarId>)> = FxIndexMap::default();
        let mut other: Option<Arc<Origin>> = None;
        for Piece {
            what,
            origin,
            guard,
        } in items.iter()
        {
            let guard = *guard;
            what_exps(what, origin, &mut |exp| {
                walk(exp, &mut |part| {
                    let Exp::Call(call) = part else { return };
                    if !is_call(part, "der") {
                        return;
                    }
                    match &call.args[..] {
                        [Exp::Ref(FlatRef::Var(id))] => {
                            found.entry(*id).or_insert_with(|| (origin.clone(), guard));
                        }
                        _ => other = Some(origin.clone()),
                    }
                });
            });
        }
        if let Some(origin) = other {
            let message = "the derivative of an expression is not supported on a clock yet";
            self.error(Code::MS2037, message, &origin, "here");
            return None;
        }
        if found.is_empty() {
            return Some(());
        }
        let method = self.method(class, partitions, &found.values().next()?.0.clone())?;
        let states: Vec<State> = found
            .into_iter()
            .map(|(id, (origin, guard))| {
                let derivative = self.held("der", Type::Real, Exp::Real(0.0), &origin);
                let name = format!("der({})", self.model.variables[id].name);
                let variable = &mut self.model.variables[derivative];
                variable.stem = name.len() as u32;
                variable.name = name.into();
                variable.protected = false;
                self.new_unknowns.push(derivative);
                State {
                    id,
                    derivative,
                    origin,
                    guard,
                }
            })
            .collect();
        let derivative_of: FxHashMap<VarId, VarId> =
            states.iter().map(|it| (it.id, it.derivative)).collect();
        let no_der = |exp: FlatExp| {
            rewrite(exp, &mut |part| match &part {
                Exp::Call(call) if is_call(&part, "der") => match &call.args[..] {
                    [Exp::Ref(FlatRef::Var(id))] => {
                        derivative_of.get(id).map_or(part, |it| var(*it))
                    }
                    _ => part,
                },
                _ => part,
            })
        };
        for Piece { what, origin, .. } in items.iter_mut() {
            change_what(what, origin, &mut |exp| {
                *exp = no_der(std::mem::replace(exp, Exp::Error));
            });
        }
        let initial: Vec<(FlatExp, FlatExp, Arc<Origin>)> = initial
            .iter()
            .filter_map(|equation| match &equation.kind {
                EquationKind::Equality {
                    lhs,
                    rhs,
                    ty: Type::Real,
                } => Some((
                    no_der(lhs.clone()),
                    no_der(rhs.clone()),
                    equation.origin.clone(),
                )),
                _ => None,
            })
            .collect();
        let own: FxHashSet<VarId> = partitions.classes[class]
            .variables
            .iter()
            .copied()
            .collect();
        let h = ticking.interval.clone();
        let mut stages: Vec<FxHashMap<VarId, VarId>> = Vec::new();
        if matches!(
            method,
            Method::ExplicitMidPoint2 | Method::ExplicitRungeKutta4
        ) {
            let inputs = self.capture_inputs(items, &own);
            let template = items.clone();
            let count = if method == Method::ExplicitRungeKutta4 {
                3
            } else {
                1
            };
            for stage in 0..count {
                let last: FxHashMap<VarId, FlatExp> = states
                    .iter()
                    .map(|it| {
                        let slope = match stages.last() {
                            Some(map) => var(map[&it.derivative]),
                            None => pre(var(it.derivative), Type::Real),
                        };
                        (it.id, slope)
                    })
                    .collect();
                let whole = stage == 2;
                let map = self.stage(&template, &states, &own, &inputs, &last, &h, whole, items);
                stages.push(map);
            }
        }
        let mut left: Vec<Option<(FlatExp, FlatExp, Arc<Origin>)>> =
            initial.into_iter().map(Some).collect();
        for state in &states {
            let x = var(state.id);
            let before = || pre(var(state.id), Type::Real);
            let slope = |stage: usize| var(stages[stage][&state.derivative]);
            let d = var(state.derivative);
            let d_before = || pre(var(state.derivative), Type::Real);
            let mean = match method {
                Method::ExplicitEuler => d_before(),
                Method::ImplicitEuler => d,
                Method::ImplicitTrapezoid => times(Exp::Real(0.5), plus(d_before(), d)),
                Method::ExplicitMidPoint2 => slope(0),
                Method::ExplicitRungeKutta4 => {
                    let inner = times(Exp::Real(2.0), plus(slope(0), slope(1)));
                    let sum = plus(plus(d_before(), inner), slope(2));
                    over(sum, Exp::Real(6.0))
                }
            };
            let step = plus(before(), times(h.clone(), mean));
            let first = pre(var(ticking.first), Type::Boolean);
            // The initial equation that speaks of this state, if there is one.
            let speaks = |exp: &FlatExp| {
                let mut found = false;
                walk(exp, &mut |part| {
                    found |= matches!(part, Exp::Ref(FlatRef::Var(id)) if *id == state.id || *id == state.derivative);
                });
                found
            };
            // A start value that is fixed needs no equation; one that is not gives way to any.
            let fixed = self.is_fixed(state.id);
            let place = left
                .iter()
                .position(|it| it.as_ref().is_some_and(|(l, r, _)| speaks(l) || speaks(r)))
                .or_else(|| left.iter().position(|it| it.is_some() && !fixed));
            let start = place.and_then(|place| left[place].take());
            let explicit = |lhs: &FlatExp, rhs: &FlatExp| match (lhs == &x, rhs == &x) {
                (true, false) if !speaks(rhs) => Some(rhs.clone()),
                (false, true) if !speaks(lhs) => Some(lhs.clone()),
                _ => None,
            };
            let (lhs, rhs) = match start {
                None => (x, if_(first, before(), step, Type::Real)),
                Some((l, r, _)) => match explicit(&l, &r) {
                    Some(value) => (x, if_(first, value, step, Type::Real)),
                    None => (
                        Exp::Real(0.0),
                        if_(first, minus(l, r), minus(x, step), Type::Real),
                    ),
                },
            };
            let kind = EquationKind::Equality {
                lhs,
                rhs,
                ty: Type::Real,
            };
            items.push(Piece {
                what: What::Equation(kind),
                origin: state.origin.clone(),
                guard: state.guard,
            });
        }
        Some(())
    }

    /// The solver method of a class: its own, or that of classes it is connected with.
    fn method(
        &mut self,
        class: usize,
        partitions: &Partitions,
        origin: &Arc<Origin>,
    ) -> Option<Method> {
        let mut seen = FxHashSet::from_iter([class]);
        let mut waiting = vec![class];
        let mut given: FxIndexMap<Arc<str>, crate::model::Place> = FxIndexMap::default();
        while let Some(class) = waiting.pop() {
            let own = &partitions.classes[class].methods;
            given.extend(own.iter().cloned());
            if !own.is_empty() {
                continue;
            }
            for &link in &partitions.links_of[class] {
                let link = &partitions.links[link];
                for next in [link.from, link.to] {
                    if seen.insert(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        if given.len() > 1 {
            let mut diagnostic = Diagnostic::new(
                Code::MS2070,
                "differential equations on a clock have two solver methods",
            )
            .label(origin.span, "a derivative on a clock");
            for (name, place) in &given {
                diagnostic = diagnostic.label(*place, format!("\"{name}\""));
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        let Some((name, place)) = given.into_iter().next() else {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::MS2075,
                    "a derivative is on a clock that has no solver method",
                )
                .label(origin.span, "this equation is on a clock")
                .note("`Clock(c, solverMethod = \"ImplicitEuler\")` says how it is integrated; in continuous time, `hold` is missing."),
            );
            return None;
        };
        let method = Method::new(&name);
        if method.is_none() {
            let message = format!("the solver method \"{name}\" is not known");
            self.diagnostics
                .push(Diagnostic::new(Code::MS2073, message).label(place, "given here"));
        }
        method
    }

    /// Makes variables of what comes from outside, so that its last value is known.
    fn capture_inputs(&mut self, items: &mut Items, own: &FxHashSet<VarId>) -> FxHashSet<VarId> {
        let mut captured: FxIndexMap<VarId, VarId> = FxIndexMap::default();
        let mut new = Vec::new();
        for Piece { what, origin, .. } in items.iter_mut() {
            let mut seen: Vec<(VarId, Type)> = Vec::new();
            let place = origin.clone();
            change_what(what, &place, &mut |exp| {
                let taken = std::mem::replace(exp, Exp::Error);
                *exp = rewrite(taken, &mut |part| {
                    let Exp::Call(call) = &part else { return part };
                    match &call.args[..] {
                        [Exp::Ref(FlatRef::Var(id))]
                            if is_call(&part, "pre")
                                && !own.contains(id)
                                && !self.model.variables[*id].discrete =>
                        {
                            let of = *captured.entry(*id).or_insert_with(|| {
                                let ty = self.model.variables[*id].ty.clone();
                                let held = self.held("input", ty.clone(), default(&ty), &place);
                                seen.push((*id, ty));
                                held
                            });
                            var(of)
                        }
                        _ => part,
                    }
                });
            });
            for (id, ty) in seen {
                let held = captured[&id];
                self.new_unknowns.push(held);
                let kind = EquationKind::Equality {
                    lhs: var(held),
                    rhs: pre(var(id), ty.clone()),
                    ty,
                };
                new.push(Piece {
                    what: What::Equation(kind),
                    origin: place.clone(),
                    guard: None,
                });
            }
        }
        items.extend(new);
        captured.into_values().collect()
    }

    /// The equations once more, between two ticks. `slopes` leads to the states there.
    #[expect(
        clippy::too_many_arguments,
        reason = "one use, all of it the same setting"
    )]
    fn stage(
        &mut self,
        template: &Items,
        states: &[State],
        own: &FxHashSet<VarId>,
        inputs: &FxHashSet<VarId>,
        slopes: &FxHashMap<VarId, FlatExp>,
        h: &FlatExp,
        whole: bool,
        items: &mut Items,
    ) -> FxHashMap<VarId, VarId> {
        let mut map: FxHashMap<VarId, VarId> = FxHashMap::default();
        let derivatives = states.iter().map(|it| it.derivative);
        let mut all: Vec<VarId> = own
            .iter()
            .copied()
            .filter(|id| !self.stand_ins.contains_key(id))
            .filter(|id| self.model.variables[*id].ty != Type::Clock)
            .chain(derivatives)
            .collect();
        all.sort_unstable();
        for id in all {
            let (ty, origin) = {
                let variable = &self.model.variables[id];
                (variable.ty.clone(), variable.origin.clone())
            };
            let start = self.start_of(id);
            let copy = self.held("stage", ty, start, &origin);
            self.new_unknowns.push(copy);
            map.insert(id, copy);
        }
        let fraction = Exp::Real(if whole { 1.0 } else { 0.5 });
        for state in states {
            let by = times(
                times(fraction.clone(), h.clone()),
                slopes[&state.id].clone(),
            );
            let kind = EquationKind::Equality {
                lhs: var(map[&state.id]),
                rhs: plus(pre(var(state.id), Type::Real), by),
                ty: Type::Real,
            };
            items.push(Piece {
                what: What::Equation(kind),
                origin: state.origin.clone(),
                guard: state.guard,
            });
        }
        for Piece {
            what,
            origin,
            guard,
        } in template
        {
            let mut what = what.clone();
            let mut input = false;
            if let What::Equation(EquationKind::Equality { lhs, .. }) = &what {
                input = matches!(lhs, Exp::Ref(FlatRef::Var(id)) if inputs.contains(id));
            }
            if input {
                continue;
            }
            change_what(&mut what, origin, &mut |exp| {
                let taken = std::mem::replace(exp, Exp::Error);
                *exp = between(taken, &mut |part| match part {
                    Exp::Time if !whole => minus(Exp::Time, times(Exp::Real(0.5), h.clone())),
                    Exp::Ref(FlatRef::Var(id)) => match map.get(&id) {
                        Some(copy) => var(*copy),
                        None if whole => part,
                        None if inputs.contains(&id) || self.model.variables[id].discrete => {
                            let ty = self.model.variables[id].ty.clone();
                            let before = pre(var(id), ty.clone());
                            match ty {
                                Type::Real => times(Exp::Real(0.5), plus(before, var(id))),
                                _ => before,
                            }
                        }
                        None => part,
                    },
                    part => part,
                });
            });
            items.push(Piece {
                what,
                origin: origin.clone(),
                guard: *guard,
            });
        }
        map
    }

    fn is_fixed(&self, id: VarId) -> bool {
        let mut attributes = self.model.variables[id].attributes.iter();
        attributes.any(|it| it.name == "fixed" && it.value == Exp::Bool(true))
    }

    /// The start value of a variable.
    pub(super) fn start_of(&self, id: VarId) -> FlatExp {
        let variable = &self.model.variables[id];
        let mut attributes = variable.attributes.iter();
        match attributes.find(|it| it.name == "start") {
            Some(start) => start.value.clone(),
            None => default(&variable.ty),
        }
    }
}

/// Rewrites what is read at the tick; `pre` stays.
fn between(exp: FlatExp, change: &mut dyn FnMut(FlatExp) -> FlatExp) -> FlatExp {
    let mut kept: Vec<FlatExp> = Vec::new();
    let marked = rewrite(exp, &mut |part| match is_call(&part, "pre") {
        true => {
            kept.push(part);
            Exp::Iterator(modeshift_base::Name::new(&format!(
                "pre {}",
                kept.len() - 1
            )))
        }
        false => part,
    });
    let changed = rewrite(marked, change);
    rewrite(changed, &mut |part| match &part {
        Exp::Iterator(name) => match name.as_str().strip_prefix("pre ") {
            Some(number) => number
                .parse::<usize>()
                .ok()
                .and_then(|it| kept.get(it).cloned())
                .unwrap_or(part),
            None => part,
        },
        _ => part,
    })
}

/// The value of a variable whose start is not given.
pub(super) fn default(ty: &Type) -> FlatExp {
    match ty {
        Type::Integer => Exp::Int(0),
        Type::Boolean => Exp::Bool(false),
        Type::String => Exp::Str("".into()),
        Type::Enumeration(of) => Exp::Enum(of.clone(), 1),
        _ => Exp::Real(0.0),
    }
}

/// Whether an equation reads one of the variables.
pub(super) fn mentions(equation: &Equation, mut of: impl FnMut(VarId) -> bool) -> bool {
    let mut found = false;
    equation_exps(equation, &mut |exp| {
        walk(exp, &mut |part| {
            if let Exp::Ref(FlatRef::Var(id)) = part {
                found |= of(*id);
            }
        });
    });
    found
}
