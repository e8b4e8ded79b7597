//! What a modeller is told about a simulation that failed, or that needed something to go on.

use crate::failure::{Blame, Failure, FailureKind, Place, Unsolvable};
use crate::integrate::Trouble;
use crate::result::{Remark, Simulation};
use crate::tape::Unsupported;
use modeshift_base::shown;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::Place as Span;
use modeshift_mdae::model::{EquationKind, MDae, ModeDef, ModeId, Reads};
use modeshift_mdae::print::{definition, equation_body};
use modeshift_mdae::sym::{At, VarRef};
use modeshift_restart::diagnose::list_of;
use modeshift_restart::eliminate::Elimination;
use modeshift_restart::names::derivative_name;
use modeshift_restart::verdict::Verdict;

/// More labels than this make a message unreadable.
const MAX_LABELS: usize = 8;

/// The messages about a simulation.
pub fn diagnostics(mdae: &MDae, simulation: &Simulation) -> Vec<Diagnostic<Span>> {
    let teller = Teller {
        mdae,
        elimination: Elimination::of(mdae),
    };
    let mut list: Vec<_> = teller.remarks(&simulation.remarks);
    list.extend(
        simulation
            .failure
            .iter()
            .map(|failure| teller.failure(failure)),
    );
    list
}

/// `x` or `der(v)`, as the modeller calls it.
pub fn occurrence_name(mdae: &MDae, elimination: &Elimination, occurrence: VarRef) -> String {
    let named = elimination.backward(VarRef {
        at: At::Now,
        ..occurrence
    });
    match mdae.variables.get(named.var.0 as usize) {
        Some(variable) => derivative_name(&variable.name, named.order),
        None => "an auxiliary unknown".to_owned(),
    }
}

struct Teller<'m> {
    mdae: &'m MDae,
    elimination: Elimination,
}

