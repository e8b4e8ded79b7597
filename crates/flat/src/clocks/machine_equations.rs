//! State machines as clocked equations, by the semantics model of Modelica 3.6 §17.3.4.
//!
//! Each state gets two flags: it is active, and it is reset at this tick. Equations of a state hold while it is active;
//! `previous` of a variable that belongs to a state is its start value when the state is reset. A variable that is given
//! by several states (`outer output`) gets one equation that chooses among them and keeps the last value elsewhere.

use super::Work;
use super::build::{and, call, if_, is_call, minus, plus, var};
use super::discretise::default;
use super::machine::{Machine, State, Transition, is_operator, within};
use super::ticks::{attribute, equality};
use crate::model::{Equation, FlatExp, FlatRef, Origin, VarId};
use crate::simplify;
use crate::walk::{change_equation, change_statements, rewrite, walk};
use modeshift_base::FxHashMap;
use modeshift_diag::Code;
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// The variables of one machine.
#[derive(Clone)]
struct Variables {
    active_state: VarId,
    next_state: VarId,
    /// A state was entered at this tick.
    entered: VarId,
    ticks: VarId,
    since: VarId,
}

impl Work {
    pub(super) fn translate_machines(&mut self) {
        let machines = self.machines();
        if self
            .diagnostics
            .iter()
            .any(modeshift_diag::Diagnostic::is_error)
        {
            return;
        }
        self.pass_on_variables(&machines);
        let mut variables = Vec::new();
        for (number, machine) in machines.iter().enumerate() {
            let origin = &outside(&machine.origin);
            for (state, name) in machine.states.iter().enumerate() {
                let active = self.flag(&format!("$active({name})"), Type::Boolean, origin);
                let reset = self.flag(&format!("$reset({name})"), Type::Boolean, origin);
                self.states.by_name.insert(
                    name.clone(),
                    State {
                        machine: number,
                        number: state as i64 + 1,
                        active,
                        reset,
                    },
                );
            }
            let mut make =
                |what: &str, ty| self.flag(&format!("$machine{}.{what}", number + 1), ty, origin);
            variables.push(Variables {
                active_state: make("activeState", Type::Integer),
                next_state: make("nextState", Type::Integer),
                entered: make("entered", Type::Boolean),
                ticks: make("ticksInState", Type::Integer),
                since: make("since", Type::Real),
            });
        }
        self.read_operators(&variables);
        if self.states.by_name.is_empty() {
            return;
        }
        self.reset_previous();
        self.merge_connections();
        self.merge_outputs();
        for (number, machine) in machines.iter().enumerate() {
            self.machine_equations(number, machine, &machines, &variables);
        }
    }

    fn flag(&mut self, name: &str, ty: Type, origin: &Arc<Origin>) -> VarId {
        let start = default(&ty);
        let id = self.new_variable("state", ty, origin);
        let variable = &mut self.model.variables[id];
        variable.name = name.into();
        variable.stem = name.len() as u32;
        variable.variability = Variability::Discrete;
        variable.attributes = vec![attribute("start", start)];
        id
    }

    /// What is `inner outer` in a state is the variable farther out.
    fn pass_on_variables(&mut self, machines: &[Machine]) {
        let states: modeshift_base::FxHashSet<&str> = machines
            .iter()
            .flat_map(|machine| machine.states.iter().map(|name| &**name))
            .collect();
        let in_state = |id: VarId| {
            let mut name = &*self.model.variables[id].name;
            while let Some(dot) = name.rfind('.') {
                name = &name[..dot];
                if states.contains(name) {
                    return true;
                }
            }
            false
        };
        let pairs: FxHashMap<VarId, VarId> = self
            .model
            .inner_outer
            .iter()
            .copied()
            .filter(|(inner, _)| in_state(*inner))
            .collect();
        if pairs.is_empty() {
            return;
        }
        let farthest = |id: VarId| {
            let mut at = id;
            for _ in 0..=pairs.len() {
                match pairs.get(&at) {
                    Some(next) => at = *next,
                    None => break,
                }
            }
            at
        };
        let change = |exp: &mut FlatExp| {
            let taken = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(taken, &mut |part| match part {
                Exp::Ref(FlatRef::Var(id)) => var(farthest(id)),
                part => part,
            });
        };
        self.change_everything(&mut |exp, _| change(exp));
        let mut inner: Vec<VarId> = pairs.keys().copied().collect();
        inner.sort_unstable();
        for id in inner {
            let variable = &self.model.variables[id];
            let (ty, origin) = (variable.ty.clone(), variable.origin.clone());
            let equation = equality(var(id), var(farthest(id)), ty, &origin);
            self.model.equations.push(equation);
        }
    }

