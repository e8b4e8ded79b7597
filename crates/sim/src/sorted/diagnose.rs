//! What a modeller is told about a run.

use super::initial::Said;
use super::lower::Refusal;
use super::machine::{Contradiction, Stop, StopKind};
use super::run::{Outcome, Remark};
use super::system::CONDITIONS;
use crate::block::BlockError;
use crate::failure::Blame;
use crate::integrate::Trouble;
use modeshift_base::{rounded, shown};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::{EquationKind, FlatExp, FlatModel, FlatRef, Place, VarId};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_mdae::sym::VarRef;
use modeshift_restart::diagnose::list_of;
use modeshift_restart::names::derivative_name;

/// More labels than this make a message unreadable.
const MAX_LABELS: usize = 8;

/// A construct that cannot be simulated.
pub fn refusal(refusal: &Refusal) -> Diagnostic<Place> {
    let diagnostic = Diagnostic::new(
        Code::MS6001,
        format!("this cannot be simulated: {}", refusal.why),
    );
    match &refusal.origin {
        Some(origin) => {
            let place = if origin.instance.is_empty() {
                "here".to_owned()
            } else {
                format!("in `{}`", origin.instance)
            };
            diagnostic.label(origin.span, place)
        }
        None => diagnostic,
    }
}

/// The messages about a run.
pub fn diagnostics(outcome: &Outcome<'_>, circuit: Option<&Circuit<'_>>) -> Vec<Diagnostic<Place>> {
    let teller = Teller {
        outcome,
        flat: outcome.machine.lowering.flat,
        circuit,
    };
    // Where the run stopped because of such a value, that is said once.
    let stopped = outcome.stop.is_some();
    let mut list: Vec<_> = outcome
        .remarks
        .iter()
        .filter(|remark| !(stopped && matches!(remark, Remark::NoNumber(..))))
        .map(|remark| teller.remark(remark))
        .collect();
    list.extend(outcome.stop.iter().map(|stop| {
        let told = teller.stop(stop);
        match outcome.out_of_range {
            Some(out) => teller.subscript(told, out),
            None => told,
        }
    }));
    list
}

/// Why a model cannot start, if its start values and initial equations contradict each other or the equations.
pub fn contradicting_start(
    outcome: &Outcome<'_>,
    circuit: Option<&Circuit<'_>>,
) -> Option<Diagnostic<Place>> {
    let StopKind::Initial(found) = outcome.stop.as_ref()?.kind else {
        return None;
    };
    let teller = Teller {
        outcome,
        flat: outcome.machine.lowering.flat,
        circuit,
    };
    Some(teller.contradiction(&found))
}

fn is_variable(exp: &FlatExp, v: u32) -> bool {
    matches!(exp, Exp::Ref(FlatRef::Var(id)) if id.index() as u32 == v)
}

fn is_derivative(exp: &FlatExp) -> bool {
    matches!(exp, Exp::Call(call) if matches!(&call.function, Callee::Builtin(name) if name.as_str() == "der"))
}

struct Teller<'t, 'a> {
    outcome: &'t Outcome<'a>,
    flat: &'a FlatModel,
    /// Where the modeller's components are, for variables that a library declares.
    circuit: Option<&'t Circuit<'t>>,
}

impl Teller<'_, '_> {
    /// Says that a subscript is out of range, and where it stands.
    fn subscript(
        &self,
        diagnostic: Diagnostic<Place>,
        (index, value): (usize, f64),
    ) -> Diagnostic<Place> {
        let subscripted = &self.outcome.machine.lowering.subscripts[index];
        let size = subscripted.size;
        let text = format!("a subscript is {value} here, and not between 1 and {size}");
        match &subscripted.origin {
            Some(origin) => diagnostic.label(origin.span, text),
            None => diagnostic.note(text),
        }
    }

    fn is_condition(&self, variable: VarRef) -> bool {
        variable.var.0 >= CONDITIONS
    }