impl Teller<'_> {
    fn name(&self, occurrence: VarRef) -> String {
        occurrence_name(self.mdae, &self.elimination, occurrence)
    }

    fn names(&self, occurrences: &[VarRef]) -> String {
        let mut names: Vec<String> = occurrences.iter().map(|&o| self.name(o)).collect();
        names.dedup();
        list_of(&names)
    }

    fn guards(&self, guards: &[ModeId]) -> String {
        let names = guards
            .iter()
            .map(|&id| self.mdae.modes[id].name.to_string());
        list_of(&names.collect::<Vec<_>>())
    }

    /// The mode in words: the mode variables that hold.
    fn mode(&self, mode: &[bool]) -> String {
        let shown = self
            .mdae
            .modes
            .iter_enumerated()
            .filter(|(_, m)| !m.auxiliary);
        let parts: Vec<String> = shown
            .map(|(id, m)| {
                format!(
                    "{}={}",
                    m.name,
                    mode.get(id.index()).copied().unwrap_or(false)
                )
            })
            .take(12)
            .collect();
        parts.join(", ")
    }

    fn label_guards(&self, diagnostic: Diagnostic<Span>, guards: &[ModeId]) -> Diagnostic<Span> {
        guards
            .iter()
            .take(MAX_LABELS)
            .fold(diagnostic, |diagnostic, &id| {
                let mode = &self.mdae.modes[id];
                let text = format!(
                    "`{}` is decided here: {}",
                    mode.name,
                    definition(self.mdae, mode)
                );
                diagnostic.label(mode.origin.span, text)
            })
    }

    fn label_equations(&self, diagnostic: Diagnostic<Span>, list: &[usize]) -> Diagnostic<Span> {
        let equations = list
            .iter()
            .filter_map(|&i| self.mdae.equations.iter().nth(i));
        equations
            .take(MAX_LABELS)
            .fold(diagnostic, |diagnostic, equation| {
                diagnostic.label(equation.origin.span, equation_body(self.mdae, equation))
            })
    }

    fn label_variables(&self, diagnostic: Diagnostic<Span>, list: &[VarRef]) -> Diagnostic<Span> {
        let known = list.iter().filter_map(|&o| {
            let named = self.elimination.backward(o);
            Some((o, self.mdae.variables.get(named.var.0 as usize)?))
        });
        known
            .take(MAX_LABELS)
            .fold(diagnostic, |diagnostic, (o, variable)| {
                diagnostic.label(variable.origin.span, format!("`{}`", self.name(o)))
            })
    }

    fn remarks(&self, remarks: &[Remark]) -> Vec<Diagnostic<Span>> {
        let mut list = Vec::new();
        let moved = |remark: &&Remark| matches!(remark, Remark::StartMoved { .. });
        if remarks.iter().any(|remark| moved(&remark)) {
            let message = "start values contradict the equations and were changed";
            let mut diagnostic = Diagnostic::new(Code::MS6011, message);
            for remark in remarks.iter().filter(moved).take(MAX_LABELS) {
                if let Remark::StartMoved { variable, from, to } = remark {
                    let named = self.elimination.backward(*variable);
                    let span = self.mdae.variable(named.var).origin.span;
                    let text = format!(
                        "`{}` starts at {to} instead of {from}",
                        self.name(*variable)
                    );
                    diagnostic = diagnostic.label(span, text);
                }
            }
            list.push(
                diagnostic
                    .note("`fixed = true` on a start value keeps it, and moves others instead"),
            );
        }
        for remark in remarks {
            match remark {
                Remark::StartRestarted => list.push(
                    Diagnostic::new(
                        Code::MS6013,
                        "the start values contradict the equations, so the start is computed like a mode change \
                         from these values",
                    )
                    .note("`modeshift restart` shows the equations of the start"),
                ),
                Remark::SeveralModes { time, guards } => {
                    let time = &shown(*time);
                    let message = format!(
                        "at time {time} another value of {} fits the equations, too",
                        self.guards(guards)
                    );
                    let diagnostic = Diagnostic::new(Code::MS6005, message);
                    list.push(self.label_guards(diagnostic, guards).note(
                        "simulation keeps the mode that is nearest to the one before",
                    ));
                }
                Remark::Warned { time, index } => {
                    list.extend(self.check(Code::MS6016, &shown(*time), *index));
                }
                Remark::Ended { time, index } => {
                    let time = &shown(*time);
                    let end = &self.mdae.ends[*index];
                    let message = format!("at time {time} the model ends the simulation: {}", end.message);
                    let diagnostic = Diagnostic::new(Code::MS6017, message);
                    list.push(diagnostic.label(end.origin.span, "ended here"));
                }
                Remark::StartMoved { .. } | Remark::Relaxed { .. } => {}
            }
        }
        list.extend(self.relaxed(remarks));
        list
    }

    /// One message for all relaxations, which may be many.
    fn relaxed(&self, remarks: &[Remark]) -> Option<Diagnostic<Span>> {
        let found: Vec<_> = remarks
            .iter()
            .filter_map(|remark| match remark {
                Remark::Relaxed {
                    time,
                    guard,
                    relaxations,
                } => Some((*time, *guard, *relaxations)),
                _ => None,
            })
            .collect();
        let &(time, guard, _) = found.first()?;
        let time = &shown(time);
        let message = format!(
            "from time {time} on the simulation slides where `{}` changes",
            self.mdae.modes[guard].name
        );
        let mut guards: Vec<ModeId> = found.iter().map(|(_, guard, _)| *guard).collect();
        guards.sort_unstable();
        guards.dedup();
        let mut diagnostic = self.label_guards(Diagnostic::new(Code::MS6014, message), &guards);
        for (time, _, relaxations) in found.iter().take(MAX_LABELS) {
            let names = [
                (relaxations.scc, "SCC (both constraints hold)"),
                (
                    relaxations.mso,
                    "MSO (a combination of the constraints holds)",
                ),
                (
                    relaxations.cch,
                    "CCH (the point is between the constraints)",
                ),
            ];
            let names: Vec<&str> = names.iter().filter(|n| n.0).map(|n| n.1).collect();
            diagnostic = diagnostic.note(format!("time {}: {}", shown(*time), names.join(", ")));
        }
        Some(diagnostic)
    }

    /// Whether one of these conditions depends on a comparison of values at the instant itself.
    fn reads_current(&self, flipping: &[ModeId]) -> bool {
        let mdae = self.mdae;
        flipping.iter().any(|&id| {
            let own = match mdae.modes[id].def {
                ModeDef::Formula(condition) => mdae.conds.support([condition]),
                _ => vec![id],
            };
            own.into_iter().any(|id| {
                let mode = &mdae.modes[id];
                matches!(mode.def, ModeDef::Predicate(_)) && mode.reads == Reads::Current
            })
        })
    }

    fn failure(&self, failure: &Failure) -> Diagnostic<Span> {
        let time = &shown(failure.time);
        let diagnostic = match &failure.kind {
            FailureKind::Unsupported(what, place) => return self.unsupported(what, *place),
            FailureKind::SingularMode(equations) => {
                self.singular_mode(time, &failure.mode, equations)
            }
            FailureKind::Restart {
                to,
                verdict: Verdict::SingularMode,
                ..
            } => self
                .singular_mode(time, to, &[])
                .note(format!("the mode after the change: {}", self.mode(to))),
            FailureKind::DependentConstraints(list) => {
                let message = format!(
                    "at time {time} the constraints depend on each other: no states can be chosen among {}",
                    self.names(list)
                );
                self.label_variables(Diagnostic::new(Code::MS6008, message), list)
            }
            FailureKind::Unsolvable(why, list) => self.unsolvable(time, *why, list),
            FailureKind::Initial(residual) => Diagnostic::new(
                Code::MS6002,
                "the start values, initial equations and equations contradict each other",
            )
            .note(format!(
                "the smallest residual that was reached is {residual:.3e}"
            ))
            .note("leave out `fixed = true` where a value follows from others"),
            FailureKind::Restart {
                to,
                verdict,
                undetermined,
            } => self.restart(failure, to, *verdict, undetermined),
            FailureKind::RestartUnsolved { to } => {
                let message =
                    format!("at time {time} the equations of the restart have no solution");
                Diagnostic::new(Code::MS6003, message)
                    .note(format!("the mode after the change: {}", self.mode(to)))
            }
            FailureKind::NoMode { flipping, rounds } => {
                let message = if *rounds > 1 {
                    format!(
                        "at time {time} no mode fits: {} still alternates after {rounds} rounds",
                        self.guards(flipping)
                    )
                } else {
                    format!(
                        "at time {time} no mode fits after {} changed",
                        self.guards(flipping)
                    )
                };
                let note = match self.reads_current(flipping) {
                    true => "read the value just before, `pre(…)`, in the condition",
                    false => {
                        "each value of the condition leads to the other one at this instant: let what ends a mode be false where \
                         what begins it holds"
                    }
                };
                self.label_guards(Diagnostic::new(Code::MS6004, message), flipping)
                    .note(note)
            }
            FailureKind::Discrete(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let who = match names.is_empty() {
                    true => "the discrete variables".to_owned(),
                    false => names.join(", "),
                };
                let message = format!("at time {time} the event does not settle: {who}");
                Diagnostic::new(Code::MS6004, message).note(
                    "read the value just before, `pre(…)`, where variables depend on each other",
                )
            }
            FailureKind::Zeno { at, guards, events } => {
                let message = format!(
                    "events accumulate at time {at:.6}: {events} so far, each sooner than the one before"
                );
                self.label_guards(Diagnostic::new(Code::MS6006, message), guards).note(
                    "a model that comes to rest needs a mode of rest, for example one that starts when the \
                     speed after an impact is small",
                )
            }
            FailureKind::Chattering { guards, events } => {
                let message = format!(
                    "at time {time} modes alternate: {events} events without time between them"
                );
                self.label_guards(Diagnostic::new(Code::MS6007, message), guards)
                    .note("`--method capture` follows the sliding motion between the modes")
            }
            FailureKind::StepTooSmall(blame) => step_too_small(time, blame),
            FailureKind::Assertion(index) => self.assertion(time, *index),
            FailureKind::Check(index) => match self.check(Code::MS6010, time, *index) {
                Some(diagnostic) => diagnostic,
                None => self.assertion(time, usize::MAX),
            },
            FailureKind::NoCapture(equation) => {
                let message = "the event-capturing scheme has no instants: `when` does not apply";
                self.label_equations(Diagnostic::new(Code::MS6015, message), &[*equation])
                    .note("leave out `--method capture`")
            }
        };
        if self.mdae.modes.is_empty() {
            return diagnostic;
        }
        diagnostic.note(format!("mode: {}", self.mode(&failure.mode)))
    }

    fn unsolvable(&self, time: &str, why: Unsolvable, list: &[VarRef]) -> Diagnostic<Span> {
        let names = self.names(list);
        let message = match why {
            Unsolvable::Singular => {
                format!("at time {time} the equations for {names} have no unique solution")
            }
            Unsolvable::Diverged => {
                format!("at time {time} no solution of the equations for {names} was found")
            }
            Unsolvable::Undefined => format!(
                "at time {time} {names} is not defined: a division by zero or a function outside its domain"
            ),
        };
        self.label_variables(Diagnostic::new(Code::MS6008, message), list)
    }

    fn singular_mode(&self, time: &str, mode: &[bool], equations: &[usize]) -> Diagnostic<Span> {
        let message =
            format!("at time {time} the equations do not determine the mode that was reached");
        let diagnostic = self.label_equations(Diagnostic::new(Code::MS6012, message), equations);
        // A mode that a law completes is one for an instant.
        let truth = self.mdae.conds.evaluate(mode);
        let mut laws = self.mdae.equations.iter();
        let law = laws.find(|it| {
            let is_law = matches!(it.kind, EquationKind::Transient(_));
            is_law && truth[it.guard.0 as usize]
        });
        match law {
            Some(law) => diagnostic
                .label(
                    law.origin.span,
                    "counts at the instant when its condition becomes true",
                )
                .note(
                    "this mode is meant for an instant only, and no run can start in it or stay there: give start values at \
                     which the condition of the `when` is false",
                ),
            None => diagnostic.note("`modeshift modes` shows which modes are singular, and why"),
        }
    }

    fn restart(
        &self,
        failure: &Failure,
        to: &[bool],
        verdict: Verdict,
        undetermined: &[VarRef],
    ) -> Diagnostic<Span> {
        let time = &shown(failure.time);
        let why = match verdict {
            Verdict::Undetermined => {
                let verb = if undetermined.len() == 1 { "is" } else { "are" };
                format!("{} {verb} not determined", self.names(undetermined))
            }
            Verdict::NonlinearImpulse => "an impulse enters an equation nonlinearly".to_owned(),
            Verdict::Inconsistent => "its equations contradict each other".to_owned(),
            Verdict::NumericallySingular => "its equations depend on each other".to_owned(),
            Verdict::SingularMode => "its mode is singular".to_owned(),
            Verdict::Ambiguous => "several restarts are possible".to_owned(),
            Verdict::Determined => "it is determined".to_owned(),
        };
        let message =
            format!("at time {time} the simulation cannot go on after a mode change: {why}");
        self.label_variables(Diagnostic::new(Code::MS6003, message), undetermined)
            .note(format!("the mode after the change: {}", self.mode(to)))
            .note("`modeshift transitions` explains the change")
    }

    fn unsupported(&self, what: &Unsupported, place: Place) -> Diagnostic<Span> {
        let message = match what {
            Unsupported::Function(name, why) => {
                format!("the function `{name}` cannot be simulated: {why}")
            }
            Unsupported::Parameter(id) => {
                let name = &self.mdae.parameter(*id).name;
                return Diagnostic::new(
                    Code::MS6001,
                    format!("the parameter `{name}` has no value"),
                )
                .label(self.mdae.parameter(*id).origin.span, "declared here")
                .note(format!("give it one with `--set {name}=…`"));
            }
            Unsupported::Variable(o) => format!("`{}` has no value here", self.name(*o)),
            Unsupported::Condition(_) => "a condition cannot be evaluated here".to_owned(),
            Unsupported::Text(_) => "strings cannot be computed while simulating".to_owned(),
        };
        let diagnostic = Diagnostic::new(Code::MS6001, message);
        match place {
            Place::Equation(index) => self.label_equations(diagnostic, &[index]),
            Place::Mode(id) => {
                diagnostic.label(self.mdae.modes[id].origin.span, "in this condition")
            }
        }
    }

    fn check(&self, code: Code, time: &str, index: usize) -> Option<Diagnostic<Span>> {
        let check = self.mdae.checks.get(index)?;
        let message = format!(
            "at time {time} an assertion does not hold: {}",
            check.message
        );
        Some(Diagnostic::new(code, message).label(check.origin.span, "asserted here"))
    }

    fn assertion(&self, time: &str, index: usize) -> Diagnostic<Span> {
        let Some(assertion) = self.mdae.assertions.get(index) else {
            return Diagnostic::new(
                Code::MS6010,
                format!("at time {time} an assertion does not hold"),
            );
        };
        let message = format!(
            "at time {time} an assertion does not hold: {}",
            assertion.message
        );
        Diagnostic::new(Code::MS6010, message).label(assertion.origin.span, "asserted here")
    }
}

/// Which state keeps the step from being taken, and why.
pub fn step_too_small(time: &str, blame: &Blame) -> Diagnostic<Span> {
    let message = format!("at time {time} the step size became too small");
    let diagnostic = Diagnostic::new(Code::MS6009, message);
    let why = match (&blame.name, blame.trouble) {
        (Some(name), Some(Trouble::Error(_))) => {
            format!("however small the step, the error of `{name}` is too large")
        }
        (Some(name), Some(Trouble::Iteration(_))) => {
            format!(
                "Newton's method for the end of the step does not converge; it moves `{name}` most"
            )
        }
        (_, Some(Trouble::NoValue)) => {
            "the equations have no solution where the step leads".to_owned()
        }
        _ => return diagnostic.note(SINGULARITY),
    };
    diagnostic.note(why).note(SINGULARITY)
}

const SINGULARITY: &str = "the solution has a singularity there, or the tolerance is too small";