    /// Applies a change to all expressions, with the instance they stand in; conditions of transitions are no longer
    /// part of the model.
    fn change_everything(&mut self, change: &mut dyn FnMut(&mut FlatExp, &Arc<str>)) {
        for variable in self.model.variables.iter_mut() {
            let instance = variable.origin.instance.clone();
            variable
                .binding
                .iter_mut()
                .for_each(|exp| change(exp, &instance));
        }
        for equation in &mut self.model.equations {
            let instance = equation.origin.instance.clone();
            change_equation(equation, &mut |exp| change(exp, &instance));
        }
        for algorithm in &mut self.model.algorithms {
            let instance = algorithm.origin.instance.clone();
            change_statements(&mut algorithm.statements, &mut |exp| change(exp, &instance));
        }
    }

    /// `activeState`, `ticksInState` and `timeInState` outside the conditions of transitions.
    fn read_operators(&mut self, variables: &[Variables]) {
        let mut lost: Vec<Arc<Origin>> = Vec::new();
        let states = std::mem::take(&mut self.states);
        let mut read = |exp: &mut FlatExp, origin: &Arc<Origin>| {
            let mut found = false;
            walk(exp, &mut |part| found |= is_operator(part));
            if !found {
                return;
            }
            let machine = states.around(&origin.instance).map(|it| it.machine);
            let taken = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(
                taken,
                &mut |part| match operator(&part, &origin.instance, &states) {
                    None => part,
                    Some(Meaning::Active(active)) => var(active),
                    Some(Meaning::Ticks) if machine.is_some() => {
                        machine.map_or(Exp::Error, |it| var(variables[it].ticks))
                    }
                    Some(Meaning::Time) if machine.is_some() => {
                        machine.map_or(Exp::Error, |it| minus(Exp::Time, var(variables[it].since)))
                    }
                    Some(_) => {
                        lost.push(origin.clone());
                        Exp::Error
                    }
                },
            );
        };
        for variable in self.model.variables.iter_mut() {
            let origin = variable.origin.clone();
            variable
                .binding
                .iter_mut()
                .for_each(|exp| read(exp, &origin));
        }
        for equation in &mut self.model.equations {
            let origin = equation.origin.clone();
            change_equation(equation, &mut |exp| read(exp, &origin));
        }
        for algorithm in &mut self.model.algorithms {
            let origin = algorithm.origin.clone();
            change_statements(&mut algorithm.statements, &mut |exp| read(exp, &origin));
        }
        self.states = states;
        for origin in lost {
            let message = "an operator on states is used outside a state machine";
            self.error(Code::MS2076, message, &origin, "here");
        }
    }

    /// The flag that says when the state a variable belongs to is reset.
    fn reset_of(&self, id: VarId) -> Option<VarId> {
        let name = &self.model.variables[id].name;
        let dot = name.rfind('.')?;
        self.states.around(&name[..dot]).map(|state| state.reset)
    }

    pub(super) fn previous_of(&self, id: VarId) -> FlatExp {
        let ty = self.model.variables[id].ty.clone();
        let before = call("previous", vec![var(id)], ty.clone());
        match self.reset_of(id) {
            Some(reset) => if_(var(reset), self.start_of(id), before, ty),
            None => before,
        }
    }

    fn reset_previous(&mut self) {
        let values: FxHashMap<VarId, FlatExp> = self
            .model
            .variables
            .ids()
            .filter(|id| self.reset_of(*id).is_some())
            .map(|id| (id, self.previous_of(id)))
            .collect();
        self.change_everything(&mut |exp, _| {
            let mut found = false;
            walk(exp, &mut |part| found |= is_call(part, "previous"));
            if !found {
                return;
            }
            let taken = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(taken, &mut |part| {
                let Exp::Call(inner) = &part else { return part };
                match &inner.args[..] {
                    [Exp::Ref(FlatRef::Var(id))] if is_call(&part, "previous") => {
                        values.get(id).cloned().unwrap_or(part)
                    }
                    _ => part,
                }
            });
        });
    }

