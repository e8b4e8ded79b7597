//! How variables, conditions and equations are written in reports.

use crate::cond::Formula;
use crate::model::{Equation, EquationKind, MDae, ModeDef, ModeVar};
use crate::sym::{CondId, Kind, Names, ParamId, Style, VarRef, print};
use std::fmt::Write as _;

/// The names of an mDAE.
pub struct Text<'m>(pub &'m MDae);

impl Names for Text<'_> {
    fn var(&self, occurrence: VarRef) -> String {
        self.0.variable(occurrence.var).name.to_string()
    }

    fn param(&self, id: ParamId) -> String {
        self.0.parameter(id).name.to_string()
    }

    fn cond(&self, id: CondId) -> String {
        condition(self.0, id)
    }
}

/// Longer texts than this help nobody.
const MAX_CONDITION: usize = 400;

/// A condition as Modelica would write it: `g and not x > 0`. Conditions that the model gives a name have that name.
pub fn condition(mdae: &MDae, id: CondId) -> String {
    let mut text = String::new();
    write_condition(mdae, id, 0, &mut text);
    text
}

/// What a named condition stands for.
pub fn meaning(mdae: &MDae, id: CondId) -> String {
    let mut text = String::new();
    write_formula(mdae, id, 0, &mut text);
    text
}

/// Precedences: 0 `or`, 1 `and`, 2 `not`. Nesting is bounded: deep inside the text is cut.
fn write_condition(mdae: &MDae, id: CondId, precedence: u8, text: &mut String) {
    if text.len() > MAX_CONDITION {
        if !text.ends_with('…') {
            text.push('…');
        }
        return;
    }
    match mdae.name_of(id) {
        Some(named) => text.push_str(&named.name),
        None => write_formula(mdae, id, precedence, text),
    }
}

fn write_formula(mdae: &MDae, id: CondId, precedence: u8, text: &mut String) {
    match mdae.conds.formula(id) {
        Formula::Const(value) => text.push_str(if *value { "true" } else { "false" }),
        Formula::Mode(mode) => {
            let name = &mdae.modes[*mode].name;
            let compound = name.contains(' ') && precedence > 1;
            let _ = if compound {
                write!(text, "({name})")
            } else {
                write!(text, "{name}")
            };
        }
        Formula::Not(inner) => {
            text.push_str("not ");
            write_condition(mdae, *inner, 2, text);
        }
        Formula::And(operands) => write_junction(mdae, operands, " and ", 1, precedence, text),
        Formula::Or(operands) => write_junction(mdae, operands, " or ", 0, precedence, text),
    }
}

fn write_junction(
    mdae: &MDae,
    operands: &[CondId],
    word: &str,
    own: u8,
    outer: u8,
    text: &mut String,
) {
    // Conditions with a name have become flat among the others.
    let (names, rest) = mdae.names_within(operands, own == 1);
    let is_whole = rest.is_empty() && names.len() == 1;
    let (names, rest) = match is_whole {
        true => (Vec::new(), operands.to_vec()),
        false => (names, rest),
    };
    let several = names.len() + rest.len() > 1;
    if outer > own && several {
        text.push('(');
    }
    for (i, name) in names.iter().enumerate() {
        if i > 0 {
            text.push_str(word);
        }
        text.push_str(name);
    }
    for (i, operand) in rest.iter().enumerate() {
        if i + names.len() > 0 {
            text.push_str(word);
        }
        write_condition(mdae, *operand, own + u8::from(own == 0), text);
    }
    if outer > own && several {
        text.push(')');
    }
}

/// `lhs = rhs` without its guard.
pub fn equation_body(mdae: &MDae, equation: &Equation) -> String {
    let names = Text(mdae);
    match &equation.kind {
        EquationKind::Reinit { variable, .. } => format!(
            "reinit({}, {})",
            mdae.variable(*variable).name,
            print(&equation.rhs, &names, Style::Modelica)
        ),
        _ => format!(
            "{} = {}",
            print(&equation.lhs, &names, Style::Modelica),
            print(&equation.rhs, &names, Style::Modelica)
        ),
    }
}

/// What a mode variable is defined by.
pub fn definition(mdae: &MDae, mode: &ModeVar) -> String {
    let names = Text(mdae);
    match &mode.def {
        ModeDef::Input => "input".to_owned(),
        ModeDef::Pulse(_) => "instants given from outside".to_owned(),
        ModeDef::Held => "held between events".to_owned(),
        ModeDef::Left(condition_id) => format!("left limit of {}", condition(mdae, *condition_id)),
        ModeDef::Predicate(predicate) => format!(
            "{} {} {}",
            print(&predicate.lhs, &names, Style::Modelica),
            predicate.op.symbol(),
            print(&predicate.rhs, &names, Style::Modelica)
        ),
        ModeDef::Formula(formula) => meaning(mdae, *formula),
        ModeDef::Choice(family) => format!("a value of {}", mdae.families[*family].name),
        ModeDef::Opaque(value) => match value.kind() {
            // A comparison that is named by its own text.
            Kind::Call(function, args)
                if args.is_empty() && function.name.as_str() == &*mode.name =>
            {
                mode.name.to_string()
            }
            _ => print(value, &names, Style::Modelica),
        },
    }
}