    fn name(&self, variable: VarRef) -> String {
        if self.is_condition(variable) {
            return "a condition".to_owned();
        }
        match self.flat.variables.get(VarId::new(variable.var.0 as usize)) {
            Some(found) => derivative_name(&found.name, variable.order),
            None => "a condition of `when`".to_owned(),
        }
    }

    fn names(&self, list: &[VarRef]) -> String {
        let mut names: Vec<String> = list.iter().map(|&v| self.name(v)).collect();
        names.dedup();
        if names.len() > 12 {
            let more = names.len() - 12;
            names.truncate(12);
            names.push(format!("{more} more"));
        }
        list_of(&names)
    }

    fn label_variables(&self, diagnostic: Diagnostic<Place>, list: &[VarRef]) -> Diagnostic<Place> {
        let known = list.iter().filter_map(|v| {
            let variable = self.flat.variables.get(VarId::new(v.var.0 as usize))?;
            Some((variable.origin.span, format!("`{}`", self.name(*v))))
        });
        known
            .take(MAX_LABELS)
            .fold(diagnostic, |d, (span, text)| d.label(span, text))
    }

    fn label_conditions(&self, diagnostic: Diagnostic<Place>, list: &[u32]) -> Diagnostic<Place> {
        self.label_held(diagnostic, list, "a condition here changes")
    }

    fn label_held(
        &self,
        diagnostic: Diagnostic<Place>,
        list: &[u32],
        text: &str,
    ) -> Diagnostic<Place> {
        let held = &self.outcome.machine.lowering.held;
        let known = list
            .iter()
            .filter_map(|&i| held.get(i as usize)?.origin.as_ref());
        known
            .take(MAX_LABELS)
            .fold(diagnostic, |d, origin| d.label(origin.span, text))
    }

    fn remark(&self, remark: &Remark) -> Diagnostic<Place> {
        match remark {
            Remark::Warned(time, index) => self.assertion(Code::MS6016, &shown(*time), *index),
            Remark::Untaken(index, start, found) => self.untaken(*index, *start, *found),
            Remark::NoNumber(time, names, out, operation) => {
                let (names, verb) = (list_of(names), if names.len() == 1 { "is" } else { "are" });
                let message = format!("at time {} {names} {verb} not defined", shown(*time));
                let remark = Diagnostic::new(Code::MS6018, message);
                match out {
                    Some(out) => self.subscript(remark, *out).note("nothing reads it"),
                    None => match operation {
                        Some((place, why)) => remark.label(*place, why.clone()),
                        None => remark.note(
                            "a division by zero or a function outside its domain; no other equation reads it",
                        ),
                    },
                }
            }
            Remark::Ended(time, index) => {
                let time = &shown(*time);
                let end = &self.outcome.machine.lowering.ends[*index];
                let message = format!(
                    "at time {time} the model ends the simulation: {}",
                    end.message
                );
                Diagnostic::new(Code::MS6017, message).label(end.origin.span, "ended here")
            }
            Remark::Kept(time, list) => {
                let names = self.names(list);
                let verb = if list.len() == 1 {
                    "keeps its value"
                } else {
                    "keep their values"
                };
                let message = format!(
                    "from time {} on the equations do not determine {names}, which {verb}",
                    shown(*time)
                );
                self.label_variables(Diagnostic::new(Code::MS6019, message), list)
                    .note("what depends on the choice is not determined by the model, either; the rest is")
            }
            Remark::Several(time, list) => {
                let message = format!(
                    "at time {time} several truth values of these conditions fit the equations"
                );
                let numbers: Vec<u32> = list
                    .iter()
                    .filter(|v| self.is_condition(**v))
                    .map(|v| v.var.0 - CONDITIONS)
                    .collect();
                let diagnostic = Diagnostic::new(Code::MS6005, message);
                let diagnostic = self.label_held(diagnostic, &numbers, "one of them");
                self.label_variables(diagnostic, list).note(
                    "simulation takes those that are nearest to the ones before; this is said once",
                )
            }
        }
    }