    fn machine_equations(
        &mut self,
        number: usize,
        machine: &Machine,
        machines: &[Machine],
        variables: &[Variables],
    ) {
        let origin = outside(&machine.origin);
        let own = variables[number].clone();
        let previous = |id: VarId, ty: Type| call("previous", vec![var(id)], ty);
        let name = |what: &str| format!("$machine{}.{what}", number + 1);
        let parent = self.states.around(&machine.origin.instance).cloned();
        let mut out: Vec<Equation> = Vec::new();
        let mut give = |id: VarId, value: FlatExp, ty: Type| {
            out.push(equality(var(id), value, ty, &origin));
        };
        let (active, reset, above) = match &parent {
            Some(parent) => (
                var(parent.active),
                var(parent.reset),
                and(var(parent.active), var(variables[parent.machine].entered)),
            ),
            None => {
                let init = self.flag(&name("init"), Type::Boolean, &origin);
                self.model.variables[init].attributes = vec![attribute("start", Exp::Bool(true))];
                give(init, Exp::Bool(false), Type::Boolean);
                (
                    Exp::Bool(true),
                    previous(init, Type::Boolean),
                    Exp::Bool(false),
                )
            }
        };
        let selected = self.flag(&name("selectedState"), Type::Integer, &origin);
        let before = previous(own.next_state, Type::Integer);
        give(
            selected,
            if_(reset.clone(), Exp::Int(1), before.clone(), Type::Integer),
            Type::Integer,
        );
        let next_reset = self.flag(&name("nextReset"), Type::Boolean, &origin);
        let selected_reset = simplify::binary(
            BinaryOp::Or,
            reset.clone(),
            previous(next_reset, Type::Boolean),
        );
        let mut fired = Exp::Bool(false);
        let mut active_state = var(selected);
        let mut active_reset = selected_reset;
        for (index, transition) in machine.transitions.iter().enumerate().rev() {
            let condition = self.flag(
                &name(&format!("condition{}", index + 1)),
                Type::Boolean,
                &outside(&transition.origin),
            );
            let value = self.condition(transition, &own, machines, variables);
            give(condition, value, Type::Boolean);
            let now = match transition.immediate {
                true => var(condition),
                false => previous(condition, Type::Boolean),
            };
            let from = self.states.by_name[&transition.from].number;
            let to = self.states.by_name[&transition.to].number;
            let fires = and(equal(var(selected), from), now);
            fired = simplify::binary(BinaryOp::Or, fired, fires.clone());
            active_state = if_(fires.clone(), Exp::Int(to), active_state, Type::Integer);
            active_reset = if_(
                fires,
                Exp::Bool(transition.reset),
                active_reset,
                Type::Boolean,
            );
        }
        give(
            own.active_state,
            if_(reset.clone(), Exp::Int(1), active_state, Type::Integer),
            Type::Integer,
        );
        let resets = self.flag(&name("activeReset"), Type::Boolean, &origin);
        give(
            resets,
            simplify::binary(BinaryOp::Or, reset.clone(), active_reset),
            Type::Boolean,
        );
        give(
            own.next_state,
            if_(active.clone(), var(own.active_state), before, Type::Integer),
            Type::Integer,
        );
        give(
            next_reset,
            and(
                simplify::not(active.clone()),
                previous(next_reset, Type::Boolean),
            ),
            Type::Boolean,
        );
        let enters = simplify::binary(
            BinaryOp::Or,
            simplify::binary(BinaryOp::Or, reset.clone(), fired),
            above,
        );
        give(own.entered, and(active.clone(), enters), Type::Boolean);
        let counted = previous(own.ticks, Type::Integer);
        let going_on = if_(
            active.clone(),
            plus(counted.clone(), Exp::Int(1)),
            counted,
            Type::Integer,
        );
        give(
            own.ticks,
            if_(var(own.entered), Exp::Int(1), going_on, Type::Integer),
            Type::Integer,
        );
        let since = previous(own.since, Type::Real);
        give(
            own.since,
            if_(var(own.entered), Exp::Time, since, Type::Real),
            Type::Real,
        );
        for state in &machine.states {
            let state_flags = self.states.by_name[state].clone();
            let pending = self.flag(&format!("$pendingReset({state})"), Type::Boolean, &origin);
            let is_here = equal(var(own.active_state), state_flags.number);
            let due = simplify::binary(
                BinaryOp::Or,
                reset.clone(),
                previous(pending, Type::Boolean),
            );
            give(
                pending,
                if_(
                    active.clone(),
                    and(simplify::not(is_here.clone()), due.clone()),
                    previous(pending, Type::Boolean),
                    Type::Boolean,
                ),
                Type::Boolean,
            );
            give(
                state_flags.active,
                and(active.clone(), is_here),
                Type::Boolean,
            );
            give(
                state_flags.reset,
                and(
                    var(state_flags.active),
                    simplify::binary(BinaryOp::Or, var(resets), due),
                ),
                Type::Boolean,
            );
        }
        self.model.equations.append(&mut out);
    }

