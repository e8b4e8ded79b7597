//! The flat model as JSON. `docs/schemas/flat.schema.json` describes it; [`SCHEMA`] is its version.
//!
//! Expressions are Modelica text, with the variables they mention listed beside them, so that a reader
//! can draw the structure of a model without parsing. Every variable and equation says where it comes from:
//! file, line and column, and the instance whose class it stands in.

use super::modelica::{equation_text, exp_text, statements_text};
use crate::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Function, FunctionBody,
    FunctionVariable, Origin, OriginKind, Place, Variable,
};
use crate::walk::{equation_exps, walk};
use modeshift_base::FxIndexSet;
use modeshift_diag::json::JsonPlace;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type, Variability};
use serde::Serialize;
use serde_json::{Map, Value};

/// Version of the shape below.
pub const SCHEMA: &str = "modeshift.flat/1";

/// A flat model, ready to be serialised.
#[derive(Serialize)]
pub struct FlatDocument<'m> {
    pub schema: &'static str,
    pub model: &'m str,
    pub comment: Option<&'m str>,
    pub variables: Vec<VariableDocument<'m>>,
    pub initial_equations: Vec<EquationDocument<'m>>,
    pub equations: Vec<EquationDocument<'m>>,
    pub initial_algorithms: Vec<AlgorithmDocument<'m>>,
    pub algorithms: Vec<AlgorithmDocument<'m>>,
    pub functions: Vec<FunctionDocument<'m>>,
}

#[derive(Serialize)]
pub struct VariableDocument<'m> {
    name: &'m str,
    #[serde(rename = "type")]
    ty: String,
    variability: &'static str,
    causality: Option<&'static str>,
    flow: bool,
    protected: bool,
    #[serde(rename = "final")]
    final_: bool,
    attributes: Map<String, Value>,
    binding: Option<String>,
    comment: Option<&'m str>,
    origin: OriginDocument<'m>,
}

#[derive(Serialize)]
pub struct EquationDocument<'m> {
    kind: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lhs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rhs: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<BranchDocument<'m>>,
    /// Scalar variables that occur in it, in order of occurrence.
    variables: Vec<&'m str>,
    origin: OriginDocument<'m>,
}

#[derive(Serialize)]
pub struct BranchDocument<'m> {
    /// Absent for `else`.
    condition: Option<String>,
    equations: Vec<EquationDocument<'m>>,
}

#[derive(Serialize)]
pub struct AlgorithmDocument<'m> {
    text: String,
    origin: OriginDocument<'m>,
}

#[derive(Serialize)]
pub struct FunctionDocument<'m> {
    name: &'m str,
    comment: Option<&'m str>,
    kind: &'static str,
    pure: bool,
    inputs: Vec<String>,
    outputs: Vec<String>,
    text: String,
    origin: OriginDocument<'m>,
}

#[derive(Serialize)]
pub struct OriginDocument<'m> {
    kind: &'static str,
    /// The instance whose class it stands in; empty for the model itself.
    instance: &'m str,
    #[serde(flatten)]
    place: JsonPlace,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<JsonPlace>,
}

/// Builds the document; `locate` tells places as file, line and column.
pub struct Writer<'m, 'l> {
    model: &'m FlatModel,
    locate: &'l dyn Fn(Place) -> JsonPlace,
}

impl<'m, 'l> Writer<'m, 'l> {
    pub fn new(model: &'m FlatModel, locate: &'l dyn Fn(Place) -> JsonPlace) -> Self {
        Self { model, locate }
    }

