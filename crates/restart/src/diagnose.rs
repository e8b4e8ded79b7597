//! What a modeller is told about mode changes.

mod forced;
mod functions;

pub use forced::{ForcedJump, forced_jump};

use crate::array::RowKind;
use crate::cascade::{left_at_once, unbounded_laws};
use crate::describe::describe;
use crate::explore::{Exploration, PartResult, Transition};
use crate::names::PartNames;
use crate::regular::dependent_equations;
use crate::verdict::{Analysis, Flag, Verdict};
use functions::functions_that_differ;
use modeshift_base::{FileSpan, FxIndexMap};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_mdae::around::{around_mode, note};
use modeshift_mdae::cond::Formula;
use modeshift_mdae::model::{EqId, Family, MDae, ModeDef, ModeId};
use modeshift_mdae::print::equation_body;
use modeshift_mdae::sym::{Style, VarId, VarRef, variables};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// More labels than this make a message unreadable.
const MAX_LABELS: usize = 12;

/// The messages about one change, which stands for `count` changes with the same result.
pub fn diagnose(found: &Exploration<'_>, transition: &Transition, count: usize) -> Vec<Diagnostic> {
    let teller = Teller {
        found,
        transition,
        count,
    };
    let mut list = Vec::new();
    for &part in &transition.parts {
        teller.part(&found.parts[part], &mut list);
    }
    if transition.unbounded {
        list.push(teller.unbounded());
    } else {
        list.extend(teller.maybe_unbounded());
    }
    list.extend(teller.left_at_once());
    if found.needs_earlier_time(transition) {
        let cannot = "this cannot happen in a simulation: time does not run backwards";
        let told = list.into_iter();
        return told
            .map(|it| it.with_severity(Severity::Note).note(cannot))
            .collect();
    }
    list
}

/// Of changes with the same result, the one to tell of: a singular mode that a run can go around is less than one where it
/// cannot.
pub fn gravest(found: &Exploration<'_>, alike: &[usize]) -> Option<usize> {
    let stuck = |&member: &usize| {
        let transition = &found.transitions[member];
        let mut parts = transition.parts.iter().map(|&part| &found.parts[part]);
        parts.any(|part| part.analysis.verdict == Verdict::SingularMode)
            && around_mode(found.modes.mdae, &transition.to).is_empty()
    };
    let first = alike.first().copied();
    alike.iter().copied().find(stuck).or(first)
}

/// A law for a variable that is no state, where another equation of the conflict ties it to states.
fn reset_of_no_state(mdae: &MDae, conflict: &[(EqId, RowKind)]) -> Option<String> {
    let mut states: BTreeSet<VarId> = BTreeSet::new();
    for equation in mdae.equations.iter().filter(|it| it.is_long()) {
        let sides = [&equation.lhs, &equation.rhs].into_iter();
        let mentioned = sides.flat_map(variables);
        states.extend(mentioned.filter(|it| it.order > 0).map(|it| it.var));
    }
    let is_law = |row: &RowKind| matches!(row, RowKind::Law { .. });
    let laws = conflict.iter().filter(|(_, row)| is_law(row));
    let mut reset = laws.filter_map(|(id, _)| Some(mdae.equations[*id].lhs.as_var()?.var));
    let x = reset.find(|x| !states.contains(x))?;
    let given = conflict.iter().find(|(id, row)| {
        let equation = &mdae.equations[*id];
        !is_law(row)
            && equation
                .lhs
                .as_var()
                .is_some_and(|it| it.var == x && it.order == 0)
            && variables(&equation.rhs).is_empty()
    });
    if let Some((id, _)) = given {
        let name = &mdae.variable(x).name;
        let body = equation_body(mdae, &mdae.equations[*id]);
        return Some(format!(
            "`{name}` is not a state: `{body}` determines it at every instant, so that no event can set it; only a state can be reset"
        ));
    }
    let (tie, tied) = conflict.iter().find_map(|(id, row)| {
        let equation = &mdae.equations[*id];
        let mut mentioned = variables(&equation.lhs);
        mentioned.extend(variables(&equation.rhs));
        let ties = !is_law(row) && mentioned.iter().any(|it| it.var == x);
        let tied = mentioned.iter().map(|it| it.var);
        let tied: BTreeSet<VarId> = tied.filter(|it| states.contains(it)).collect();
        (ties && !tied.is_empty()).then_some((*id, tied))
    })?;
    let name = &mdae.variable(x).name;
    let tie = equation_body(mdae, &mdae.equations[tie]);
    let named: Vec<String> = tied
        .iter()
        .map(|it| mdae.variable(*it).name.to_string())
        .collect();
    let (states, keep) = match &named[..] {
        [only] => (
            format!("the state `{only}`"),
            format!("which keeps its value; reset `{only}` instead"),
        ),
        _ => (
            format!("the states {}", list_of(&named)),
            "and nothing says which of them follows it; reset these instead".to_owned(),
        ),
    };
    Some(format!(
        "`{name}` is not a state: its derivative does not occur in the model, and `{tie}` ties it to {states}, {keep}"
    ))
}

