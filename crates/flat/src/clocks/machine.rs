//! State machines (Modelica 3.6 §17): which states and transitions there are, and what is wrong with them.

use super::Work;
use super::partition::Sets;
use crate::model::{EquationKind, FlatExp, Origin, VarId};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Callee, Exp};
use std::sync::Arc;

/// A block that is a state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) machine: usize,
    /// From 1; 1 is the initial state.
    pub(super) number: i64,
    pub(super) active: VarId,
    pub(super) reset: VarId,
}

/// All states, by the name of the block.
#[derive(Default)]
pub(super) struct States {
    pub(super) by_name: FxIndexMap<Arc<str>, State>,
}

impl States {
    /// The innermost state that an instance stands in.
    pub(super) fn around(&self, instance: &str) -> Option<&State> {
        self.name_around(instance)
            .and_then(|name| self.by_name.get(name))
    }

    pub(super) fn name_around<'i>(&self, instance: &'i str) -> Option<&'i str> {
        if self.by_name.is_empty() {
            return None;
        }
        let mut name = instance;
        loop {
            if self.by_name.contains_key(name) {
                return Some(name);
            }
            name = &name[..name.rfind('.')?];
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) from: Arc<str>,
    pub(super) to: Arc<str>,
    pub(super) condition: FlatExp,
    pub(super) immediate: bool,
    pub(super) reset: bool,
    pub(super) synchronize: bool,
    pub(super) priority: i64,
    pub(super) origin: Arc<Origin>,
}

/// States that transitions lead between.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// The initial one first.
    pub(super) states: Vec<Arc<str>>,
    /// By priority, the one that wins first.
    pub(super) transitions: Vec<Transition>,
    pub(super) origin: Arc<Origin>,
}

/// Whether a call belongs to state machines.
pub(super) fn is_operator(exp: &FlatExp) -> bool {
    let Exp::Call(call) = exp else {
        return false;
    };
    matches!(&call.function, Callee::Builtin(name) if matches!(
        name.as_str(),
        "transition" | "initialState" | "activeState" | "ticksInState" | "timeInState"
    ))
}

impl Work {
    /// Takes the state machines out of the model. Mistakes are reported.
    pub(super) fn machines(&mut self) -> Vec<Machine> {
        let mut transitions = Vec::new();
        let mut initial: FxIndexMap<Arc<str>, Arc<Origin>> = FxIndexMap::default();
        let mut rest = Vec::new();
        for equation in std::mem::take(&mut self.model.equations) {
            let EquationKind::Call(Exp::Call(call)) = &equation.kind else {
                rest.push(equation);
                continue;
            };
            let Callee::Builtin(name) = &call.function else {
                rest.push(equation);
                continue;
            };
            let origin = &equation.origin;
            let state = |arg: &FlatExp| match arg {
                Exp::Str(name) => Some(within(&origin.instance, name)),
                _ => None,
            };
            match (name.as_str(), &call.args[..]) {
                ("initialState", [arg]) => {
                    if let Some(name) = state(arg)
                        && initial.insert(name.clone(), origin.clone()).is_some()
                    {
                        let message = format!("`{name}` is made the initial state twice");
                        let origin = origin.clone();
                        self.error(Code::MS2076, message, &origin, "the second time");
                    }
                }
                ("transition", [from, to, condition, flags @ .., priority]) => {
                    let flag = |number: usize| match flags
                        .get(number)
                        .map(|it| self.constant(it.clone(), 0))
                    {
                        Some(Exp::Bool(value)) => Some(value),
                        _ => None,
                    };
                    let read = (
                        state(from),
                        state(to),
                        flag(0),
                        flag(1),
                        flag(2),
                        self.whole(priority),
                    );
                    let (
                        Some(from),
                        Some(to),
                        Some(immediate),
                        Some(reset),
                        Some(synchronize),
                        Some(priority),
                    ) = read
                    else {
                        let message =
                            "the options of a transition must be known before the simulation";
                        let origin = origin.clone();
                        self.error(Code::MS2076, message, &origin, "this transition");
                        continue;
                    };
                    transitions.push(Transition {
                        from,
                        to,
                        condition: condition.clone(),
                        immediate,
                        reset,
                        synchronize,
                        priority,
                        origin: origin.clone(),
                    });
                }
                _ => rest.push(equation),
            }
        }
        self.model.equations = rest;
        self.group(transitions, initial)
    }

    fn group(
        &mut self,
        transitions: Vec<Transition>,
        initial: FxIndexMap<Arc<str>, Arc<Origin>>,
    ) -> Vec<Machine> {
        let mut numbers: FxIndexMap<Arc<str>, usize> = FxIndexMap::default();
        let mut number = |name: &Arc<str>| {
            let next = numbers.len();
            *numbers.entry(name.clone()).or_insert(next)
        };
        let mut sets = Sets::default();
        for name in initial.keys() {
            number(name);
        }
        for transition in &transitions {
            let (from, to) = (number(&transition.from), number(&transition.to));
            sets.union(from, to);
        }
        let mut machines: FxIndexMap<usize, Machine> = FxIndexMap::default();
        let mut second: Vec<Diagnostic<crate::model::Place>> = Vec::new();
        for (name, origin) in initial {
            let root = sets.find(numbers[&name]);
            if let Some(machine) = machines.get(&root) {
                second.push(
                    Diagnostic::new(Code::MS2076, "a state machine has two initial states")
                        .label(origin.span, format!("`{name}`"))
                        .label(machine.origin.span, format!("`{}`", machine.states[0])),
                );
                continue;
            }
            machines.insert(
                root,
                Machine {
                    states: vec![name],
                    transitions: Vec::new(),
                    origin,
                },
            );
        }
        self.diagnostics.append(&mut second);
        let mut without: FxHashSet<usize> = FxHashSet::default();
        for transition in transitions {
            let root = sets.find(numbers[&transition.from]);
            let Some(machine) = machines.get_mut(&root) else {
                if without.insert(root) {
                    let message = format!(
                        "the state machine of `{}` has no initial state",
                        transition.from
                    );
                    self.diagnostics.push(
                        Diagnostic::new(Code::MS2076, message)
                            .label(transition.origin.span, "this transition belongs to it")
                            .note(format!(
                                "say in an equation with which state it begins: `initialState({});`",
                                transition.from
                            )),
                    );
                }
                continue;
            };
            machine.transitions.push(transition);
        }
        for (name, node) in &numbers {
            let root = sets.find(*node);
            if let Some(machine) = machines.get_mut(&root)
                && machine.states[0] != *name
            {
                machine.states.push(name.clone());
            }
        }
        let mut machines: Vec<Machine> = machines.into_values().collect();
        for machine in &mut machines {
            machine.transitions.sort_by_key(|it| it.priority);
            let mut seen: FxHashMap<(Arc<str>, i64), Arc<Origin>> = FxHashMap::default();
            for transition in &machine.transitions {
                let key = (transition.from.clone(), transition.priority);
                if let Some(first) = seen.insert(key, transition.origin.clone()) {
                    let message = format!(
                        "two transitions leave `{}` with the same priority",
                        transition.from
                    );
                    self.diagnostics.push(
                        Diagnostic::new(Code::MS2076, message)
                            .label(transition.origin.span, "one")
                            .label(first.span, "another"),
                    );
                }
            }
        }
        machines
    }
}

/// The full name of a state that an equation of an instance names.
pub(super) fn within(instance: &str, name: &str) -> Arc<str> {
    match instance {
        "" => name.into(),
        instance => format!("{instance}.{name}").into(),
    }
}
