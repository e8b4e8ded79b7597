//! Values that are known before a simulation: what is computed from parameters that have been given a value.
//!
//! Nothing is assumed: a parameter that only has a start value is not known. At the start, what a variable is fixed to is
//! known as well.

use crate::model::{FlatExp, FlatModel, FlatRef, VarId, Variable};
use modeshift_base::{FxHashMap, shown};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Type, Variability};
use std::cell::RefCell;

/// Expressions nested deeper than this are not followed.
const MAX_DEPTH: u32 = 60;

#[derive(Clone, PartialEq, Debug)]
pub enum Known {
    Number(f64),
    Bool(bool),
    /// The number of a literal of an enumeration.
    Literal(u32),
    Text(String),
}

pub struct Knowns<'m> {
    model: &'m FlatModel,
    at_start: bool,
    variables: RefCell<FxHashMap<VarId, Option<Known>>>,
}

impl<'m> Knowns<'m> {
    /// What is known whatever the simulation does.
    pub fn always(model: &'m FlatModel) -> Self {
        Self {
            model,
            at_start: false,
            variables: RefCell::default(),
        }
    }

    /// What is known of the first instant.
    pub fn at_start(model: &'m FlatModel) -> Self {
        Self {
            at_start: true,
            ..Self::always(model)
        }
    }

    pub fn is_start(&self) -> bool {
        self.at_start
    }

    pub fn number(&self, exp: &FlatExp) -> Option<f64> {
        match self.value(exp)? {
            Known::Number(value) => Some(value),
            _ => None,
        }
    }

    pub fn value(&self, exp: &FlatExp) -> Option<Known> {
        self.at_depth(exp, 0)
    }

    fn at_depth(&self, exp: &FlatExp, depth: u32) -> Option<Known> {
        if depth > MAX_DEPTH {
            return None;
        }
        let value = |exp: &FlatExp| self.at_depth(exp, depth + 1);
        Some(match exp {
            Exp::Int(value) => Known::Number(*value as f64),
            Exp::Real(value) => Known::Number(*value),
            Exp::Bool(value) => Known::Bool(*value),
            Exp::Enum(_, literal) => Known::Literal(*literal),
            Exp::Str(text) => Known::Text(text.to_string()),
            Exp::Cast(_, inner) => value(inner)?,
            Exp::Ref(FlatRef::Var(id)) => self.variable(*id, depth)?,
            Exp::Unary(op, inner) => match (op, value(inner)?) {
                (UnaryOp::Neg, Known::Number(value)) => Known::Number(-value),
                (UnaryOp::Not, Known::Bool(value)) => Known::Bool(!value),
                _ => return None,
            },
            Exp::Binary(op, sides) => binary(*op, value(&sides.0), value(&sides.1))?,
            Exp::If(choice) => match value(&choice.condition)? {
                Known::Bool(true) => value(&choice.then)?,
                Known::Bool(false) => value(&choice.else_)?,
                _ => return None,
            },
            Exp::Call(call) => match (&call.function, &call.args[..]) {
                (Callee::Builtin(name), [first, ..]) if name.as_str() == "String" => {
                    match value(first)? {
                        Known::Number(value) => Known::Text(shown(value)),
                        Known::Bool(value) => Known::Text(value.to_string()),
                        _ => return None,
                    }
                }
                (Callee::Builtin(name), args) if call.ty == Type::Real => {
                    let args: Option<Vec<Known>> = args.iter().map(value).collect();
                    builtin(name.as_str(), &args?)?
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn variable(&self, id: VarId, depth: u32) -> Option<Known> {
        if let Some(known) = self.variables.borrow().get(&id) {
            return known.clone();
        }
        // A value that depends on itself is not known.
        self.variables.borrow_mut().insert(id, None);
        let variable = &self.model.variables[id];
        let given = match &variable.binding {
            Some(binding) if self.at_start || variable.variability <= Variability::Parameter => {
                Some(binding)
            }
            None if self.at_start => fixed_start(variable),
            _ => None,
        };
        let value = given.and_then(|exp| self.at_depth(exp, depth + 1));
        self.variables.borrow_mut().insert(id, value.clone());
        value
    }
}

/// The start value that a continuous variable is fixed to.
pub fn fixed_start(variable: &Variable) -> Option<&FlatExp> {
    let attribute = |name: &str| {
        let mut attributes = variable.attributes.iter();
        Some(&attributes.find(|it| it.name.as_str() == name)?.value)
    };
    let fixed = attribute("fixed") == Some(&Exp::Bool(true));
    let continuous = variable.variability == Variability::Continuous && variable.ty == Type::Real;
    attribute("start").filter(|_| fixed && continuous && !variable.discrete)
}

fn binary(op: BinaryOp, left: Option<Known>, right: Option<Known>) -> Option<Known> {
    use BinaryOp as B;
    use Known::{Bool, Literal, Number, Text};
    Some(match (op, left, right) {
        (B::And, Some(Bool(false)), _) | (B::And, _, Some(Bool(false))) => Bool(false),
        (B::Or, Some(Bool(true)), _) | (B::Or, _, Some(Bool(true))) => Bool(true),
        (op, Some(left), Some(right)) => match (op, left, right) {
            (B::Add, Number(a), Number(b)) => Number(a + b),
            (B::Sub, Number(a), Number(b)) => Number(a - b),
            (B::Mul, Number(a), Number(b)) => Number(a * b),
            (B::Div, Number(a), Number(b)) if b != 0.0 => Number(a / b),
            (B::Less, Number(a), Number(b)) => Bool(a < b),
            (B::LessEq, Number(a), Number(b)) => Bool(a <= b),
            (B::Greater, Number(a), Number(b)) => Bool(a > b),
            (B::GreaterEq, Number(a), Number(b)) => Bool(a >= b),
            (B::Add, Text(a), Text(b)) => Text(a + &b),
            (B::And | B::Or, Bool(a), Bool(_)) => Bool(a),
            (B::Equal, a, b) => Bool(a == b),
            (B::NotEqual, a, b) => Bool(a != b),
            (B::Less, Literal(a), Literal(b)) => Bool(a < b),
            _ => return None,
        },
        _ => return None,
    })
}

fn builtin(name: &str, args: &[Known]) -> Option<Known> {
    Some(Known::Number(match (name, args) {
        ("abs", [Known::Number(x)]) => x.abs(),
        ("sqrt", [Known::Number(x)]) if *x >= 0.0 => x.sqrt(),
        ("min", [Known::Number(a), Known::Number(b)]) => a.min(*b),
        ("max", [Known::Number(a), Known::Number(b)]) => a.max(*b),
        ("noEvent", [Known::Number(x)]) => *x,
        _ => return None,
    }))
}
