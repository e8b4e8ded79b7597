//! The clocked part of a model as `when` equations.
//!
//! What can be computed one after the other is assigned in a `when`. Equations that need each other stand outside: they
//! read values that are held between ticks, so their solution is held, too, and is taken over at the tick.

use super::build::{and, if_, is_call, minus, pre, var};
use super::discretise::mentions;
use super::infer::SubClock;
use super::partition::Partitions;
use super::solve::solve;
use super::stand_in::StandIn;
use super::tasks::{Block, Form, Task, spell_out, without_events};
use super::ticks::{Ticking, attribute, equality};
use super::{Piece, What, Work, change_what, reads_now};
use crate::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatRef, Origin, Statement, StatementKind, VarId,
};
use crate::walk::{change_equation, rewrite};
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_diag::Code;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// Where equations of a class go.
struct Sink {
    ticking: Ticking,
    body: Vec<Equation>,
}

impl Sink {
    /// Whether something is computed when the condition becomes true; `None` for always.
    fn active(&self, state: Option<VarId>) -> Option<FlatExp> {
        let parts = self.ticking.guard.into_iter().chain(state);
        parts.map(var).reduce(and)
    }

    /// What a variable gets at a tick.
    fn assign(
        &mut self,
        id: VarId,
        value: FlatExp,
        ty: Type,
        origin: &Arc<Origin>,
        state: Option<VarId>,
    ) {
        let value = without_events(value, &ty);
        let value = match self.active(state) {
            Some(active) => if_(active, value, pre(var(id), ty.clone()), ty.clone()),
            None => value,
        };
        self.body.push(equality(var(id), value, ty, origin));
    }
}

impl Work {
    pub(super) fn emit(&mut self, partitions: &Partitions, clocks: &[Option<SubClock>]) {
        let mut tickings: Vec<Option<Ticking>> = Vec::new();
        for (class, clock) in partitions.classes.iter().zip(clocks) {
            let values = class
                .variables
                .iter()
                .any(|id| self.model.variables[*id].ty != Type::Clock);
            let needed = values || class.items.iter().any(|&it| !self.is_between_clocks(it));
            let origin = class.items.first().map_or_else(
                || self.model.variables[class.variables[0]].origin.clone(),
                |&item| self.items[item].origin.clone(),
            );
            let ticking = clock
                .as_ref()
                .filter(|_| needed)
                .map(|clock| self.ticking(clock, &origin));
            tickings.push(ticking);
        }
        let meanings = self.meanings(partitions, &tickings);
        let mean = |exp: &mut FlatExp| {
            let taken = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(taken, &mut |part| match &part {
                Exp::Ref(FlatRef::Var(id)) => meanings.get(id).cloned().unwrap_or(part),
                _ => part,
            });
        };
        let mut by_class: FxIndexMap<usize, Vec<Piece>> = FxIndexMap::default();
        for (number, mut item) in std::mem::take(&mut self.items).into_iter().enumerate() {
            change_what(&mut item.what, &item.origin, &mut |exp| mean(exp));
            match partitions.of_item[number] {
                Some(class) => by_class.entry(class).or_default().push(Piece {
                    what: item.what,
                    origin: item.origin,
                    guard: item.guard,
                }),
                None => self.give_back(item.what, item.origin, item.binding_of),
            }
        }
        let mut initial: FxHashMap<usize, Vec<Equation>> = FxHashMap::default();
        for mut equation in std::mem::take(&mut self.initial) {
            change_equation(&mut equation, &mut |exp| mean(exp));
            let mut class = None;
            mentions(&equation, |id| {
                class = class.or_else(|| partitions.class_of.get(&id).copied());
                false
            });
            match class {
                Some(class) => initial.entry(class).or_default().push(equation),
                None => self.model.initial_equations.push(equation),
            }
        }
        for (class, items) in by_class {
            let Some(ticking) = tickings[class].clone() else {
                continue;
            };
            let initial = initial.remove(&class).unwrap_or_default();
            self.emit_class(class, partitions, ticking, items, &initial);
        }
        for id in partitions.class_of.keys() {
            self.make_discrete(*id);
        }
    }

    /// An equation between clocks computes nothing.
    pub(super) fn is_between_clocks(&self, item: usize) -> bool {
        matches!(
            &self.items[item].what,
            What::Equation(EquationKind::Equality {
                ty: Type::Clock,
                ..
            })
        )
    }