/// `n = n + 1` in a `when`: on the right the new value is meant, not the one before.
fn own_new_value(mdae: &MDae, conflict: &[(EqId, RowKind)]) -> Option<String> {
    let laws = conflict.iter();
    let laws = laws.filter(|(_, row)| matches!(row, RowKind::Law { .. }));
    let mut own = laws.filter_map(|(id, _)| {
        let equation = &mdae.equations[*id];
        let x = equation.lhs.as_var()?;
        variables(&equation.rhs).contains(&x).then_some(x)
    });
    let name = &mdae.variable(own.next()?.var).name;
    Some(format!(
        "on both sides `{name}` is the value after the instant: write `pre({name})` on the right for the value before it"
    ))
}

/// A state that a `when` gives a value by an equation, although it keeps its differential equation.
fn state_assigned(mdae: &MDae, conflict: &[(EqId, RowKind)]) -> Option<String> {
    let states: BTreeSet<VarId> = mdae
        .equations
        .iter()
        .filter(|it| it.is_long())
        .flat_map(|it| variables(&it.lhs).into_iter().chain(variables(&it.rhs)))
        .filter(|it| it.order > 0)
        .map(|it| it.var)
        .collect();
    let laws = conflict.iter();
    let laws = laws.filter(|(_, row)| matches!(row, RowKind::Law { .. }));
    let mut assigned = laws.filter_map(|(id, _)| {
        let equation = &mdae.equations[*id];
        let x = equation.lhs.as_var()?.var;
        states.contains(&x).then_some((x, equation))
    });
    let (x, law) = assigned.next()?;
    let name = &mdae.variable(x).name;
    let body = equation_body(mdae, law);
    let value = body.split_once(" = ").map_or("…", |(_, value)| value);
    Some(format!(
        "`{name}` is a state, which has its differential equation already: set its value with `reinit({name}, {value})`"
    ))
}

/// What an impulse inside a function decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nonlinear {
    /// The states after the change.
    Decides,
    /// These, but from start values that a run does not keep.
    FromGuesses,
    /// Values at the instant only.
    Bystander,
}

struct Teller<'e, 'm> {
    found: &'e Exploration<'m>,
    transition: &'e Transition,
    count: usize,
}