    fn assertion(&self, code: Code, time: &str, index: usize) -> Diagnostic<Place> {
        let machine = &self.outcome.machine;
        let assertion = &machine.lowering.assertions[index];
        let said = machine.told.get(&index);
        let said = said.map_or(assertion.message.as_str(), |said| &**said);
        let message = format!("at time {time} an assertion does not hold: {said}");
        let diagnostic = Diagnostic::new(code, message);
        let origin = &assertion.origin;
        // The modeller's own component comes before the library that it is from.
        let component = self.circuit.and_then(|it| it.component(&origin.instance));
        match component.filter(|_| !origin.instance.is_empty()) {
            Some((name, place)) => diagnostic
                .label(place, format!("an assertion of `{name}`"))
                .label(origin.span, "asserted here"),
            None => diagnostic.label(origin.span, "asserted here"),
        }
    }

    /// Something that must hold at the start and does not, with what else speaks of the same variables.
    fn contradiction(&self, found: &Contradiction) -> Diagnostic<Place> {
        let check = &self.outcome.machine.initial().checked[found.check];
        let mut diagnostic = Diagnostic::new(Code::MS6002, self.contradiction_message(found));
        if let Some(said) = &check.said {
            let what = match said {
                Said::Fixed(v) => format!("`{}` is fixed", self.variable_name(*v)),
                Said::Initial(_) => "this initial equation does not hold".to_owned(),
                _ => "this does not hold".to_owned(),
            };
            diagnostic = diagnostic.label(self.place(said), what);
        }
        for said in check.against.iter().take(MAX_LABELS) {
            let what = match said {
                Said::Fixed(v) => format!("`{}` is fixed, too", self.variable_name(*v)),
                _ => "this must hold as well".to_owned(),
            };
            diagnostic = diagnostic.label(self.place(said), what);
        }
        let droppable = check.said.iter().chain(&check.against);
        let droppable: Vec<&Said> = droppable.filter(|said| said.is_about_the_start()).collect();
        if let [Said::Fixed(v)] = droppable[..]
            && let Some((name, place)) = self.given_elsewhere(*v)
        {
            diagnostic = diagnostic.label(place, format!("gives `{name}`, which is the same"));
        }
        if let Some(v) = self.not_a_state(&droppable) {
            let name = self.variable_name(v);
            return diagnostic.note(format!(
                "`{name}` is not a state, because no equation contains `der({name})`: is that missing, or is `fixed = true` of \
                 `{name}` to be left out?"
            ));
        }
        if let [Said::Fixed(a), Said::Fixed(b)] = droppable[..]
            && let tied = self.own_ties(*a, *b)
            && !tied.is_empty()
        {
            let related = match tied.len() {
                1 => "this equation relates them",
                _ => "one of the equations that relate them",
            };
            diagnostic = (tied.iter()).fold(diagnostic, |it, place| it.label(*place, related));
            return diagnostic.note(format!(
                "leave out one of these: {}; or check the {}",
                self.to_leave_out(&droppable),
                match tied.len() {
                    1 => "equation that relates them",
                    _ => "equations that relate them",
                }
            ));
        }
        diagnostic.note(match droppable[..] {
            [Said::Fixed(v)] => format!(
                "leave out `fixed = true` of `{}` if its value is to follow from the equations; if not, check the connections \
                 and equations that determine it",
                self.variable_name(*v)
            ),
            [Said::Initial(_)] => {
                "whatever the start values are, the equations give its variables other values: leave it out, and set start \
                 values instead"
                    .to_owned()
            }
            [] => "the equations of the model leave no such start".to_owned(),
            _ if droppable.iter().all(|it| matches!(it, Said::Initial(_))) => {
                "leave out one of the initial equations".to_owned()
            }
            _ => format!("leave out one of these: {}", self.to_leave_out(&droppable)),
        })
    }

