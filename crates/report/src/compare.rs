//! What differs between two flat models: ours, and the one OpenModelica prints for the same class.
//!
//! Both are read as text, so that a difference in printing counts as well as one in meaning. What has no meaning
//! is taken out: layout, the order of declarations and equations, the sides and signs of equations, the form
//! of numbers, which equations of a connection set are written down, and under which of its names an alias is used.

mod canon;
mod diff;
mod equalities;
mod extensions;
mod junit;
mod known;
mod read;
mod scope;
mod text;
mod variables;

#[cfg(test)]
mod tests;

pub use diff::compare;
pub use extensions::extensions;
pub use junit::junit;
pub use known::{Known, KnownError};
pub use read::{FlatText, ReadError};
pub use text::{differences, summary};

use serde::Serialize;

/// Version of the document below; `docs/schemas/compare.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.compare/1";

/// The document of `modeshift compare --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub schema: &'static str,
    /// What OpenModelica calls itself; null if the recording does not say.
    pub openmodelica: Option<String>,
    pub models: Vec<Comparison>,
    pub summary: Summary,
}

/// One model.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub file: String,
    pub class: String,
    pub result: Outcome,
    /// Why a known difference is right, why a model cannot be compared, or what went wrong.
    pub reason: Option<String>,
    /// Of our flat model.
    pub variables: usize,
    pub equations: usize,
    pub differences: Vec<Difference>,
    /// Differences that were expected and are gone.
    pub stale: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing differs.
    Equal,
    /// Both compilers reject the model.
    BothReject,
    /// What differs is on the list of known differences.
    Known,
    /// Something differs that is not.
    Different,
    /// The model uses what only modeshift understands.
    NotExpressible,
    /// There is no recorded output for it.
    NotRecorded,
}

impl Outcome {
    pub const ALL: [Self; 6] = [
        Self::Equal,
        Self::BothReject,
        Self::Known,
        Self::Different,
        Self::NotExpressible,
        Self::NotRecorded,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::BothReject => "both reject",
            Self::Known => "known difference",
            Self::Different => "DIFFERENT",
            Self::NotExpressible => "not expressible in standard Modelica",
            Self::NotRecorded => "not recorded",
        }
    }
}

/// How many models have which result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    pub models: usize,
    pub equal: usize,
    pub both_reject: usize,
    pub known: usize,
    pub different: usize,
    pub not_expressible: usize,
    pub not_recorded: usize,
}

impl Summary {
    pub fn of(models: &[Comparison]) -> Self {
        let count = |outcome| models.iter().filter(|m| m.result == outcome).count();
        Self {
            models: models.len(),
            equal: count(Outcome::Equal),
            both_reject: count(Outcome::BothReject),
            known: count(Outcome::Known),
            different: count(Outcome::Different),
            not_expressible: count(Outcome::NotExpressible),
            not_recorded: count(Outcome::NotRecorded),
        }
    }
}

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One compiler rejects the model.
    Verdict,
    /// A function or the class itself.
    Class,
    Variable,
    Type,
    Prefixes,
    Attribute,
    Binding,
    /// Order of the inputs and outputs of a function.
    Signature,
    InitialEquation,
    Equation,
    InitialAlgorithm,
    Algorithm,
    External,
}

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Class => "class",
            Self::Variable => "variable",
            Self::Type => "type",
            Self::Prefixes => "prefixes",
            Self::Attribute => "attribute",
            Self::Binding => "binding",
            Self::Signature => "signature",
            Self::InitialEquation => "initial-equation",
            Self::Equation => "equation",
            Self::InitialAlgorithm => "initial-algorithm",
            Self::Algorithm => "algorithm",
            Self::External => "external",
        }
    }
}

/// One thing that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    pub kind: Kind,
    /// The function it stands in; null for the model itself.
    pub function: Option<String>,
    /// A variable, `variable.attribute`, or an equation.
    pub item: String,
    /// What OpenModelica prints; null where it prints nothing of the kind.
    pub openmodelica: Option<String>,
    /// What modeshift prints.
    pub modeshift: Option<String>,
}

impl Difference {
    /// What a list of known differences calls it.
    pub fn label(&self) -> String {
        let Self {
            kind,
            function,
            item,
            ..
        } = self;
        match function {
            Some(function) => format!("{} {function}: {item}", kind.as_str()),
            None => format!("{} {item}", kind.as_str()),
        }
    }
}
