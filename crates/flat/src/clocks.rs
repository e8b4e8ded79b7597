//! Clocked models (Modelica 3.6 §16) as ordinary discrete ones: a translation from flat model to flat model.
//!
//! The passes, in order:
//!
//! 0. [`machine`]: state machines become clocked equations, active in their states;
//! 1. [`stand_in`]: each operator on clocks becomes a variable; what remains are equations over variables;
//! 2. [`partition`]: connected components: base clocks and sub-clocks;
//! 3. [`infer`]: the interval and shift of each sub-clock, as exact fractions;
//! 4. [`ticks`]: when a clock ticks, as `sample(start, interval)` or the condition of an event;
//! 5. [`discretise`]: differential equations on a clock, by the clock's solver method;
//! 6. [`tasks`], [`order`]: which equation gives which variable, and in which order, with [`solve`];
//! 7. [`emit`]: `when` equations; [`compact`] removes clocks and stand-ins.
//!
//! In a `when`, `pre(x)` is `previous(x)` for a variable of the clock and the left limit, as `sample` needs it, for one in
//! continuous time; conversions between sub-clocks read the variable itself, since ticks at the same instant are one
//! event. So the analysis and the simulation need to know nothing of clocks.

mod build;
mod compact;
mod discretise;
mod emit;
mod infer;
mod known;
mod machine;
mod machine_equations;
mod machine_outputs;
mod mixed;
mod order;
mod partition;
mod rational;
mod solve;
mod stand_in;
mod tasks;
mod ticks;

use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, OriginKind, Place, Statement,
    VarId,
};
use crate::walk::{change_equation, change_statements, equation_exps, statement_exps, walk};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::Diagnostic;
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;
pub(crate) use rational::Rational;
use stand_in::StandIn;
use std::sync::Arc;

/// The name of the parameter that says when clocks begin to tick: at the start of the simulation.
pub const START: &str = "$clocks.start";

/// A model without clocks, and what was wrong with those it had.
#[derive(Clone, PartialEq, Debug)]
pub struct Translated {
    pub model: FlatModel,
    pub diagnostics: Vec<Diagnostic<Place>>,
}

/// Translates a model with clocks that begin to tick at `start`. `None` if it has none.
pub fn translate(model: &FlatModel, start: f64) -> Option<Translated> {
    if !has_clocks(model) {
        return None;
    }
    let mut work = Work::new(model.clone(), start);
    work.translate_machines();
    work.collect();
    let mut failed = work.diagnostics.iter().any(Diagnostic::is_error);
    if !failed {
        let partitions = work.partition();
        let clocks = work.infer(&partitions);
        failed = work.diagnostics.iter().any(Diagnostic::is_error);
        if !failed {
            work.emit(&partitions, &clocks);
            failed = work.diagnostics.iter().any(Diagnostic::is_error);
        }
    }
    let diagnostics = std::mem::take(&mut work.diagnostics);
    let model = match failed {
        true => FlatModel {
            name: model.name.clone(),
            ..FlatModel::default()
        },
        false => work.finish(),
    };
    Some(Translated { model, diagnostics })
}

/// Whether there is a clock, or an operator on clocked variables. Linear in the model.
pub fn has_clocks(model: &FlatModel) -> bool {
    let is_clock = |exp: &FlatExp| match exp {
        Exp::Ref(FlatRef::Var(id)) => model.variables[*id].ty == Type::Clock,
        Exp::Call(call) => call.ty == Type::Clock,
        _ => false,
    };
    let uses = |exp: &FlatExp| {
        let mut found = false;
        walk(exp, &mut |part| {
            found |= stand_in::is_operator(part, is_clock) || machine::is_operator(part);
        });
        found
    };
    let in_equations = |equations: &[Equation]| {
        equations.iter().any(|equation| {
            let mut found = false;
            equation_exps(equation, &mut |exp| found |= uses(exp));
            found
        })
    };
    let in_statements = |statements: &[Statement]| {
        statements.iter().any(|statement| {
            let mut found = false;
            statement_exps(statement, &mut |exp| found |= uses(exp));
            found
        })
    };
    model
        .variables
        .iter()
        .any(|it| it.ty == Type::Clock || it.binding.as_ref().is_some_and(uses))
        || in_equations(&model.equations)
        || in_equations(&model.initial_equations)
        || model
            .algorithms
            .iter()
            .any(|it| in_statements(&it.statements))
}

/// Whether the model has state machines.
pub fn has_states(model: &FlatModel) -> bool {
    let mut equations = model.equations.iter();
    equations.any(|it| matches!(&it.kind, EquationKind::Call(call) if machine::is_operator(call)))
}

/// An equation or algorithm without operators on clocks.
struct Item {
    what: What,
    origin: Arc<Origin>,
    /// The clock of the `when` around it.
    clock: Option<VarId>,
    /// The variable whose binding it was.
    binding_of: Option<VarId>,
    /// Whether the state it stands in is active.
    guard: Option<VarId>,
}

#[derive(Clone, Debug)]
enum What {
    Equation(EquationKind),
    Algorithm(Vec<Statement>),
}

/// An item of a class, with the operators replaced by what they mean.
#[derive(Clone, Debug)]
struct Piece {
    what: What,
    origin: Arc<Origin>,
    guard: Option<VarId>,
}

