//! Operations that have no value for some arguments: what is wrong with one, in words.

use crate::model::{FlatExp, FlatModel, FlatRef, VarId};
use modeshift_base::shown;
use modeshift_inst::exp::{BinaryOp, Callee, Exp};

/// An operation without a value.
pub struct Undefined {
    /// "divides by `x`, which is zero"
    pub why: String,
    /// The variable whose value is to blame, where there is one.
    pub variable: Option<VarId>,
}

/// Whether an operation has no value, where `number` gives the values of its operands. Looks at `exp` itself, not into it.
pub fn operation(
    model: &FlatModel,
    exp: &FlatExp,
    number: &dyn Fn(&FlatExp) -> Option<f64>,
) -> Option<Undefined> {
    let variable = |exp: &FlatExp| match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(*id),
        _ => None,
    };
    let name = |id: VarId| &model.variables[id].name;
    match exp {
        Exp::Binary(BinaryOp::Div, sides) if number(&sides.1) == Some(0.0) => {
            let variable = variable(&sides.1);
            let why = match variable {
                Some(id) => format!("divides by `{}`, which is zero", name(id)),
                None => "divides by zero".to_owned(),
            };
            Some(Undefined { why, variable })
        }
        Exp::Call(call) => {
            let (Callee::Builtin(function), [argument]) = (&call.function, &call.args[..]) else {
                return None;
            };
            let value = number(argument)?;
            let outside = match function.as_str() {
                "sqrt" => value < 0.0,
                "log" | "log10" => value <= 0.0,
                "asin" | "acos" => value.abs() > 1.0,
                _ => false,
            };
            let variable = variable(argument);
            outside.then(|| {
                let value = shown(value);
                let why = match variable {
                    Some(id) => {
                        let given = name(id);
                        format!("`{function}({given})` is not defined where `{given}` is {value}")
                    }
                    None => format!("`{function}` is not defined for {value}"),
                };
                Undefined { why, variable }
            })
        }
        _ => None,
    }
}