    /// What each stand-in means.
    fn meanings(
        &self,
        partitions: &Partitions,
        tickings: &[Option<Ticking>],
    ) -> FxHashMap<VarId, FlatExp> {
        let mut out = FxHashMap::default();
        for (id, stand_in) in &self.stand_ins {
            let ty = &self.model.variables[*id].ty;
            let class = partitions.class_of.get(id);
            let ticking = class.and_then(|class| tickings[*class].as_ref());
            let value = match stand_in {
                StandIn::Sample {
                    argument: Exp::Ref(FlatRef::Var(of)),
                    ..
                } if self.model.variables[*of].variability > Variability::Parameter => {
                    Some(pre(var(*of), ty.clone()))
                }
                StandIn::Sample { argument, .. } => Some(argument.clone()),
                StandIn::Hold(of) => Some(var(*of)),
                StandIn::Convert { argument, .. } if *ty != Type::Clock => Some(var(*argument)),
                StandIn::Interval => ticking.map(|it| it.interval.clone()),
                StandIn::FirstTick => ticking.map(|it| pre(var(it.first), Type::Boolean)),
                _ => None,
            };
            if let Some(value) = value {
                out.insert(*id, value);
            }
        }
        out
    }

    fn give_back(&mut self, what: What, origin: Arc<Origin>, binding_of: Option<VarId>) {
        match (what, binding_of) {
            (What::Equation(EquationKind::Equality { rhs, .. }), Some(id)) => {
                self.model.variables[id].binding = Some(rhs);
            }
            (What::Equation(kind), _) => self.model.equations.push(Equation { kind, origin }),
            (What::Algorithm(statements), _) => {
                self.model.algorithms.push(Algorithm { statements, origin });
            }
        }
    }

    fn emit_class(
        &mut self,
        class: usize,
        partitions: &Partitions,
        ticking: Ticking,
        mut items: Vec<Piece>,
        initial: &[Equation],
    ) -> Option<()> {
        for Piece { what, origin, .. } in &mut items {
            spell_out(what, origin);
        }
        self.new_unknowns.clear();
        self.discretise(class, partitions, &ticking, &mut items, initial)?;
        let before = self.diagnostics.len();
        let tasks = self.tasks(items);
        if self.diagnostics.len() > before {
            return None;
        }
        let mut unknowns: Vec<VarId> = partitions.classes[class]
            .variables
            .iter()
            .copied()
            .filter(|id| !self.stand_ins.contains_key(id))
            .filter(|id| self.model.variables[*id].ty != Type::Clock)
            .collect();
        unknowns.append(&mut self.new_unknowns);
        let blocks = self.order(tasks, &unknowns)?;
        let origin = blocks
            .iter()
            .flatten()
            .next()
            .map(|task| task.origin.clone());
        let mut sink = Sink {
            ticking,
            body: Vec::new(),
        };
        for block in blocks {
            self.emit_block(block, &mut sink);
        }
        if let Some(origin) = origin {
            self.push_when(sink.ticking.condition.clone(), sink.body, &origin);
        }
        Some(())
    }

    fn emit_block(&mut self, mut block: Block, sink: &mut Sink) {
        if let [task] = &block[..] {
            match &task.form {
                Form::Equality { lhs, rhs, ty } => {
                    let Some(&id) = task.outputs.first() else {
                        return;
                    };
                    if let Some(value) = solve(lhs, rhs, ty, id) {
                        sink.assign(id, value, ty.clone(), &task.origin, task.guard);
                        return;
                    }
                }
                Form::Whole(kind) => {
                    self.emit_whole(kind.clone(), task, sink);
                    return;
                }
                Form::Algorithm(statements) => {
                    self.emit_algorithm(statements.clone(), task, sink);
                    return;
                }
            }
        }
        // Equations between numbers alone can be solved together.
        let solvable = block
            .iter()
            .all(|task| matches!(&task.form, Form::Equality { ty: Type::Real, .. }));
        match solvable {
            true => self.emit_loop(&block, sink),
            false => {
                let Some(task) = block.pop() else { return };
                let names: Vec<String> = task
                    .outputs
                    .iter()
                    .chain(block.iter().flat_map(|it| &it.outputs))
                    .filter(|id| !self.model.variables[**id].name.starts_with('$'))
                    .take(6)
                    .map(|id| format!("`{}`", self.model.variables[*id].name))
                    .collect();
                let message = format!(
                    "clocked equations that are not all between Reals need each other: {}",
                    names.join(", ")
                );
                self.error(Code::MS2075, message, &task.origin, "one of them");
            }
        }
    }

    fn emit_whole(&mut self, kind: EquationKind, task: &Task, sink: &mut Sink) {
        let origin = &task.origin;
        let mut equation = Equation {
            kind,
            origin: origin.clone(),
        };
        if let Some(active) = sink.active(task.guard) {
            let kept = task
                .outputs
                .iter()
                .map(|id| {
                    let ty = self.model.variables[*id].ty.clone();
                    equality(var(*id), pre(var(*id), ty.clone()), ty, origin)
                })
                .collect();
            equation.kind = EquationKind::If {
                branches: vec![(
                    active,
                    vec![Equation {
                        kind: equation.kind,
                        origin: origin.clone(),
                    }],
                )],
                else_: kept,
            };
        }
        sink.body.push(equation);
    }

