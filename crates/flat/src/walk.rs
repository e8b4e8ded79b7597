//! Visiting and rewriting flat expressions.

use crate::model::{Equation, EquationKind, FlatExp, FlatRef, Statement, StatementKind};
use modeshift_inst::exp::{Exp, Subscript};

/// Calls `visit` on the expression and all its parts, outermost first.
pub fn walk(exp: &FlatExp, visit: &mut dyn FnMut(&FlatExp)) {
    walk_while(exp, &mut |exp| {
        visit(exp);
        true
    });
}

/// The same; where `visit` says `false`, parts are left out.
pub fn walk_while(exp: &FlatExp, visit: &mut dyn FnMut(&FlatExp) -> bool) {
    if !visit(exp) {
        return;
    }
    match exp {
        Exp::Ref(FlatRef::Element(_, subscripts)) => walk_subscripts(subscripts, visit),
        Exp::Ref(FlatRef::Local(local)) => {
            let parts = local.parts.iter();
            parts.for_each(|(_, subscripts)| walk_subscripts(subscripts, visit));
        }
        Exp::Array(elements, _) | Exp::Record(_, elements) => {
            elements
                .iter()
                .for_each(|element| walk_while(element, visit));
        }
        Exp::Range(range) => {
            walk_while(&range.start, visit);
            range.step.iter().for_each(|step| walk_while(step, visit));
            walk_while(&range.stop, visit);
        }
        Exp::Tuple(elements) => elements
            .iter()
            .flatten()
            .for_each(|element| walk_while(element, visit)),
        Exp::Call(call) => call.args.iter().for_each(|arg| walk_while(arg, visit)),
        Exp::Reduction(reduction) => {
            walk_while(&reduction.body, visit);
            reduction
                .iterators
                .iter()
                .for_each(|(_, range)| walk_while(range, visit));
        }
        Exp::Unary(_, operand)
        | Exp::Cast(_, operand)
        | Exp::TupleElement(operand, _)
        | Exp::Field(operand, _) => walk_while(operand, visit),
        Exp::Binary(_, operands) => {
            walk_while(&operands.0, visit);
            walk_while(&operands.1, visit);
        }
        Exp::If(branches) => {
            walk_while(&branches.condition, visit);
            walk_while(&branches.then, visit);
            walk_while(&branches.else_, visit);
        }
        Exp::Subscripted(operand, subscripts) => {
            walk_while(operand, visit);
            walk_subscripts(subscripts, visit);
        }
        Exp::PartialFunction(_, args, _) => args.iter().for_each(|(_, arg)| walk_while(arg, visit)),
        Exp::Size(operand, dimension) => {
            walk_while(operand, visit);
            dimension
                .iter()
                .for_each(|dimension| walk_while(dimension, visit));
        }
        _ => {}
    }
}

fn walk_subscripts(subscripts: &[Subscript<FlatRef>], visit: &mut dyn FnMut(&FlatExp) -> bool) {
    for subscript in subscripts {
        if let Subscript::Index(exp) | Subscript::Slice(exp) = subscript {
            walk_while(exp, visit);
        }
    }
}

/// Rebuilds an expression bottom-up: parts first, then `rewrite` on the whole.
pub fn rewrite(exp: FlatExp, change: &mut dyn FnMut(FlatExp) -> FlatExp) -> FlatExp {
    use crate::simplify;
    let rebuilt = match exp {
        Exp::Array(elements, ty) => Exp::Array(
            elements.into_iter().map(|e| rewrite(e, change)).collect(),
            ty,
        ),
        Exp::Record(ty, elements) => Exp::Record(
            ty,
            elements.into_iter().map(|e| rewrite(e, change)).collect(),
        ),
        Exp::Range(mut range) => {
            range.start = rewrite(range.start, change);
            range.step = range.step.map(|step| rewrite(step, change));
            range.stop = rewrite(range.stop, change);
            Exp::Range(range)
        }
        Exp::Tuple(elements) => Exp::Tuple(
            elements
                .into_iter()
                .map(|element| element.map(|element| rewrite(element, change)))
                .collect(),
        ),
        Exp::Call(mut call) => {
            call.args = call
                .args
                .into_iter()
                .map(|arg| rewrite(arg, change))
                .collect();
            Exp::Call(call)
        }
        Exp::Reduction(mut reduction) => {
            reduction.body = rewrite(reduction.body, change);
            Exp::Reduction(reduction)
        }
        Exp::Unary(op, operand) => simplify::unary(op, rewrite(*operand, change)),
        Exp::Binary(op, operands) => {
            let (lhs, rhs) = *operands;
            let lhs = rewrite(lhs, change);
            let rhs = rewrite(rhs, change);
            simplify::binary(op, lhs, rhs)
        }
        Exp::If(branches) => {
            let branches = *branches;
            let condition = rewrite(branches.condition, change);
            let then = rewrite(branches.then, change);
            let else_ = rewrite(branches.else_, change);
            simplify::if_(condition, then, else_, branches.ty)
        }
        Exp::Cast(ty, operand) => simplify::cast(ty, rewrite(*operand, change)),
        Exp::Subscripted(operand, subscripts) => {
            let operand = Box::new(rewrite(*operand, change));
            Exp::Subscripted(operand, rewrite_subscripts(subscripts, change))
        }
        Exp::Ref(FlatRef::Element(group, subscripts)) => {
            let subscripts = rewrite_subscripts(subscripts, change);
            Exp::Ref(FlatRef::Element(group, subscripts))
        }
        Exp::TupleElement(operand, index) => {
            Exp::TupleElement(Box::new(rewrite(*operand, change)), index)
        }
        Exp::Field(operand, name) => Exp::Field(Box::new(rewrite(*operand, change)), name),
        other => other,
    };
    change(rebuilt)
}