    /// The condition of a transition, with what it asks of states.
    fn condition(
        &mut self,
        transition: &Transition,
        own: &Variables,
        machines: &[Machine],
        variables: &[Variables],
    ) -> FlatExp {
        let previous = |id: VarId, ty: Type| call("previous", vec![var(id)], ty);
        let instance = &transition.origin.instance;
        let mut lost = false;
        let condition = rewrite(transition.condition.clone(), &mut |part| {
            // What an immediate transition decides is not decided yet: it asks about the state it leaves.
            let meaning = operator(&part, instance, &self.states);
            let known = match (meaning, transition.immediate) {
                (None, _) => None,
                (Some(Meaning::Active(active)), _) => Some(var(active)),
                (Some(Meaning::Ticks), false) => Some(var(own.ticks)),
                (Some(Meaning::Ticks), true) => {
                    Some(plus(previous(own.ticks, Type::Integer), Exp::Int(1)))
                }
                (Some(Meaning::Time), false) => Some(minus(Exp::Time, var(own.since))),
                (Some(Meaning::Time), true) => {
                    Some(minus(Exp::Time, previous(own.since, Type::Real)))
                }
                (Some(Meaning::Unknown), _) => {
                    lost = true;
                    Some(Exp::Error)
                }
            };
            let part = known.unwrap_or(part);
            let Exp::Call(inner) = &part else { return part };
            match &inner.args[..] {
                [Exp::Ref(FlatRef::Var(id))] if is_call(&part, "previous") => {
                    match self.reset_of(*id) {
                        Some(_) if !self.model.variables[*id].name.starts_with('$') => {
                            self.previous_of(*id)
                        }
                        _ => part,
                    }
                }
                _ => part,
            }
        });
        if lost {
            let message = "an operator on states names something that is no state";
            self.error(
                Code::MS2076,
                message,
                &transition.origin,
                "in this transition",
            );
        }
        if !transition.synchronize {
            return condition;
        }
        let mut all = condition;
        for (number, machine) in machines.iter().enumerate() {
            let around = self.states.name_around(&machine.origin.instance);
            if around != Some(&*transition.from) {
                continue;
            }
            let at = match transition.immediate {
                true => previous(variables[number].next_state, Type::Integer),
                false => var(variables[number].active_state),
            };
            let last = machine
                .states
                .iter()
                .filter(|state| machine.transitions.iter().all(|it| it.from != **state));
            let is_last = last
                .map(|state| equal(at.clone(), self.states.by_name[state].number))
                .reduce(|a, b| simplify::binary(BinaryOp::Or, a, b));
            all = and(all, is_last.unwrap_or(Exp::Bool(false)));
        }
        all
    }
}

/// What a call asks about states.
enum Meaning {
    Active(VarId),
    Ticks,
    Time,
    Unknown,
}

fn operator(exp: &FlatExp, instance: &str, states: &super::machine::States) -> Option<Meaning> {
    if !is_operator(exp) {
        return None;
    }
    if is_call(exp, "ticksInState") {
        return Some(Meaning::Ticks);
    }
    if is_call(exp, "timeInState") {
        return Some(Meaning::Time);
    }
    let Exp::Call(call) = exp else { return None };
    let Some(Exp::Str(name)) = call.args.first() else {
        return Some(Meaning::Unknown);
    };
    // Modifiers are written farther out than where they end up.
    let mut place = instance;
    loop {
        if let Some(state) = states.by_name.get(&within(place, name)) {
            return Some(Meaning::Active(state.active));
        }
        match place.rfind('.') {
            Some(dot) => place = &place[..dot],
            None if place.is_empty() => return Some(Meaning::Unknown),
            None => place = "",
        }
    }
}

fn equal(exp: FlatExp, number: i64) -> FlatExp {
    Exp::Binary(BinaryOp::Equal, Box::new((exp, Exp::Int(number))))
}

/// The same place, outside all states: what holds whichever state is active.
pub(super) fn outside(origin: &Arc<Origin>) -> Arc<Origin> {
    Arc::new(Origin {
        instance: Arc::from(""),
        ..(**origin).clone()
    })
}