    fn emit_algorithm(&mut self, statements: Vec<Statement>, task: &Task, sink: &Sink) {
        let origin = &task.origin;
        let wrap = |kind| {
            vec![Statement {
                kind,
                origin: origin.clone(),
            }]
        };
        let statements = match sink.active(task.guard) {
            Some(active) => wrap(StatementKind::If {
                branches: vec![(active, statements)],
                else_: Vec::new(),
            }),
            None => statements,
        };
        let statements = wrap(StatementKind::When {
            branches: vec![(sink.ticking.condition.clone(), statements)],
        });
        self.model.algorithms.push(Algorithm {
            statements,
            origin: origin.clone(),
        });
    }

    /// Equations that need each other, over variables that are held between ticks.
    fn emit_loop(&mut self, block: &[Task], sink: &mut Sink) {
        let mut copies: FxIndexMap<VarId, VarId> = FxIndexMap::default();
        for task in block {
            for &id in &task.outputs {
                let copy = self.new_variable("solved", Type::Real, &task.origin);
                let start = self.start_of(id);
                self.model.variables[copy].attributes = vec![attribute("start", start)];
                copies.insert(id, copy);
            }
        }
        let first = sink.ticking.first;
        for task in block {
            let Form::Equality { lhs, rhs, .. } = &task.form else {
                continue;
            };
            let Some(&id) = task.outputs.first() else {
                continue;
            };
            let mut outside = |exp: &FlatExp| self.outside(exp, &copies, &task.origin, sink);
            let residual = minus(outside(lhs), outside(rhs));
            let at_rest = minus(var(copies[&id]), self.start_of(id));
            let residual = if_(var(first), at_rest, residual, Type::Real);
            let residual = without_events(residual, &Type::Real);
            self.out
                .push(equality(Exp::Real(0.0), residual, Type::Real, &task.origin));
        }
        for task in block {
            for id in &task.outputs {
                sink.body.push(equality(
                    var(*id),
                    at_tick(*id, copies[id], sink.active(task.guard)),
                    Type::Real,
                    &task.origin,
                ));
            }
        }
    }

    /// An expression that is evaluated between ticks, too: what only the tick knows is kept in variables.
    fn outside(
        &mut self,
        exp: &FlatExp,
        copies: &FxIndexMap<VarId, VarId>,
        origin: &Arc<Origin>,
        sink: &mut Sink,
    ) -> FlatExp {
        rewrite(exp.clone(), &mut |part| match &part {
            Exp::Ref(FlatRef::Var(id)) => copies.get(id).map_or(part, |copy| var(*copy)),
            Exp::Time => self.keep(part, Type::Real, origin, sink),
            Exp::Call(call) if is_call(&part, "pre") => {
                let ty = call.ty.clone();
                // Arguments of `pre` are no unknowns: take the replacement back.
                let back = rewrite(part, &mut |inner| match &inner {
                    Exp::Ref(FlatRef::Var(id)) => copies
                        .iter()
                        .find(|(_, copy)| *copy == id)
                        .map_or(inner, |(of, _)| var(*of)),
                    _ => inner,
                });
                self.keep(back, ty, origin, sink)
            }
            _ => part,
        })
    }

    fn keep(&mut self, value: FlatExp, ty: Type, origin: &Arc<Origin>, sink: &mut Sink) -> FlatExp {
        let start = super::discretise::default(&ty);
        let kept = self.held("kept", ty.clone(), start, origin);
        sink.assign(kept, value, ty, origin, None);
        var(kept)
    }

    /// A clocked variable keeps its value between ticks and begins with its start value.
    fn make_discrete(&mut self, id: VarId) {
        let variable = &mut self.model.variables[id];
        if variable.ty == Type::Clock
            || variable.causality == Some(modeshift_inst::ty::Causality::Input)
                && variable.binding.is_some()
        {
            return;
        }
        variable.discrete = true;
        variable.variability = Variability::Discrete;
        variable
            .attributes
            .retain(|it| it.name != "fixed" && it.name != "stateSelect");
        variable
            .attributes
            .push(attribute("fixed", Exp::Bool(true)));
        debug_assert!(
            !variable
                .binding
                .as_ref()
                .is_some_and(|it| reads_now(it, id))
        );
    }
}

fn at_tick(id: VarId, copy: VarId, active: Option<FlatExp>) -> FlatExp {
    match active {
        Some(active) => if_(active, var(copy), pre(var(id), Type::Real), Type::Real),
        None => var(copy),
    }
}