impl Teller<'_, '_> {
    fn part(&self, result: &PartResult, list: &mut Vec<Diagnostic>) {
        let names = self.names(result);
        let analysis = &result.analysis;
        let first = list.len();
        match analysis.verdict {
            Verdict::Determined => {}
            Verdict::Ambiguous => list.push(self.ambiguous(&names)),
            Verdict::Undetermined => list.push(self.undetermined(&names)),
            Verdict::NonlinearImpulse => {
                list.push(self.nonlinear(&names, self.moves_starts(&names)))
            }
            Verdict::Inconsistent => list.push(self.inconsistent(&names)),
            Verdict::NumericallySingular => list.push(self.numerically_singular(&names)),
            Verdict::SingularMode => list.push(self.singular_mode(&names)),
        }
        if analysis.verdict != Verdict::NonlinearImpulse && !analysis.nonlinear.is_empty() {
            list.push(self.nonlinear(&names, Nonlinear::Bystander));
        }
        // A mode that is singular is so without the change.
        if analysis.verdict != Verdict::SingularMode
            && list.len() > first
            && let Some(functions) = functions_that_differ(&result.part)
        {
            let functions: Vec<String> = functions.into_iter().collect();
            let note = format!(
                "the equations before and after differ only in arguments of {}: if its values meet at the change, nothing of \
                 this happens",
                list_of(&functions)
            );
            let errors = list[first..].iter_mut();
            for diagnostic in errors.filter(|it| it.severity == Severity::Error) {
                diagnostic.severity = Severity::Warning;
                diagnostic.notes.push(note.clone());
            }
        }
        if !analysis.redundant.is_empty() {
            list.push(self.redundant(&names));
        }
        if matches!(analysis.verdict, Verdict::Determined | Verdict::Ambiguous) {
            for flag in &analysis.flags {
                if let Flag::SchemeDependent {
                    row,
                    impulse,
                    states,
                } = flag
                {
                    list.push(self.scheme_dependent(&names, *row, *impulse, states));
                }
            }
            list.extend(self.started_from_last_value(&names));
        }
    }

    fn names<'a>(&'a self, result: &'a PartResult) -> PartNames<'a> {
        let modes = &self.found.modes;
        PartNames {
            mdae: modes.mdae,
            elimination: &modes.elimination,
            result,
        }
    }

    /// `when `g` becomes true`, with the number of changes it stands for.
    fn when(&self) -> String {
        let mut text = describe(self.found, self.transition);
        if self.count > 1 {
            let _ = match self.count - 1 {
                1 => write!(text, " (and in one other change)"),
                n => write!(text, " (and in {n} other changes)"),
            };
        }
        text
    }

    fn undetermined(&self, names: &PartNames<'_>) -> Diagnostic {
        let analysis = &names.result.analysis;
        let states: Vec<String> = analysis
            .undetermined
            .iter()
            .map(|v| names.state(*v))
            .collect();
        let algebraic = algebraic_before(analysis);
        let open: Vec<VarRef> = algebraic
            .into_iter()
            .filter(|state| analysis.undetermined.contains(state))
            .collect();
        let only_algebraic = open.len() == analysis.undetermined.len();
        let message = format!(
            "{}, nothing determines which value {} {} afterwards",
            self.when(),
            list_of(&states),
            if states.len() == 1 { "has" } else { "have" }
        );
        let mut diagnostic = Diagnostic::new(Code::MS5001, message);
        for &state in analysis.undetermined.iter().take(MAX_LABELS / 2) {
            diagnostic = self.at_variable(
                diagnostic,
                names,
                state,
                "its value after the change is open",
            );
        }
        for equation in self.new_constraints(names) {
            diagnostic = self.at_equation(diagnostic, equation, "this becomes a constraint");
        }
        let known: Vec<String> = analysis
            .determined
            .iter()
            .map(|v| names.state(*v))
            .collect();
        if !known.is_empty() {
            diagnostic = diagnostic.note(format!(
                "{} {} determined",
                list_of(&known),
                if known.len() == 1 { "is" } else { "are" }
            ));
        }
        for &state in open.iter().take(MAX_LABELS / 2) {
            let name = names.state(state);
            diagnostic = diagnostic.note(format!(
                "`{name}` is a state of the new mode but was none before, and the equations of the instant need a value \
                 for it: say which one it starts from, `reinit({name}, …)` in a `when` for this change"
            ));
        }
        if !only_algebraic {
            diagnostic = diagnostic.note(
                "the new constraint does not hold at the instant of the change, and the equations do not \
                 say how it is reached: let the change happen where the constraint's own function crosses \
                 zero, or add a law for the instant in `when`",
            );
        }
        diagnostic
    }

