//! Small expressions, written once.

use crate::model::{FlatExp, FlatRef, VarId};
use crate::simplify;
use modeshift_base::Name;
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, IfExp};
use modeshift_inst::ty::Type;

pub(super) fn var(id: VarId) -> FlatExp {
    Exp::Ref(FlatRef::Var(id))
}

pub(super) fn call(name: &str, args: Vec<FlatExp>, ty: Type) -> FlatExp {
    Exp::Call(Box::new(Call {
        function: Callee::Builtin(Name::new(name)),
        args,
        ty,
    }))
}

pub(super) fn pre(of: FlatExp, ty: Type) -> FlatExp {
    call("pre", vec![of], ty)
}

pub(super) fn if_(condition: FlatExp, then: FlatExp, else_: FlatExp, ty: Type) -> FlatExp {
    match condition {
        Exp::Bool(true) => then,
        Exp::Bool(false) => else_,
        condition => Exp::If(Box::new(IfExp {
            condition,
            then,
            else_,
            ty,
        })),
    }
}

pub(super) fn plus(a: FlatExp, b: FlatExp) -> FlatExp {
    simplify::binary(BinaryOp::Add, a, b)
}

pub(super) fn minus(a: FlatExp, b: FlatExp) -> FlatExp {
    simplify::binary(BinaryOp::Sub, a, b)
}

pub(super) fn times(a: FlatExp, b: FlatExp) -> FlatExp {
    simplify::binary(BinaryOp::Mul, a, b)
}

pub(super) fn over(a: FlatExp, b: FlatExp) -> FlatExp {
    simplify::binary(BinaryOp::Div, a, b)
}

pub(super) fn and(a: FlatExp, b: FlatExp) -> FlatExp {
    simplify::binary(BinaryOp::And, a, b)
}

pub(super) fn is_call(exp: &FlatExp, name: &str) -> bool {
    matches!(exp, Exp::Call(call) if matches!(&call.function, Callee::Builtin(it) if *it == name))
}
