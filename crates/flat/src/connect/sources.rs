//! What connected signals and constants must be (Modelica 3.6 §9.3): a set of connected signals has one source at most, and
//! constants that are connected are equal. Linear in the members of all sets.

use super::equations::{Member, Sets};
use super::pairs::Kind;
use super::{Connection, End};
use crate::flatten::Flattener;
use crate::model::{Origin, VarId};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::tree::{Equation, EquationKind, Instance};
use modeshift_inst::ty::Causality;

/// An output of a component, or an input of the class that comes in from outside.
pub(super) fn is_source(end: End, causality: Option<Causality>) -> bool {
    match causality {
        Some(Causality::Output) => !end.outside,
        Some(Causality::Input) => end.outside && !end.protected,
        None => false,
    }
}

/// Reports every set with two sources, once for each pair of connectors.
pub(super) fn check(
    flattener: &mut Flattener<'_>,
    sets: &Sets,
    list: &[Connection],
    families: &[Vec<u32>],
) {
    // Outputs of the states of a machine are merged: only one state is active (§17.3.6).
    if has_states(flattener.cx.instance) {
        return;
    }
    let mut told = modeshift_base::FxHashSet::default();
    for family in families {
        let members = family.iter().map(|&number| &sets.members[number as usize]);
        let mut sources = members.filter(|member| member.source && member.kind == Kind::Potential);
        let (Some(first), Some(second)) = (sources.next(), sources.next()) else {
            continue;
        };
        let connection = |member: &Member| member.connection.map(|number| &list[number as usize]);
        let places = [first, second].map(|member| connection(member).map(|it| it.place));
        if !told.insert(places) {
            continue;
        }
        let names = [first, second].map(|it| &flattener.model.variables[it.variable].name);
        let mut diagnostic = Diagnostic::new(
            Code::MS3009,
            format!(
                "`{}` and `{}` are connected, and both give a signal",
                names[0], names[1]
            ),
        );
        // The connection that joins the two is the wrong one; without it, those that mention them first are shown.
        let both = [first, second].map(|it| it.variable.index());
        let joins = |it: &&Connection| {
            let ends = [it.from.base as usize, it.to.base as usize];
            ends == both || ends == [both[1], both[0]]
        };
        let direct = list.iter().find(joins);
        for (member, place) in [first, second].into_iter().zip(places) {
            let what = if member.outside {
                "an input of the class"
            } else {
                "an output"
            };
            let name = &flattener.model.variables[member.variable].name;
            let at = direct.map(|it| it.place).or(place);
            diagnostic = match at {
                Some(at) => diagnostic.label(at, format!("`{name}` is {what}")),
                None => diagnostic,
            };
        }
        let diagnostic = diagnostic.note(
            "A signal has one source: an output of a component, or an input of the class itself. Combine two of them in a block.",
        );
        flattener.cx.diagnostics.push(diagnostic);
    }
}

fn has_states(instance: &Instance) -> bool {
    let is_machine = |equation: &Equation| match &equation.kind {
        EquationKind::Call(Exp::Call(call)) => matches!(&call.function,
            Callee::Builtin(name) if matches!(name.as_str(), "transition" | "initialState")),
        _ => false,
    };
    let mut classes = instance.classes.iter();
    classes.any(|class| class.equations.iter().any(is_machine))
}

/// Two connected constants whose values are known and differ. The connection becomes an assertion (Modelica 3.6 §9.2), which
/// can be printed; a check makes this an error.
pub(super) fn different_constants(
    flattener: &mut Flattener<'_>,
    variables: [VarId; 2],
    origin: &Origin,
) {
    let [a, b] = variables.map(|id| &flattener.model.variables[id]);
    let diagnostic = Diagnostic::new(
        Code::MS3002,
        format!(
            "`{}` and `{}` are connected, but have different values",
            a.name, b.name
        ),
    )
    .with_severity(Severity::Warning)
    .label(origin.span, "in this connection")
    .label(a.origin.span, format!("`{}` is declared here", a.name))
    .label(b.origin.span, format!("`{}` is declared here", b.name))
    .note("Constants and parameters of connected connectors must be equal.");
    flattener.cx.diagnostics.push(diagnostic);
}