    /// States that go on from the last value which they had as algebraic variables.
    fn started_from_last_value(&self, names: &PartNames<'_>) -> Option<Diagnostic> {
        let states = algebraic_before(&names.result.analysis);
        let named: Vec<String> = states.iter().map(|state| names.state(*state)).collect();
        let how = match states.len() {
            0 => return None,
            1 => "starts from its last value: it was no state before",
            _ => "start from their last values: they were no states before",
        };
        let message = format!("{}, {} {how}", self.when(), list_of(&named));
        let mut diagnostic = Diagnostic::new(Code::MS5009, message);
        for &state in states.iter().take(MAX_LABELS) {
            diagnostic =
                self.at_variable(diagnostic, names, state, "a state after the change only");
        }
        // Only variables can be set, not their derivatives.
        let example = states
            .iter()
            .zip(&named)
            .find(|(state, _)| names.model_occurrence(**state).order == 0);
        if let Some((_, name)) = example {
            diagnostic = diagnostic.note(format!(
                "to start from another value write `reinit({name}, …)` in a `when` for this change"
            ));
        }
        Some(diagnostic)
    }

    /// Equations that hold in the new mode only and constrain states there.
    fn new_constraints(&self, names: &PartNames<'_>) -> Vec<EqId> {
        let part = &names.result.part;
        let Some(offsets) = &names.result.analysis.offsets_after else {
            return Vec::new();
        };
        let old: Vec<_> = part.change.before.iter().map(|e| &e.residual).collect();
        let new = part.change.after.iter().zip(&offsets.c);
        new.filter(|(equation, c)| **c > 0 && !old.contains(&&equation.residual))
            .filter_map(|(equation, _)| part.sources.get(equation.source).copied())
            .take(MAX_LABELS / 2)
            .collect()
    }

    /// Start values are no values that something jumps from: a run looks for others that fit, unless they are fixed.
    fn moves_starts(&self, names: &PartNames<'_>) -> Nonlinear {
        let mdae = self.found.modes.mdae;
        let guess = |state: &VarRef| !mdae.variable(names.model_occurrence(*state).var).fixed;
        let analysis = &names.result.analysis;
        let mut moved = analysis.undetermined.iter().chain(&analysis.jumps);
        match self.transition.from {
            None if moved.any(guess) => Nonlinear::FromGuesses,
            _ => Nonlinear::Decides,
        }
    }

    fn nonlinear(&self, names: &PartNames<'_>, what_for: Nonlinear) -> Diagnostic {
        let analysis = &names.result.analysis;
        let mut impulses: Vec<String> = Vec::new();
        for (_, variables) in &analysis.nonlinear {
            impulses.extend(variables.iter().map(|v| names.state(*v)));
        }
        impulses.sort();
        impulses.dedup();
        let what = if impulses.is_empty() {
            "a variable".to_owned()
        } else {
            list_of(&impulses)
        };
        let message = format!(
            "{}, {what} {} impulsive and {} inside a nonlinear function",
            self.when(),
            if impulses.len() > 1 { "are" } else { "is" },
            if impulses.len() > 1 {
                "occur"
            } else {
                "occurs"
            }
        );
        let severity = match what_for {
            Nonlinear::Decides => Severity::Error,
            Nonlinear::FromGuesses | Nonlinear::Bystander => Severity::Warning,
        };
        let mut diagnostic = Diagnostic::new(Code::MS5002, message).with_severity(severity);
        for (row, variables) in analysis.nonlinear.iter().take(MAX_LABELS) {
            let inside: Vec<String> = variables.iter().map(|v| names.state(*v)).collect();
            if let Some(equation) = names.source(*row) {
                let text = format!("{} cannot be infinite here", list_of(&inside));
                diagnostic = self.at_equation(diagnostic, equation, &text);
            }
        }
        diagnostic = diagnostic.note(match what_for {
            Nonlinear::Decides => {
                "an impulse has a weight but no values: only sums and products (and powers) of it have a \
                 meaning, so the state after the change is not defined"
            }
            Nonlinear::FromGuesses => {
                "so it would be from these start values; those that are not fixed are guesses, and a run starts from others, which fit"
            }
            Nonlinear::Bystander => {
                "no state depends on it, so the restart is defined; the value at the instant is not"
            }
        });
        let follows = analysis.open.iter().map(|v| names.state(*v));
        let mut follows: Vec<String> = follows.filter(|name| !impulses.contains(name)).collect();
        follows.sort();
        follows.dedup();
        if what_for == Nonlinear::Bystander && !follows.is_empty() {
            let verb = if follows.len() == 1 { "is" } else { "are" };
            diagnostic = diagnostic.note(format!(
                "whether {} {verb} impulsive follows from it and is not known",
                list_of(&follows)
            ));
        }
        diagnostic.note(
            "add the inertia, capacity or compliance that limits the variable, or make the equation \
             linear in it",
        )
    }

