//! Calls of functions with values that are known once loops are unrolled and elements chosen.

use crate::model::{FlatExp, FlatRef};
use modeshift_inst::ceval::{Frame, InstanceWorld, eval};
use modeshift_inst::exp::{Call, Callee, Exp};
use modeshift_inst::tree::Instance;
use modeshift_inst::ty::Type;

/// The value of a call of a pure function with literal arguments; `None` if it cannot be known.
pub(super) fn call(instance: &Instance, call: &Call, args: &[FlatExp]) -> Option<FlatExp> {
    let Callee::User(name) = &call.function else {
        return None;
    };
    if matches!(call.ty, Type::Tuple(_) | Type::NoReturn | Type::External(_)) {
        return None;
    }
    let function = instance
        .functions
        .iter()
        .find(|function| function.name == *name)?;
    if !function.pure {
        return None;
    }
    let args = args.iter().map(literal).collect::<Option<Vec<Exp>>>()?;
    let known = Exp::Call(Box::new(Call {
        function: call.function.clone(),
        args,
        ty: call.ty.clone(),
    }));
    let mut world = InstanceWorld::new(instance);
    let value = eval(&mut world, &known, &mut Frame::default()).ok()?;
    Some(value.to_exp::<FlatRef>())
}

/// A literal of any type as an expression of the instance phase.
pub fn literal(exp: &FlatExp) -> Option<Exp> {
    Some(match exp {
        Exp::Int(value) => Exp::Int(*value),
        Exp::Real(value) => Exp::Real(*value),
        Exp::Bool(value) => Exp::Bool(*value),
        Exp::Str(text) => Exp::Str(text.clone()),
        Exp::Enum(ty, index) => Exp::Enum(ty.clone(), *index),
        Exp::Array(elements, ty) => Exp::Array(
            elements.iter().map(literal).collect::<Option<_>>()?,
            ty.clone(),
        ),
        Exp::Record(ty, fields) => Exp::Record(
            ty.clone(),
            fields.iter().map(literal).collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}
