//! The mDAE itself: guarded equations as text and as a document.

use crate::place::Places;
use modeshift_diag::json::JsonPlace;
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::{Equation, EquationKind, MDae, VarKind};
use modeshift_mdae::print::{Text, condition, definition, equation_body, meaning};
use modeshift_mdae::sym::{Style, print};
use serde::Serialize;
use std::fmt::Write as _;

/// Version of the shape below; `docs/schemas/mdae.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.mdae/1";

#[derive(Clone, Debug, Serialize)]
pub struct MdaeDocument<D> {
    pub schema: &'static str,
    pub model: String,
    pub variables: Vec<VariableEntry>,
    pub parameters: Vec<ParameterEntry>,
    pub mode_variables: Vec<ModeEntry>,
    pub derived: Vec<DerivedEntry>,
    pub equations: Vec<GuardedEquation>,
    pub initial_equations: Vec<GuardedEquation>,
    pub updates: Vec<UpdateEntry>,
    pub care: Vec<String>,
    pub diagnostics: Vec<D>,
}

#[derive(Clone, Debug, Serialize)]
pub struct VariableEntry {
    pub name: String,
    pub kind: &'static str,
    pub start: Option<String>,
    pub span: JsonPlace,
}

#[derive(Clone, Debug, Serialize)]
pub struct ParameterEntry {
    pub name: String,
    pub value: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ModeEntry {
    pub name: String,
    pub definition: String,
    /// Occurs only in definitions of other mode variables.
    pub auxiliary: bool,
    pub span: JsonPlace,
}

#[derive(Clone, Debug, Serialize)]
pub struct DerivedEntry {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct GuardedEquation {
    /// `if`, `when` or `reinit`.
    pub kind: &'static str,
    pub guard: String,
    pub equation: String,
    pub component: String,
    pub span: JsonPlace,
}

#[derive(Clone, Debug, Serialize)]
pub struct UpdateEntry {
    pub mode_variable: String,
    pub guard: String,
    pub value: String,
}

pub fn document<D>(mdae: &MDae, diagnostics: Vec<D>, places: &Places<'_>) -> MdaeDocument<D> {
    let equation = |equation: &Equation| GuardedEquation {
        kind: kind(equation),
        guard: condition(mdae, equation.guard),
        equation: equation_body(mdae, equation),
        component: equation.origin.instance.to_string(),
        span: places.of(&equation.origin),
    };
    MdaeDocument {
        schema: SCHEMA,
        model: mdae.name.to_string(),
        variables: mdae
            .variables
            .iter()
            .map(|variable| VariableEntry {
                name: variable.name.to_string(),
                kind: variable_kind(variable.kind),
                start: variable
                    .start
                    .as_ref()
                    .map(|e| print(e, &Text(mdae), Style::Modelica)),
                span: places.of(&variable.origin),
            })
            .collect(),
        parameters: mdae
            .parameters
            .iter()
            .map(|p| ParameterEntry {
                name: p.name.to_string(),
                value: p.value,
            })
            .collect(),
        mode_variables: mdae
            .modes
            .iter()
            .map(|mode| ModeEntry {
                name: mode.name.to_string(),
                definition: definition(mdae, mode),
                auxiliary: mode.auxiliary,
                span: places.of(&mode.origin),
            })
            .collect(),
        derived: mdae
            .derived
            .iter()
            .map(|d| DerivedEntry {
                name: d.name.to_string(),
                value: meaning(mdae, d.value),
            })
            .collect(),
        equations: mdae.equations.iter().map(equation).collect(),
        initial_equations: mdae.initial_equations.iter().map(equation).collect(),
        updates: mdae
            .updates
            .iter()
            .map(|update| UpdateEntry {
                mode_variable: mdae.modes[update.mode].name.to_string(),
                guard: condition(mdae, update.guard),
                value: condition(mdae, update.value),
            })
            .collect(),
        care: mdae
            .care
            .iter()
            .map(|fact| condition(mdae, fact.condition))
            .collect(),
        diagnostics,
    }
}

const fn kind(equation: &Equation) -> &'static str {
    match equation.kind {
        EquationKind::Long => "if",
        EquationKind::Transient(_) => "when",
        EquationKind::Reinit { .. } => "reinit",
    }
}

const fn variable_kind(kind: VarKind) -> &'static str {
    match kind {
        VarKind::Unknown => "unknown",
        VarKind::Held => "held",
        VarKind::Input => "input",
    }
}

/// The mDAE in the notation of the papers, with Modelica's expressions.
pub fn text(mdae: &MDae) -> String {
    let mut out = format!("mdae {}\n", mdae.name);
    for variable in &mdae.variables {
        let _ = writeln!(out, "  {} {}", variable_kind(variable.kind), variable.name);
    }
    for parameter in &mdae.parameters {
        let _ = match parameter.value {
            Some(value) => writeln!(out, "  parameter {} = {value}", parameter.name),
            None => writeln!(out, "  parameter {}", parameter.name),
        };
    }
    if !mdae.modes.is_empty() {
        out.push_str("modes\n");
        for mode in &mdae.modes {
            let auxiliary = if mode.auxiliary {
                " (in definitions only)"
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "  {} := {}{auxiliary}",
                mode.name,
                definition(mdae, mode)
            );
        }
        for derived in &mdae.derived {
            let _ = writeln!(
                out,
                "  {} := {}",
                derived.name,
                meaning(mdae, derived.value)
            );
        }
    }
    for fact in &mdae.care {
        let _ = writeln!(out, "  always {}", condition(mdae, fact.condition));
    }
    equations(mdae, "equations", mdae.equations.iter(), &mut out);
    equations(mdae, "initially", mdae.initial_equations.iter(), &mut out);
    for update in &mdae.updates {
        let _ = writeln!(
            out,
            "  when {} then {} := {}",
            condition(mdae, update.guard),
            mdae.modes[update.mode].name,
            condition(mdae, update.value)
        );
    }
    out
}

fn equations<'m>(
    mdae: &MDae,
    title: &str,
    equations: impl Iterator<Item = &'m Equation>,
    out: &mut String,
) {
    let mut first = true;
    for equation in equations {
        if std::mem::take(&mut first) {
            let _ = writeln!(out, "{title}");
        }
        let word = if equation.is_long() { "if" } else { "when" };
        let body = equation_body(mdae, equation);
        let _ = match equation.guard {
            Conds::TRUE => writeln!(out, "  {body}"),
            guard => writeln!(out, "  {word} {} then {body}", condition(mdae, guard)),
        };
    }
}