    fn inconsistent(&self, names: &PartNames<'_>) -> Diagnostic {
        let analysis = &names.result.analysis;
        let mut equations: Vec<(EqId, RowKind)> = Vec::new();
        for &row in &analysis.conflict {
            if let Some(equation) = names.source(row)
                && !equations.iter().any(|(known, _)| *known == equation)
            {
                equations.push((equation, row));
            }
        }
        // Laws and constraints are what the modeller can choose; the dynamics come last.
        equations.sort_by_key(|(_, row)| match row {
            RowKind::Law { .. } => 0,
            RowKind::Equation { order, instant, .. } if *instant > 0 || *order > 0 => 1,
            RowKind::Equation { .. } => 2,
            RowKind::Instant { .. } | RowKind::Euler(_) => 3,
        });
        let what = match equations.len() {
            1 => "this equation has no solution",
            _ => "the equations contradict each other",
        };
        let message = format!("{}, {what}", self.when());
        let mut diagnostic = Diagnostic::new(Code::MS5003, message);
        for (equation, row) in equations.iter().take(MAX_LABELS) {
            let text = match row {
                RowKind::Law { .. } => "this law for the instant",
                RowKind::Equation { order: 0, .. } => "this equation",
                RowKind::Equation { .. } => "the time derivative of this constraint",
                RowKind::Instant { .. } | RowKind::Euler(_) => "this equation at the instant",
            };
            diagnostic = self.at_equation(diagnostic, *equation, text);
        }
        if let Some(note) = own_new_value(names.mdae, &equations) {
            return diagnostic.note(note);
        }
        if let Some(note) = reset_of_no_state(names.mdae, &equations) {
            return diagnostic.note(note);
        }
        if let Some(note) = state_assigned(names.mdae, &equations) {
            return diagnostic.note(note);
        }
        diagnostic.note(match equations.len() {
            1 => "no values at the instant satisfy it",
            _ => "no values at the instant satisfy all of them: leave out one",
        })
    }

    fn ambiguous(&self, names: &PartNames<'_>) -> Diagnostic {
        let analysis = &names.result.analysis;
        let message = format!(
            "{}, equally good choices of equations give different values",
            self.when()
        );
        let mut diagnostic = Diagnostic::new(Code::MS5007, message);
        let mut told = Vec::new();
        for &(left_out, used) in &analysis.rivals {
            let texts = [
                (used, "this equation is used at the instant"),
                (
                    left_out,
                    "this one could take its place, with another result",
                ),
            ];
            for (row, text) in texts {
                if let Some(equation) = names.source(row)
                    && !told.contains(&equation)
                    && told.len() < MAX_LABELS
                {
                    told.push(equation);
                    diagnostic = self.at_equation(diagnostic, equation, text);
                }
            }
        }
        let part = &names.result.part.change;
        let before = part.before.iter().map(|e| &e.residual);
        let states_before: Vec<VarRef> = before.flat_map(variables).collect();
        let new: Vec<String> = analysis
            .jumps
            .iter()
            .filter(|state| {
                !states_before
                    .iter()
                    .any(|o| o.var == state.var && o.order > state.order)
            })
            .map(|state| names.state(*state))
            .collect();
        if let Some(name) = new.first() {
            let verb = if new.len() == 1 {
                "is a state of the new mode but was none"
            } else {
                "are states of the new mode but were none"
            };
            diagnostic = diagnostic.note(format!(
                "{} {verb} before: say which value to start from, `reinit({name}, pre({name}))` in a `when` for \
                 this change if it is the last one",
                list_of(&new)
            ));
        }
        diagnostic
    }