struct Work {
    model: FlatModel,
    items: Vec<Item>,
    initial: Vec<Equation>,
    stand_ins: FxHashMap<VarId, StandIn>,
    /// Pairs with the same clock.
    same: Vec<(VarId, VarId)>,
    /// Why variables are clocked.
    clocked: Vec<partition::Mark>,
    /// Equations of the result that are not in the model yet.
    out: Vec<Equation>,
    shared: FxHashMap<usize, ticks::Shared>,
    /// States of state machines.
    states: machine::States,
    /// Flags for the first tick of a clock, with the equation of the result that sets each.
    flags: Vec<(VarId, usize)>,
    /// Variables made while a class is translated, which it computes.
    new_unknowns: Vec<VarId>,
    start: f64,
    start_parameter: Option<VarId>,
    nowhere: Arc<Origin>,
    /// Number of variables made.
    made: usize,
    diagnostics: Vec<Diagnostic<Place>>,
}

impl Work {
    fn new(model: FlatModel, start: f64) -> Self {
        let nowhere = model.variables.iter().next().map_or_else(
            || {
                Arc::new(Origin {
                    span: modeshift_base::FileSpan {
                        file: modeshift_base::FileId(0),
                        span: modeshift_base::Span::default(),
                    },
                    also: Vec::new(),
                    instance: Arc::from(""),
                    kind: OriginKind::Declaration,
                    comment: None,
                })
            },
            |variable| variable.origin.clone(),
        );
        Self {
            model,
            items: Vec::new(),
            initial: Vec::new(),
            stand_ins: FxHashMap::default(),
            same: Vec::new(),
            clocked: Vec::new(),
            out: Vec::new(),
            shared: FxHashMap::default(),
            states: machine::States::default(),
            flags: Vec::new(),
            new_unknowns: Vec::new(),
            start,
            start_parameter: None,
            nowhere,
            made: 0,
            diagnostics: Vec::new(),
        }
    }

    fn finish(mut self) -> FlatModel {
        let unused = self.unused_flags();
        self.model.equations.append(&mut self.out);
        compact::remove(&mut self.model, |id, variable| {
            variable.ty == Type::Clock || self.stand_ins.contains_key(&id) || unused.contains(&id)
        });
        self.model
    }

    /// Flags for the first tick that nothing reads; their equations are removed.
    fn unused_flags(&mut self) -> FxHashSet<VarId> {
        let mut unread: FxHashSet<VarId> = self.flags.iter().map(|it| it.0).collect();
        let own: FxHashSet<usize> = self.flags.iter().map(|it| it.1).collect();
        let mut look = |exp: &FlatExp| {
            walk(exp, &mut |part| {
                if let Exp::Ref(FlatRef::Var(id)) = part {
                    unread.remove(id);
                }
            });
        };
        let others = self
            .out
            .iter()
            .enumerate()
            .filter(|it| !own.contains(&it.0));
        for equation in others.map(|it| it.1).chain(&self.model.equations) {
            equation_exps(equation, &mut look);
        }
        for statement in self.model.algorithms.iter().flat_map(|it| &it.statements) {
            statement_exps(statement, &mut look);
        }
        let gone: FxHashSet<usize> = self
            .flags
            .iter()
            .filter(|it| unread.contains(&it.0))
            .map(|it| it.1)
            .collect();
        let mut number = 0;
        self.out.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
        unread
    }
}

/// Whether an expression reads the variable's value now; `pre` does not.
fn reads_now(exp: &FlatExp, id: VarId) -> bool {
    let mut stack = vec![exp];
    while let Some(exp) = stack.pop() {
        match exp {
            Exp::Ref(FlatRef::Var(it)) if *it == id => return true,
            Exp::Call(call) => {
                if !matches!(&call.function, Callee::Builtin(name) if *name == "pre") {
                    stack.extend(&call.args);
                }
            }
            Exp::Unary(_, inner) | Exp::Cast(_, inner) => stack.push(inner),
            Exp::Binary(_, parts) => stack.extend([&parts.0, &parts.1]),
            Exp::If(inner) => stack.extend([&inner.condition, &inner.then, &inner.else_]),
            other => {
                let mut found = false;
                walk(other, &mut |part| {
                    found |= matches!(part, Exp::Ref(FlatRef::Var(it)) if *it == id);
                });
                if found {
                    return true;
                }
            }
        }
    }
    false
}

fn what_exps(what: &What, origin: &Arc<Origin>, visit: &mut dyn FnMut(&FlatExp)) {
    match what {
        What::Equation(kind) => equation_exps(
            &Equation {
                kind: kind.clone(),
                origin: origin.clone(),
            },
            visit,
        ),
        What::Algorithm(statements) => {
            for statement in statements {
                statement_exps(statement, visit);
            }
        }
    }
}

fn change_what(what: &mut What, origin: &Arc<Origin>, change: &mut dyn FnMut(&mut FlatExp)) {
    match what {
        What::Equation(kind) => {
            let mut equation = Equation {
                kind: std::mem::replace(kind, EquationKind::Call(Exp::Error)),
                origin: origin.clone(),
            };
            change_equation(&mut equation, change);
            *kind = equation.kind;
        }
        What::Algorithm(statements) => change_statements(statements, change),
    }
}
