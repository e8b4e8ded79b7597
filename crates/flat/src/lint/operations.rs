//! Operations of equations that have no value: divisions by a parameter that is zero, and by a variable that is fixed to zero
//! at the start.

use crate::circuit::Circuit;
use crate::known::{Known, Knowns, fixed_start};
use crate::model::{Equation, EquationKind, FlatExp, FlatModel, Origin, Place};
use crate::undefined::{Undefined, operation};
use crate::walk::walk_while;
use modeshift_base::FxHashSet;
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Variability;

pub(super) fn without_value(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Diagnostic<Place>> {
    let mut told: FxHashSet<Place> = FxHashSet::default();
    let mut found = Vec::new();
    for knowns in [Knowns::always(model), Knowns::at_start(model)] {
        let search = Search { model, knowns };
        for (origin, undefined) in search.all() {
            if told.insert(origin.span) {
                found.push(search.tell(circuit, origin, &undefined));
            }
        }
    }
    found
}

struct Search<'m> {
    model: &'m FlatModel,
    knowns: Knowns<'m>,
}

impl<'m> Search<'m> {
    fn all(&self) -> Vec<(&'m Origin, Undefined)> {
        let mut found = Vec::new();
        let mut equations: Vec<&'m Equation> = self.model.equations.iter().rev().collect();
        while let Some(equation) = equations.pop() {
            match &equation.kind {
                EquationKind::Equality { lhs, rhs, .. } => {
                    let undefined = self.first(lhs).or_else(|| self.first(rhs));
                    found.extend(undefined.map(|it| (&*equation.origin, it)));
                }
                EquationKind::If { branches, else_ } => {
                    equations.extend(self.chosen(branches, else_).iter().rev());
                }
                _ => {}
            }
        }
        for variable in &self.model.variables {
            let unknown = variable.variability > Variability::Parameter;
            if let Some(binding) = variable.binding.as_ref().filter(|_| unknown) {
                let undefined = self.first(binding);
                found.extend(undefined.map(|it| (&*variable.origin, it)));
            }
        }
        found
    }

    /// The equations of the branch that holds, if that is known.
    fn chosen(
        &self,
        branches: &'m [(FlatExp, Vec<Equation>)],
        else_: &'m [Equation],
    ) -> &'m [Equation] {
        for (condition, body) in branches {
            match self.knowns.value(condition) {
                Some(Known::Bool(true)) => return body,
                Some(Known::Bool(false)) => {}
                _ => return &[],
            }
        }
        else_
    }

    /// The first operation without a value in an expression, in what is certainly evaluated of it.
    fn first(&self, exp: &FlatExp) -> Option<Undefined> {
        let mut found: Option<Undefined> = None;
        walk_while(exp, &mut |part| {
            if found.is_some() {
                return false;
            }
            if let Exp::If(choice) = part {
                found = match self.knowns.value(&choice.condition) {
                    Some(Known::Bool(true)) => self.first(&choice.then),
                    Some(Known::Bool(false)) => self.first(&choice.else_),
                    _ => None,
                };
                return false;
            }
            // An expression for the start alone, or one that is not evaluated at it.
            if matches!(part, Exp::Call(_)) && !is_evaluated(part) {
                return false;
            }
            found = operation(self.model, part, &|exp| self.knowns.number(exp));
            found.is_none()
        });
        found
    }

    fn tell(
        &self,
        circuit: &Circuit<'_>,
        origin: &Origin,
        undefined: &Undefined,
    ) -> Diagnostic<Place> {
        let why = &undefined.why;
        let whole = match why.strip_prefix("divides") {
            Some(rest) => format!("an equation divides{rest}"),
            None => why.clone(),
        };
        let start = undefined
            .variable
            .map(|id| &self.model.variables[id])
            .filter(|it| it.variability > Variability::Parameter);
        let (message, severity) = match self.knowns.is_start() {
            true => (format!("at the start, {whole}"), Severity::Warning),
            false => (whole, Severity::Error),
        };
        let mut diagnostic = Diagnostic::new(Code::MS6008, message).with_severity(severity);
        let component = circuit.component(&origin.instance);
        if let Some((name, place)) = component.filter(|_| !(circuit.own)(origin.span)) {
            diagnostic = diagnostic.label(place, format!("in `{name}`"));
        }
        diagnostic = diagnostic.label(origin.span, "has no value");
        if let Some(variable) = start.filter(|it| fixed_start(it).is_some()) {
            diagnostic = diagnostic
                .label(variable.origin.span, "its start value is fixed here")
                .note("the equation holds at the start, too: choose another start value, or treat this case with an `if`");
        } else if let Some(id) = undefined.variable {
            let variable = &self.model.variables[id];
            diagnostic = diagnostic.label(variable.origin.span, format!("`{}`", variable.name));
        }
        diagnostic
    }
}

/// Whether the arguments of a call are evaluated wherever it is.
fn is_evaluated(call: &FlatExp) -> bool {
    let Exp::Call(call) = call else { return true };
    match &call.function {
        modeshift_inst::exp::Callee::Builtin(name) => !matches!(
            name.as_str(),
            "homotopy" | "pre" | "delay" | "sample" | "der" | "previous" | "hold" | "semiLinear"
        ),
        modeshift_inst::exp::Callee::User(_) => true,
    }
}