    fn numerically_singular(&self, names: &PartNames<'_>) -> Diagnostic {
        let analysis = &names.result.analysis;
        let part = &names.result.part;
        let restart = !analysis.system.is_generically_regular();
        let what = match restart {
            true => "equations for the restart",
            false => "equations of the mode after it",
        };
        let message = format!(
            "{}, the {what} depend on each other for all values of the parameters",
            self.when()
        );
        let mut diagnostic = Diagnostic::new(Code::MS5005, message);
        let in_model = |row: usize| {
            let equation = part.change.after.get(row)?;
            part.sources.get(equation.source).copied()
        };
        let offsets = analysis.offsets_after.as_ref();
        let mut sources: Vec<EqId> = match (restart, offsets) {
            (true, _) => {
                let rows = analysis.system.equations.iter();
                rows.filter_map(|equation| names.source(equation.kind))
                    .collect()
            }
            (false, Some(offsets)) => {
                let rows = dependent_equations(&part.change.after, offsets).into_iter();
                rows.filter_map(in_model).collect()
            }
            (false, None) => Vec::new(),
        };
        // In large modes nobody looks for the few that cancel.
        let sure = !sources.is_empty();
        if !sure {
            sources = (0..part.change.after.len()).filter_map(in_model).collect();
        }
        let text = match sure {
            true => "takes part",
            false => "one of the equations concerned",
        };
        for source in sources.into_iter().take(MAX_LABELS) {
            diagnostic = self.at_equation(diagnostic, source, text);
        }
        diagnostic.note(match restart {
            true => {
                "each equation has a variable of its own, but the coefficients cancel: variables that jump and variables that \
                 are impulsive have been mixed; write the model in the variables that each equation is about"
            }
            false => {
                "each equation has a variable of its own, but the coefficients cancel: solve one of these equations for a variable \
                 and put it into the others, so that what cancels does not stand there any more"
            }
        })
    }

    fn singular_mode(&self, names: &PartNames<'_>) -> Diagnostic {
        let message = format!(
            "{}, the mode after the change is structurally singular",
            self.when()
        );
        let mut diagnostic = Diagnostic::new(Code::MS5014, message);
        if let Some(reason) = &names.result.analysis.singular {
            let part = &names.result.part;
            let list = &part.change.after;
            for &equation in reason.equations.iter().take(MAX_LABELS) {
                if let Some(&source) = list.get(equation).and_then(|e| part.sources.get(e.source)) {
                    diagnostic =
                        self.at_equation(diagnostic, source, "too many for their unknowns");
                }
            }
            for &var in reason.unknowns.iter().take(MAX_LABELS) {
                let state = VarRef::now(var, 0);
                diagnostic = self.at_variable(diagnostic, names, state, "has no equation");
            }
        }
        // A run does not restart into a mode that it can go around.
        let mdae = self.found.modes.mdae;
        let late = around_mode(mdae, &self.transition.to);
        if !late.is_empty() {
            return diagnostic
                .with_severity(Severity::Warning)
                .note(note(mdae, &late));
        }
        diagnostic.note(
            "a restart into such a mode has no meaning: give each unknown one equation in this mode; if the mode cannot happen, say \
             so with `assert`, and it is left out",
        )
    }