    /// The equations in the modeller's own text that relate two variables, where these are all there are.
    fn own_ties(&self, a: u32, b: u32) -> Vec<Place> {
        let Some(circuit) = self.circuit else {
            return Vec::new();
        };
        let tied = super::tied::tied_by(self.flat, a, b);
        match tied.iter().all(|place| (circuit.own)(*place)) {
            true => tied,
            false => Vec::new(),
        }
    }

    /// `fixed = true` of these variables, or an initial equation.
    fn to_leave_out(&self, said: &[&Said]) -> String {
        let fixed = said.iter().filter_map(|said| match said {
            Said::Fixed(v) => Some(format!("`fixed = true` of `{}`", self.variable_name(*v))),
            _ => None,
        });
        let mut list: Vec<String> = fixed.take(MAX_LABELS).collect();
        match said
            .iter()
            .filter(|it| matches!(it, Said::Initial(_)))
            .count()
        {
            0 => {}
            1 => list.push("the initial equation".into()),
            _ => list.push("an initial equation".into()),
        }
        match list.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => list.concat(),
        }
    }

    /// A variable that is equal to `v` by connections and has a value of its own, with the component that gives it.
    fn given_elsewhere(&self, v: u32) -> Option<(&str, Place)> {
        let circuit = self.circuit?;
        let aliases = &self.outcome.machine.lowering.aliases;
        let root = aliases.of(v).0;
        let own = circuit.component(self.variable_name(v))?.0;
        let elsewhere = |id: VarId| {
            let name: &str = &self.flat.variables[id].name;
            let same = aliases.of(id.index() as u32).0 == root;
            let (component, place) = circuit.component(name).filter(|_| same)?;
            (component != own).then_some((name, place))
        };
        let known = |exp: &FlatExp| {
            let mut known = true;
            modeshift_flat::walk::walk(exp, &mut |part| {
                if let Exp::Ref(FlatRef::Var(id)) = part {
                    known &= !modeshift_flat::balance::is_unknown(&self.flat.variables[*id]);
                }
            });
            known
        };
        let mut equations = self.flat.equations.iter();
        equations.find_map(|equation| match &equation.kind {
            EquationKind::Equality {
                lhs: Exp::Ref(FlatRef::Var(id)),
                rhs,
                ..
            } if known(rhs) => elsewhere(*id),
            _ => None,
        })
    }

    /// A variable with a fixed start value whose derivative is in no equation, if that is true of one alone.
    fn not_a_state(&self, said: &[&Said]) -> Option<u32> {
        let aliases = &self.outcome.machine.lowering.aliases;
        let moved = modeshift_flat::lint::differentiated(self.flat);
        // `a = der(v)`: a derivative is no state, and none is missing.
        let derivative = |v: u32| {
            self.flat
                .equations
                .iter()
                .any(|equation| match &equation.kind {
                    EquationKind::Equality { lhs, rhs, .. } => {
                        is_variable(lhs, v) && is_derivative(rhs)
                            || is_variable(rhs, v) && is_derivative(lhs)
                    }
                    _ => false,
                })
        };
        let moved: Vec<u32> = moved
            .iter()
            .map(|id| aliases.of(id.index() as u32).0)
            .collect();
        let mut still = said.iter().filter_map(|said| match said {
            Said::Fixed(v) => {
                Some(*v).filter(|v| !moved.contains(&aliases.of(*v).0) && !derivative(*v))
            }
            _ => None,
        });
        let only = still.next()?;
        still.next().is_none().then_some(only)
    }

    /// What contradicts what, with numbers.
    fn contradiction_message(&self, found: &Contradiction) -> String {
        let check = &self.outcome.machine.initial().checked[found.check];
        let differ = rounded(found.residual.abs());
        let Some(Said::Fixed(v)) = &check.said else {
            return match &check.said {
                Some(Said::Initial(_)) => format!(
                    "an initial equation contradicts the start values or the equations: its sides differ by {differ}"
                ),
                _ => format!(
                    "the start values, initial equations and equations contradict each other: the sides of an equation differ by {differ}"
                ),
            };
        };
        let name = self.variable_name(*v);
        // As seen from an alias with the other sign.
        let (_, negative) = self.outcome.machine.lowering.aliases.of(*v);
        let sign = if negative { -1.0 } else { 1.0 };
        let (start, follows) = (
            rounded(sign * (found.value - found.residual)) + 0.0,
            rounded(sign * found.value) + 0.0,
        );
        let others: Vec<&Said> = check.against.iter().collect();
        let who = match others[..] {
            [] => "the equations make it".to_owned(),
            [Said::Fixed(other)] => format!(
                "the fixed start value of `{}` makes it",
                self.variable_name(*other)
            ),
            [Said::Initial(_)] => "an initial equation makes it".to_owned(),
            _ => "initial equations and other start values make it".to_owned(),
        };
        format!("`{name}` has the fixed start value {start}, but {who} {follows}")
    }

    fn variable_name(&self, v: u32) -> &str {
        let variable = self.flat.variables.get(VarId::new(v as usize));
        variable.map_or("", |variable| &variable.name)
    }

    fn place(&self, said: &Said) -> Place {
        match said {
            Said::Equation(origin) | Said::Initial(origin) => origin.span,
            Said::Fixed(v) | Said::Start(v) => {
                let variable = &self.flat.variables[VarId::new(*v as usize)];
                let component = self.circuit.and_then(|it| it.component(&variable.name));
                component.map_or(variable.origin.span, |(_, place)| place)
            }
        }
    }

    /// A start value that was not taken.
    fn untaken(&self, index: usize, start: f64, found: f64) -> Diagnostic<Place> {
        let untaken = &self.outcome.machine.initial().untaken[index];
        let name = self.variable_name(untaken.variable);
        let named = |&v: &u32| format!("`{}`", self.variable_name(v));
        let taken: Vec<String> = untaken.taken.iter().take(4).map(named).collect();
        let message = format!(
            "the start value {start} of `{name}` contradicts {}: it starts at {found}",
            match untaken.taken.len() {
                1 => format!("that of {}", taken[0]),
                _ => format!("those of {}", list_of(&taken)),
            }
        );
        let diagnostic = Diagnostic::new(Code::MS6011, message)
            .label(self.place(&Said::Start(untaken.variable)), "not taken");
        let taken = untaken.taken.iter().take(4);
        taken
            .fold(diagnostic, |d, &v| {
                d.label(self.place(&Said::Start(v)), "taken")
            })
            .note("none of them is fixed; say `fixed = true` of what must hold")
    }

    fn stop(&self, stop: &Stop) -> Diagnostic<Place> {
        let time = &shown(stop.time);
        match &stop.kind {
            StopKind::Unsolved(error) => {
                let (message, list) = match error {
                    BlockError::Singular(list) => {
                        let names = self.names(list);
                        (
                            format!(
                                "at time {time} the equations for {names} have no unique solution"
                            ),
                            list,
                        )
                    }
                    BlockError::Diverged(list) if list.iter().all(|v| self.is_condition(*v)) => {
                        let message =
                            format!("at time {time} no values of the conditions fit the equations");
                        return Diagnostic::new(Code::MS6004, message)
                            .note("`modeshift check` shows which conditions depend on themselves");
                    }
                    BlockError::Diverged(list) => {
                        let names = self.names(list);
                        (
                            format!(
                                "at time {time} no solution of the equations for {names} was found"
                            ),
                            list,
                        )
                    }
                    BlockError::Discrete(variable, value) => {
                        let name = self.name(*variable);
                        let message = if value.is_nan() {
                            format!(
                                "at time {time} {name} is not defined: a division by zero, a function outside its domain, or a \
                                 product that is too large for an Integer"
                            )
                        } else if value.is_infinite() {
                            format!("at time {time} {name} would be too large for an Integer")
                        } else {
                            format!(
                                "at time {time} {name} would be {value:e}, which is too large for an Integer"
                            )
                        };
                        let diagnostic = Diagnostic::new(Code::MS6008, message);
                        return self.label_variables(diagnostic, &[*variable]);
                    }
                    BlockError::Undefined(list) => {
                        let names = self.names(list);
                        if let Some((place, why)) =
                            super::undefined::operation(&self.outcome.machine)
                        {
                            let message = format!("at time {time} {names} is not defined");
                            return Diagnostic::new(Code::MS6008, message).label(place, why);
                        }
                        let why = "a division by zero or a function outside its domain";
                        (
                            format!("at time {time} {names} is not defined: {why}"),
                            list,
                        )
                    }
                };
                let told = self.label_variables(Diagnostic::new(Code::MS6008, message), list);
                match super::zero::factors(self.flat, list) {
                    zeros if zeros.is_empty() => told,
                    zeros => told.note(zero_factors(&zeros)),
                }
            }
            StopKind::Initial(it) => self.contradiction(it),
            StopKind::NoStates(list) => {
                let names = self.names(list);
                let message = format!("at time {time} no states can be chosen among {names}");
                self.label_variables(Diagnostic::new(Code::MS6008, message), list)
            }
            StopKind::NoEnd(list) => {
                let message = format!(
                    "at time {time} the event does not end: {} alternates",
                    self.names(list)
                );
                self.label_variables(Diagnostic::new(Code::MS6004, message), list)
            }
            StopKind::Jump(variable) => {
                let name = self.name(*variable);
                let message = format!("at time {time} {name} would jump, and no equation says how");
                self.label_variables(Diagnostic::new(Code::MS6003, message), &[*variable])
            }
            StopKind::Zeno(at, events, guards) => {
                let message = format!(
                    "events accumulate at time {at:.6}: {events} so far, each sooner than the one before"
                );
                self.label_conditions(Diagnostic::new(Code::MS6006, message), guards).note(
                    "a model that comes to rest needs a mode of rest, for example one that starts when the \
                     speed after an impact is small",
                )
            }
            StopKind::Chattering(events, guards) => {
                let message = format!(
                    "at time {time} conditions alternate: {events} events without time between them"
                );
                self.label_conditions(Diagnostic::new(Code::MS6007, message), guards)
            }
            StopKind::StepTooSmall(state, trouble) => {
                if let Some((place, why)) = super::undefined::operation(&self.outcome.machine) {
                    let message = format!("at time {time} an equation is not defined");
                    return Diagnostic::new(Code::MS6009, message)
                        .label(place, why)
                        .note("the step size became too small there");
                }
                if matches!(trouble, Some(Trouble::NoValue))
                    && let Some((place, why)) =
                        super::undefined::operation_ahead(&self.outcome.machine)
                {
                    let message =
                        format!("at time {time} an equation comes to where it is not defined");
                    return Diagnostic::new(Code::MS6009, message)
                        .label(place, format!("a little later {why}"))
                        .note("the step size became too small there: keep the values where the equation is defined, for example with `max`, or end the simulation before");
                }
                let name = state.map(|state| self.name(state));
                crate::diagnose::step_too_small(
                    time,
                    &Blame {
                        name,
                        trouble: *trouble,
                    },
                )
            }
            StopKind::Sample(interval) => {
                let message = format!("`sample` has the interval {interval}");
                Diagnostic::new(Code::MS6001, message)
            }
            StopKind::Assertion(index) => self.assertion(Code::MS6010, time, *index),
            StopKind::Effect(index) => {
                let effect = &self.outcome.machine.lowering.effects[*index];
                let message = format!("at time {time} the call of `{}` fails", effect.name);
                Diagnostic::new(Code::MS6008, message).label(effect.origin.span, "called here")
            }
        }
    }
}

/// Why an ideal element leaves equations without a solution, and what to do.
fn zero_factors(parameters: &[String]) -> String {
    let (verb, kind, it) = match parameters {
        [_] => ("is", "a factor", "it"),
        _ => ("are", "factors", "each"),
    };
    format!(
        "{} {verb} 0 and {kind} in these equations, which may leave an unknown without an equation: give {it} a small value, \
         such as 1e-5",
        list_of(parameters)
    )
}
