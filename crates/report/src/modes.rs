//! The document of `modeshift modes`: mode variables, classes of modes, offsets.

mod dot;
mod single;
mod table;

pub use crate::place::Places;
pub use dot::dot;
pub use single::{single, single_document};
pub use table::table;

use crate::ModelVerdict;
use modeshift_diag::Severity;
use modeshift_diag::json::JsonPlace;
use modeshift_mdae::analysis::{Analysis, Class, Classes, Kind, Singular, UNKNOWN_FREEDOM};
use modeshift_mdae::fixpoint::Fixpoint;
use modeshift_mdae::loops::Loop;
use modeshift_mdae::model::{EqId, MDae, Reads, VarKind};
use modeshift_mdae::print::{condition, definition, equation_body, meaning};
use modeshift_mdae::sym::{Rational, VarId, VarRef};
use serde::Serialize;
use serde_json::{Map, Number, Value};

/// Version of the shape below; `docs/schemas/modes.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.modes/1";

#[derive(Clone, Debug, Serialize)]
pub struct ModesDocument<D> {
    pub schema: &'static str,
    pub model: String,
    pub verdict: ModelVerdict,
    pub equations: usize,
    pub unknowns: usize,
    pub mode_variables: Vec<ModeVariable>,
    /// What the modes are restricted by.
    pub care: Vec<Care>,
    pub fixpoints: Vec<FixpointEntry>,
    /// Whether every mode was looked at for fixpoints; if not, there may be more of them.
    pub fixpoints_complete: bool,
    /// Conditions and unknowns that can only be found together, decided.
    pub loops: Vec<LoopEntry>,
    /// A number, or a string where a number would lose digits; null beyond the node limit.
    pub mode_count: Value,
    pub classes: Option<Vec<ClassEntry>>,
    pub offsets: OffsetTables,
    pub components: Vec<ComponentEntry>,
    pub diagnostics: Vec<D>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ModeVariable {
    pub name: String,
    pub definition: String,
    pub reads: &'static str,
    /// Decides no equation itself: a formula over other mode variables, or a part of one.
    pub derived: bool,
    pub span: JsonPlace,
}

#[derive(Clone, Debug, Serialize)]
pub struct Care {
    pub condition: String,
    pub reason: &'static str,
    pub span: Option<JsonPlace>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FixpointEntry {
    pub mode_variable: String,
    pub mode_variables: Vec<String>,
    pub predicate: String,
    pub variables: Vec<String>,
    pub equations: Vec<EquationEntry>,
    pub severity: Severity,
}

#[derive(Clone, Debug, Serialize)]
pub struct LoopEntry {
    pub mode_variables: Vec<String>,
    pub unknowns: Vec<String>,
    pub status: &'static str,
    /// How it was decided, or what was tried.
    pub procedure: String,
    pub witness: Option<WitnessEntry>,
    pub span: JsonPlace,
}

/// Values that were put into the equations of a loop, and what came out.
#[derive(Clone, Debug, Serialize)]
pub struct WitnessEntry {
    pub known: Map<String, Value>,
    pub fits: Vec<Map<String, Value>>,
    /// Values of unknowns in each solution, where the truth values do not tell them apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<Map<String, Value>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EquationEntry {
    pub equation: String,
    pub when: String,
    pub component: String,
    pub span: JsonPlace,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClassEntry {
    pub when: String,
    pub count: Value,
    pub index: Option<i32>,
    pub pryce_index: Option<i32>,
    pub dof: Option<i64>,
    pub singular: Option<SingularEntry>,
    /// Lasts for one instant: a `when` equation fires in these modes, and they are not square.
    pub transient: bool,
    /// Present if there are at most 4,096 modes.
    pub valuations: Option<Vec<Map<String, Value>>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SingularEntry {
    pub over: SetEntry,
    pub under: SetEntry,
}

#[derive(Clone, Debug, Serialize)]
pub struct SetEntry {
    pub equations: Vec<EquationEntry>,
    pub variables: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct OffsetTables {
    pub equations: Vec<EquationOffsets>,
    pub variables: Vec<VariableOffsets>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EquationOffsets {
    #[serde(flatten)]
    pub equation: EquationEntry,
    pub offsets: Vec<Offset>,
}

#[derive(Clone, Debug, Serialize)]
pub struct VariableOffsets {
    pub variable: String,
    pub offsets: Vec<Offset>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Offset {
    pub when: String,
    pub value: i32,
}

#[derive(Clone, Debug, Serialize)]
pub struct ComponentEntry {
    pub equations: usize,
    pub variables: Vec<String>,
    pub mode_variables: Vec<String>,
    /// Null if the component outgrew the node limit.
    pub classes: Option<Vec<ClassEntry>>,
}

/// The document when there is nothing to analyse: only what went wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Failed<D> {
    pub schema: &'static str,
    pub verdict: ModelVerdict,
    pub diagnostics: Vec<D>,
}

impl<D> Failed<D> {
    pub fn new(diagnostics: Vec<D>) -> Self {
        Self {
            schema: SCHEMA,
            verdict: ModelVerdict::Rejected,
            diagnostics,
        }
    }
}

/// Beyond this many scalar equations offsets are listed only where they depend on the mode or are not 0.
const ALL_OFFSETS: usize = 20_000;

/// The document; `diagnostics` come as they are to be printed.
pub fn document<D>(
    analysis: &Analysis,
    rejected: bool,
    diagnostics: Vec<D>,
    places: &Places<'_>,
) -> ModesDocument<D> {
    let mdae = &analysis.mdae;
    let writer = Writer { analysis, places };
    ModesDocument {
        schema: SCHEMA,
        model: mdae.name.to_string(),
        verdict: ModelVerdict::of(rejected),
        equations: analysis.rows.equations.len(),
        unknowns: mdae
            .variables
            .iter()
            .filter(|v| v.kind == VarKind::Unknown)
            .count(),
        mode_variables: writer.mode_variables(),
        care: writer.care(),
        fixpoints: analysis
            .fixpoints
            .iter()
            .filter(|f| f.severity == Severity::Error)
            .map(|f| writer.fixpoint(f))
            .collect(),
        fixpoints_complete: analysis.over_limit().is_none(),
        loops: writer.loops(),
        mode_count: analysis.mode_count.as_ref().map_or(Value::Null, number),
        classes: analysis
            .classes
            .as_ref()
            .map(|classes| writer.classes(classes)),
        offsets: writer.offsets(),
        components: writer.components(),
        diagnostics,
    }
}

/// As a JSON number where that is exact everywhere, else as a string.
pub fn number(value: &num_bigint::BigUint) -> Value {
    match u64::try_from(value) {
        Ok(small) if small < 1 << 53 => Value::Number(Number::from(small)),
        _ => Value::String(value.to_string()),
    }
}

struct Writer<'a> {
    analysis: &'a Analysis,
    places: &'a Places<'a>,
}

impl Writer<'_> {
    fn mdae(&self) -> &MDae {
        &self.analysis.mdae
    }

    fn mode_variables(&self) -> Vec<ModeVariable> {
        let mdae = self.mdae();
        let own = mdae
            .modes
            .iter()
            .filter(|mode| !mode.auxiliary)
            .map(|mode| ModeVariable {
                name: mode.name.to_string(),
                definition: definition(mdae, mode),
                reads: reads(mode.reads),
                derived: false,
                span: self.places.of(&mode.origin),
            });
        let derived = mdae.derived.iter().map(|mode| ModeVariable {
            name: mode.name.to_string(),
            definition: meaning(mdae, mode.value),
            reads: reads(
                mdae.conds
                    .support([mode.value])
                    .into_iter()
                    .map(|id| mdae.modes[id].reads)
                    .max()
                    .unwrap_or(Reads::Input),
            ),
            derived: true,
            span: self.places.of(&mode.origin),
        });
        own.chain(derived).collect()
    }

    fn care(&self) -> Vec<Care> {
        use modeshift_mdae::model::CareReason as R;
        let mdae = self.mdae();
        mdae.care
            .iter()
            .map(|fact| Care {
                condition: condition(mdae, fact.condition),
                reason: match fact.reason {
                    R::Assertion => "assertion",
                    R::Thresholds => "thresholds",
                    R::OneValue => "one-value",
                    R::Definition => "definition",
                    R::Constant => "constant",
                    R::Instant => "instant",
                },
                span: fact.origin.as_ref().map(|origin| self.places.of(origin)),
            })
            .collect()
    }

    fn fixpoint(&self, fixpoint: &Fixpoint) -> FixpointEntry {
        let mdae = self.mdae();
        let names: Vec<String> = fixpoint
            .modes
            .iter()
            .map(|&id| mdae.modes[id].name.to_string())
            .collect();
        let first = fixpoint.modes.first();
        FixpointEntry {
            mode_variable: names.first().cloned().unwrap_or_default(),
            mode_variables: names,
            predicate: first
                .map(|&id| definition(mdae, &mdae.modes[id]))
                .unwrap_or_default(),
            variables: self.names(&fixpoint.variables),
            equations: fixpoint
                .equations
                .iter()
                .map(|&id| self.equation(id))
                .collect(),
            severity: fixpoint.severity,
        }
    }

    fn loops(&self) -> Vec<LoopEntry> {
        let mdae = self.mdae();
        let entry = |decided: &Loop| -> Option<LoopEntry> {
            let origin = match decided.modes.first() {
                Some(&mode) => &mdae.modes[mode].origin,
                None => &mdae.equations[decided.choices(self.analysis).first()?.0].origin,
            };
            let witness = decided.witness.as_ref().map(|witness| WitnessEntry {
                known: witness
                    .known
                    .iter()
                    .map(|(name, value)| (name.clone(), Value::from(value.to_f64())))
                    .collect(),
                fits: witness
                    .fits
                    .iter()
                    .map(|fit| {
                        let value = |&(mode, value): &(_, bool)| {
                            (mdae.modes[mode].name.to_string(), Value::Bool(value))
                        };
                        fit.iter().map(value).collect()
                    })
                    .collect(),
                solutions: witness
                    .solutions
                    .iter()
                    .map(|solution| {
                        let value = |(unknown, value): &(_, Rational)| {
                            (derivative_text(mdae, *unknown), Value::from(value.to_f64()))
                        };
                        solution.iter().map(value).collect()
                    })
                    .collect(),
            });
            Some(LoopEntry {
                mode_variables: decided
                    .modes
                    .iter()
                    .map(|&id| mdae.modes[id].name.to_string())
                    .collect(),
                unknowns: decided
                    .unknowns
                    .iter()
                    .map(|&x| derivative_text(mdae, x))
                    .collect(),
                status: decided.status.name(),
                procedure: decided.procedure.clone(),
                witness,
                span: self.places.of(origin),
            })
        };
        self.analysis.loops.iter().filter_map(entry).collect()
    }

    fn names(&self, variables: &[VarId]) -> Vec<String> {
        variables
            .iter()
            .map(|&x| self.mdae().variable(x).name.to_string())
            .collect()
    }

    fn equation(&self, id: EqId) -> EquationEntry {
        let mdae = self.mdae();
        let equation = &mdae.equations[id];
        EquationEntry {
            equation: equation_body(mdae, equation),
            when: condition(mdae, equation.guard),
            component: equation.origin.instance.to_string(),
            span: self.places.of(&equation.origin),
        }
    }

    fn classes(&self, classes: &Classes) -> Vec<ClassEntry> {
        classes
            .classes
            .iter()
            .map(|class| self.class(classes, class))
            .collect()
    }

    fn class(&self, classes: &Classes, class: &Class) -> ClassEntry {
        let indices = match &class.kind {
            Kind::Regular(indices) => Some(*indices),
            _ => None,
        };
        ClassEntry {
            when: class.when.clone(),
            count: number(&class.count),
            index: indices.map(|i| i.index),
            pryce_index: indices.map(|i| i.pryce_index()),
            dof: indices
                .map(|i| i.degrees_of_freedom)
                .filter(|&freedom| freedom != UNKNOWN_FREEDOM),
            singular: match &class.kind {
                Kind::Singular(reason) => Some(self.singular(reason)),
                _ => None,
            },
            transient: class.kind == Kind::Transient,
            valuations: class.valuations.as_ref().map(|valuations| {
                valuations
                    .iter()
                    .map(|values| self.valuation(classes, values))
                    .collect()
            }),
        }
    }

    fn singular(&self, reason: &Singular) -> SingularEntry {
        let set = |equations: &[EqId], variables: &[VarId]| SetEntry {
            equations: equations.iter().map(|&id| self.equation(id)).collect(),
            variables: self.names(variables),
        };
        SingularEntry {
            over: set(&reason.over_equations, &reason.over_variables),
            under: set(&reason.under_equations, &reason.under_variables),
        }
    }

    /// Mode variables and the Booleans that follow from them.
    fn valuation(&self, classes: &Classes, values: &[bool]) -> Map<String, Value> {
        let mdae = self.mdae();
        let mut map = Map::new();
        let mut full = vec![None; mdae.modes.len()];
        for (var, &value) in classes.modes.iter().zip(values) {
            map.insert(
                mdae.modes.as_slice()[var.index()].name.to_string(),
                Value::Bool(value),
            );
            full[var.index()] = Some(value);
        }
        if !mdae.derived.is_empty() {
            let truth = mdae.conds.evaluate_partial(&full);
            for derived in &mdae.derived {
                if let Some(value) = truth[derived.value.0 as usize] {
                    map.insert(derived.name.to_string(), Value::Bool(value));
                }
            }
        }
        map
    }

    fn offsets(&self) -> OffsetTables {
        let mdae = self.mdae();
        let rows = &self.analysis.rows.equations;
        let all = rows.len() <= ALL_OFFSETS;
        let interesting = |offsets: &[Offset]| all || offsets.len() != 1 || offsets[0].value != 0;
        let convert = |offsets: Vec<(String, i32)>| -> Vec<Offset> {
            offsets
                .into_iter()
                .map(|(when, value)| Offset { when, value })
                .collect()
        };
        let equations = rows
            .iter()
            .enumerate()
            .map(|(row, &id)| (id, convert(self.analysis.equation_offsets(row))))
            .filter(|(_, offsets)| interesting(offsets))
            .map(|(id, offsets)| EquationOffsets {
                equation: self.equation(id),
                offsets,
            })
            .collect();
        let variables = mdae
            .variable_ids()
            .filter(|&x| mdae.is_unknown(x))
            .map(|x| (x, convert(self.analysis.variable_offsets(x))))
            .filter(|(_, offsets)| interesting(offsets))
            .map(|(x, offsets)| VariableOffsets {
                variable: mdae.variable(x).name.to_string(),
                offsets,
            })
            .collect();
        OffsetTables {
            equations,
            variables,
        }
    }

    fn components(&self) -> Vec<ComponentEntry> {
        let mdae = self.mdae();
        let name = |classes: &Classes| {
            classes
                .modes
                .iter()
                .map(|var| mdae.modes.as_slice()[var.index()].name.to_string())
                .collect()
        };
        self.analysis
            .parts
            .iter()
            .map(|part| ComponentEntry {
                equations: part.equations.len(),
                variables: part
                    .variables
                    .iter()
                    .take(ALL_OFFSETS)
                    .map(|&x| mdae.variable(x).name.to_string())
                    .collect(),
                mode_variables: part.classes.as_ref().map(name).unwrap_or_default(),
                classes: part.classes.as_ref().map(|classes| self.classes(classes)),
            })
            .collect()
    }
}

const fn reads(reads: Reads) -> &'static str {
    match reads {
        Reads::Input => "input",
        Reads::LeftLimit => "left-limit",
        Reads::Current => "current",
    }
}

/// `der(der(x))`
pub(crate) fn derivative_text(mdae: &MDae, occurrence: VarRef) -> String {
    let name = &mdae.variable(occurrence.var).name;
    let order = occurrence.order as usize;
    format!("{}{name}{}", "der(".repeat(order), ")".repeat(order))
}