fn rewrite_subscripts(
    subscripts: Vec<Subscript<FlatRef>>,
    change: &mut dyn FnMut(FlatExp) -> FlatExp,
) -> Vec<Subscript<FlatRef>> {
    let subscripts = subscripts.into_iter();
    let rewritten = subscripts.map(|subscript| match subscript {
        Subscript::All => Subscript::All,
        Subscript::Index(index) => Subscript::Index(rewrite(index, change)),
        Subscript::Slice(indices) => Subscript::Slice(rewrite(indices, change)),
    });
    rewritten.collect()
}

/// One walk over the expressions of equations or statements, those inside others included: `$iter` and `$mut` make it one
/// that reads them or one that changes them in place.
macro_rules! equations {
    ($(#[$about:meta])* $one:ident, $all:ident, $iter:ident $(, $mut:ident)?) => {
        $(#[$about])*
        pub fn $one(equation: &$($mut)? Equation, visit: &mut dyn FnMut(&$($mut)? FlatExp)) {
            match &$($mut)? equation.kind {
                EquationKind::Equality { lhs, rhs, .. } => {
                    visit(lhs);
                    visit(rhs);
                }
                EquationKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        visit(condition);
                        $all(body, visit);
                    }
                    $all(else_, visit);
                }
                EquationKind::When { branches } => {
                    for (condition, body) in branches {
                        visit(condition);
                        $all(body, visit);
                    }
                }
                EquationKind::For { range, body, .. } => {
                    visit(range);
                    $all(body, visit);
                }
                EquationKind::Assert {
                    condition,
                    message,
                    level,
                } => {
                    visit(condition);
                    visit(message);
                    visit(level);
                }
                EquationKind::Terminate { message } => visit(message),
                EquationKind::Reinit { variable, value } => {
                    visit(variable);
                    visit(value);
                }
                EquationKind::Call(call) => visit(call),
            }
        }

        $(#[$about])*
        pub fn $all(equations: &$($mut)? [Equation], visit: &mut dyn FnMut(&$($mut)? FlatExp)) {
            equations.$iter().for_each(|equation| $one(equation, visit));
        }
    };
}

macro_rules! statements {
    ($(#[$about:meta])* $one:ident, $all:ident, $iter:ident $(, $mut:ident)?) => {
        $(#[$about])*
        pub fn $one(statement: &$($mut)? Statement, visit: &mut dyn FnMut(&$($mut)? FlatExp)) {
            match &$($mut)? statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    visit(target);
                    visit(value);
                }
                StatementKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        visit(condition);
                        $all(body, visit);
                    }
                    $all(else_, visit);
                }
                StatementKind::For { range, body, .. } => {
                    range.$iter().for_each(&mut *visit);
                    $all(body, visit);
                }
                StatementKind::While { condition, body } => {
                    visit(condition);
                    $all(body, visit);
                }
                StatementKind::When { branches } => {
                    for (condition, body) in branches {
                        visit(condition);
                        $all(body, visit);
                    }
                }
                StatementKind::Assert {
                    condition,
                    message,
                    level,
                } => {
                    visit(condition);
                    visit(message);
                    visit(level);
                }
                StatementKind::Terminate { message } => visit(message),
                StatementKind::Reinit { variable, value } => {
                    visit(variable);
                    visit(value);
                }
                StatementKind::Call(call) => visit(call),
                StatementKind::Break | StatementKind::Return => {}
            }
        }

        $(#[$about])*
        pub fn $all(statements: &$($mut)? [Statement], visit: &mut dyn FnMut(&$($mut)? FlatExp)) {
            statements.$iter().for_each(|statement| $one(statement, visit));
        }
    };
}

equations! {
    /// Calls `visit` on every expression.
    equation_exps, all_equation_exps, iter
}
equations! {
    /// Applies `visit` to every expression in place.
    change_equation, change_equations, iter_mut, mut
}
statements! {
    /// Calls `visit` on every expression.
    statement_exps, all_statement_exps, iter
}
statements! {
    /// Applies `visit` to every expression in place.
    change_statement, change_statements, iter_mut, mut
}