    pub fn document(&self) -> FlatDocument<'m> {
        let model = self.model;
        FlatDocument {
            schema: SCHEMA,
            model: &model.name,
            comment: model.comment.as_deref(),
            variables: model
                .variables
                .iter()
                .map(|variable| self.variable(variable))
                .collect(),
            initial_equations: self.equations(&model.initial_equations),
            equations: self.equations(&model.equations),
            initial_algorithms: self.algorithms(&model.initial_algorithms),
            algorithms: self.algorithms(&model.algorithms),
            functions: model
                .functions
                .iter()
                .map(|function| self.function(function))
                .collect(),
        }
    }

    fn text(&self, exp: &FlatExp) -> String {
        exp_text(self.model, exp)
    }

    fn variable(&self, variable: &'m Variable) -> VariableDocument<'m> {
        let attributes = variable
            .attributes
            .iter()
            .map(|attribute| (attribute.name.to_string(), self.attribute(&attribute.value)))
            .collect();
        VariableDocument {
            name: &variable.name,
            ty: type_text(&variable.ty),
            variability: variability(variable.variability),
            causality: variable.causality.map(causality),
            flow: variable.flow,
            protected: variable.protected,
            final_: variable.final_,
            attributes,
            binding: variable.binding.as_ref().map(|binding| self.text(binding)),
            comment: variable.comment.as_deref(),
            origin: self.origin(&variable.origin),
        }
    }

    /// Literals keep their JSON type; other values are Modelica text in an object.
    fn attribute(&self, value: &FlatExp) -> Value {
        match value {
            Exp::Int(value) => Value::from(*value),
            Exp::Real(value) => Value::from(*value),
            Exp::Bool(value) => Value::from(*value),
            Exp::Str(text) => Value::from(&**text),
            other => {
                let mut object = Map::new();
                object.insert("expression".into(), Value::from(self.text(other)));
                Value::Object(object)
            }
        }
    }

    fn equations(&self, equations: &'m [Equation]) -> Vec<EquationDocument<'m>> {
        equations
            .iter()
            .map(|equation| self.equation(equation))
            .collect()
    }

    fn equation(&self, equation: &'m Equation) -> EquationDocument<'m> {
        let mut document = EquationDocument {
            kind: "equality",
            text: equation_text(self.model, equation),
            lhs: None,
            rhs: None,
            branches: Vec::new(),
            variables: self.variables_of(equation),
            origin: self.origin(&equation.origin),
        };
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => {
                document.lhs = Some(self.text(lhs));
                document.rhs = Some(self.text(rhs));
            }
            EquationKind::If { branches, else_ } => {
                document.kind = "if";
                document.branches = self.branches(branches);
                if !else_.is_empty() {
                    let equations = self.equations(else_);
                    document.branches.push(BranchDocument {
                        condition: None,
                        equations,
                    });
                }
            }
            EquationKind::When { branches } => {
                document.kind = "when";
                document.branches = self.branches(branches);
            }
            EquationKind::For { body, .. } => {
                document.kind = "for";
                let equations = self.equations(body);
                document.branches = vec![BranchDocument {
                    condition: None,
                    equations,
                }];
            }
            EquationKind::Assert { .. } => document.kind = "assert",
            EquationKind::Terminate { .. } => document.kind = "terminate",
            EquationKind::Reinit { .. } => document.kind = "reinit",
            EquationKind::Call(_) => document.kind = "call",
        }
        document
    }

    fn branches(&self, branches: &'m [(FlatExp, Vec<Equation>)]) -> Vec<BranchDocument<'m>> {
        branches
            .iter()
            .map(|(condition, body)| BranchDocument {
                condition: Some(self.text(condition)),
                equations: self.equations(body),
            })
            .collect()
    }

    fn variables_of(&self, equation: &Equation) -> Vec<&'m str> {
        let model = self.model;
        let mut names: FxIndexSet<&'m str> = FxIndexSet::default();
        let mut add = |id| {
            if let Some(variable) = model.variables.get(id) {
                names.insert(&variable.name);
            }
        };
        equation_exps(equation, &mut |exp| {
            walk(exp, &mut |part| match part {
                Exp::Ref(FlatRef::Var(id)) => add(*id),
                Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                    let members = model.groups.get(*id).map(|group| group.members.as_slice());
                    members.unwrap_or_default().iter().for_each(|id| add(*id));
                }
                _ => {}
            });
        });
        names.into_iter().collect()
    }

    fn algorithms(&self, algorithms: &'m [Algorithm]) -> Vec<AlgorithmDocument<'m>> {
        algorithms
            .iter()
            .map(|algorithm| AlgorithmDocument {
                text: statements_text(self.model, &algorithm.statements),
                origin: self.origin(&algorithm.origin),
            })
            .collect()
    }

    fn function(&self, function: &'m Function) -> FunctionDocument<'m> {
        let of = |wanted: Causality| {
            let is = move |local: &&FunctionVariable| local.causality == Some(wanted);
            function
                .locals
                .iter()
                .filter(is)
                .map(|local| local.name.to_string())
                .collect()
        };
        FunctionDocument {
            name: &function.name,
            comment: function.comment.as_deref(),
            kind: match &function.body {
                FunctionBody::Algorithm(_) => "algorithm",
                FunctionBody::External { .. } => "external",
                FunctionBody::RecordConstructor => "record-constructor",
                FunctionBody::Derivative { .. } => "derivative",
                FunctionBody::Partial => "partial",
            },
            pure: function.pure,
            inputs: of(Causality::Input),
            outputs: of(Causality::Output),
            text: super::modelica::function_text(self.model, function),
            origin: self.origin(&function.origin),
        }
    }

    fn origin(&self, origin: &'m Origin) -> OriginDocument<'m> {
        OriginDocument {
            kind: match origin.kind {
                OriginKind::Declaration => "declaration",
                OriginKind::Binding => "binding",
                OriginKind::Equation => "equation",
                OriginKind::Algorithm => "algorithm",
                OriginKind::Connection => "connection",
                OriginKind::UnconnectedFlow => "unconnected-flow",
            },
            instance: &origin.instance,
            place: (self.locate)(origin.span),
            also: origin
                .also
                .iter()
                .map(|place| (self.locate)(*place))
                .collect(),
        }
    }
}

const fn variability(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Structural => "structural-parameter",
        Variability::Parameter => "parameter",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

const fn causality(causality: Causality) -> &'static str {
    match causality {
        Causality::Input => "input",
        Causality::Output => "output",
    }
}

fn type_text(ty: &Type) -> String {
    match ty {
        Type::Real => "Real".into(),
        Type::Integer => "Integer".into(),
        Type::Boolean => "Boolean".into(),
        Type::String => "String".into(),
        Type::Clock => "Clock".into(),
        Type::Enumeration(ty) => ty.path.to_string(),
        Type::External(path) => path.to_string(),
        _ => "other".into(),
    }
}