    fn redundant(&self, names: &PartNames<'_>) -> Diagnostic {
        let analysis = &names.result.analysis;
        let message = format!(
            "{}, a law repeats what the new mode says already",
            self.when()
        );
        let mut diagnostic = Diagnostic::new(Code::MS5004, message);
        for &row in analysis.redundant.iter().take(MAX_LABELS) {
            if let Some(equation) = names.source(row) {
                diagnostic = self.at_equation(diagnostic, equation, "follows from the new mode");
            }
        }
        for equation in self.new_constraints(names) {
            diagnostic = self.at_equation(diagnostic, equation, "this constraint implies it");
        }
        diagnostic.note("it is left out; the restart is the same without it")
    }

    fn scheme_dependent(
        &self,
        names: &PartNames<'_>,
        row: RowKind,
        impulse: VarRef,
        states: &[VarRef],
    ) -> Diagnostic {
        let states: Vec<String> = states.iter().map(|v| names.state(*v)).collect();
        let message = format!(
            "{}, the impulse of `{}` is multiplied by {}, which jumps at the same instant",
            self.when(),
            names.state(impulse),
            list_of(&states)
        );
        let mut diagnostic = Diagnostic::new(Code::MS5008, message);
        if let Some(equation) = names.source(row) {
            diagnostic =
                self.at_equation(diagnostic, equation, "the product has no unique meaning");
        }
        diagnostic.note(
            "the restart takes the value before the jump; a numerical integration through the instant may \
             take another and come to another result",
        )
    }

    fn unbounded(&self) -> Diagnostic {
        let turning = self.turning();
        let names: Vec<String> = turning.keys().map(ToString::to_string).collect();
        let what = match names.len() {
            0 => "conditions change".to_owned(),
            1 => format!("{} changes", list_of(&names)),
            _ => format!("{} change", list_of(&names)),
        };
        let message = format!(
            "{}, {what} again and again, and the event does not end",
            self.when()
        );
        let mut diagnostic = Diagnostic::new(Code::MS5006, message);
        for (name, span) in turning.iter().take(MAX_LABELS) {
            diagnostic = diagnostic.label(*span, format!("`{name}` does not come to rest"));
        }
        for update in self.found.modes.mdae.updates.iter().take(MAX_LABELS) {
            diagnostic = diagnostic.label(update.origin.span, "changes a condition at the instant");
        }
        diagnostic.note(
            "the event was followed until a combination of conditions came back: let one of them keep its \
             value until something else changes",
        )
    }

    /// The variables that keep changing in an event without end, with the places of their declarations or definitions.
    fn turning(&self) -> FxIndexMap<Arc<str>, FileSpan> {
        let modes = &self.found.modes;
        let Some(from) = &self.transition.from else {
            return FxIndexMap::default();
        };
        let flips = self.transition.flipped.iter();
        let flips: Vec<(ModeId, bool)> = flips.map(|&id| (id, !from[id.index()])).collect();
        let Some(event) = modes.follow(from, &flips) else {
            return FxIndexMap::default();
        };
        let back = event.cascade.iter().position(|mode| *mode == event.settled);
        let round = &event.cascade[back.unwrap_or(0)..];
        let turns = |id: ModeId| {
            round
                .iter()
                .any(|mode| mode[id.index()] != round[0][id.index()])
        };
        let mdae = modes.mdae;
        let mut found = FxIndexMap::default();
        for (id, variable) in mdae.modes.iter_enumerated().filter(|(id, _)| turns(*id)) {
            if matches!(variable.def, ModeDef::Left(_) | ModeDef::Pulse(_)) {
                continue;
            }
            let values = |family: &&Family| {
                family
                    .values
                    .iter()
                    .any(|it| mdae.conds.formula(it.condition) == &Formula::Mode(id))
            };
            match mdae.families.iter().find(values) {
                Some(family) => found.insert(family.name.clone(), family.origin.span),
                None => found.insert(variable.name.clone(), variable.origin.span),
            };
        }
        found
    }

    fn maybe_unbounded(&self) -> Option<Diagnostic> {
        let laws = unbounded_laws(self.found, self.transition);
        let message = format!(
            "{}, resets may trigger further ones without end",
            self.when()
        );
        let mut diagnostic =
            Diagnostic::new(Code::MS5006, message).with_severity(Severity::Warning);
        for &law in laws.iter().take(MAX_LABELS) {
            diagnostic = self.at_equation(diagnostic, law, "resets what a condition reads");
        }
        let diagnostic = diagnostic.note(
            "a condition reads a variable that is reset at this instant, so it may become true again \
             at once; let conditions read positions and laws reset velocities, or reset to a value that \
             makes the condition false",
        );
        (!laws.is_empty()).then_some(diagnostic)
    }

    fn left_at_once(&self) -> Option<Diagnostic> {
        let modes = left_at_once(self.found, self.transition);
        let &first = modes.first()?;
        let variable = &self.found.modes.mdae.modes[first];
        let message = format!(
            "{}, the values after the jump contradict `{}`: the new mode is left at once",
            self.when(),
            variable.name
        );
        let diagnostic = Diagnostic::new(Code::MS5010, message);
        Some(diagnostic.label(
            variable.origin.span,
            "this condition flips again at the same instant",
        ))
    }

    fn at_equation(&self, diagnostic: Diagnostic, equation: EqId, text: &str) -> Diagnostic {
        let mdae = self.found.modes.mdae;
        let found = &mdae.equations[equation];
        let mut label = text.to_owned();
        let at: FileSpan = found.origin.span;
        if !found.origin.instance.is_empty() {
            let _ = write!(label, " (in `{}`)", found.origin.instance);
        }
        let known = diagnostic
            .labels
            .iter()
            .any(|l| l.at == at && l.message == label);
        if known {
            diagnostic
        } else {
            diagnostic.label(at, label)
        }
    }

    fn at_variable(
        &self,
        diagnostic: Diagnostic,
        names: &PartNames<'_>,
        state: VarRef,
        text: &str,
    ) -> Diagnostic {
        let occurrence = names.model_occurrence(state);
        let variable = self.found.modes.mdae.variable(occurrence.var);
        diagnostic.label(
            variable.origin.span,
            format!("`{}`: {text}", names.state(state)),
        )
    }
}

fn algebraic_before(analysis: &Analysis) -> Vec<VarRef> {
    let flags = analysis.flags.iter();
    let states = flags.filter_map(|flag| match flag {
        Flag::AlgebraicBefore { state } => Some(*state),
        Flag::SchemeDependent { .. } => None,
    });
    states.collect()
}

/// `a`, `b` and `c`, quoted.
pub fn list_of(names: &[String]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(MAX_LABELS)
        .map(|n| format!("`{n}`"))
        .collect();
    let more = names.len().saturating_sub(MAX_LABELS);
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        _ if more > 0 => format!("{} and {more} more", quoted.join(", ")),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The text of the equation a row comes from.
pub fn source_text(found: &Exploration<'_>, equation: EqId) -> String {
    let mdae = found.modes.mdae;
    equation_body(mdae, &mdae.equations[equation])
}

/// A row as text: which equation, differentiated how often.
pub fn row_text(names: &PartNames<'_>, row: RowKind) -> Option<String> {
    let equation = names.source(row)?;
    let body = equation_body(names.mdae, &names.mdae.equations[equation]);
    Some(match row {
        RowKind::Equation { order: 0, .. } | RowKind::Instant { .. } | RowKind::Law { .. } => body,
        RowKind::Equation { order, .. } => format!("{} of {body}", derivative_word(order)),
        RowKind::Euler(_) => return None,
    })
}

fn derivative_word(order: u32) -> String {
    match order {
        1 => "d/dt".to_owned(),
        order => format!("d^{order}/dt^{order}"),
    }
}

/// The style of equations in messages and JSON.
pub const STYLE: Style = Style::Math;
