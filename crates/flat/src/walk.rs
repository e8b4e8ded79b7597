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

/// Calls `visit` on every expression of an equation, nested equations included.
pub fn equation_exps(equation: &Equation, visit: &mut dyn FnMut(&FlatExp)) {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, .. } => {
            visit(lhs);
            visit(rhs);
        }
        EquationKind::If { branches, else_ } => {
            for (condition, body) in branches {
                visit(condition);
                body.iter()
                    .for_each(|equation| equation_exps(equation, visit));
            }
            else_
                .iter()
                .for_each(|equation| equation_exps(equation, visit));
        }
        EquationKind::When { branches } => {
            for (condition, body) in branches {
                visit(condition);
                body.iter()
                    .for_each(|equation| equation_exps(equation, visit));
            }
        }
        EquationKind::For { range, body, .. } => {
            visit(range);
            body.iter()
                .for_each(|equation| equation_exps(equation, visit));
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

/// Applies `change` to every expression of an equation in place.
pub fn change_equation(equation: &mut Equation, change: &mut dyn FnMut(&mut FlatExp)) {
    match &mut equation.kind {
        EquationKind::Equality { lhs, rhs, .. } => {
            change(lhs);
            change(rhs);
        }
        EquationKind::If { branches, else_ } => {
            for (condition, body) in branches {
                change(condition);
                change_equations(body, change);
            }
            change_equations(else_, change);
        }
        EquationKind::When { branches } => {
            for (condition, body) in branches {
                change(condition);
                change_equations(body, change);
            }
        }
        EquationKind::For { range, body, .. } => {
            change(range);
            change_equations(body, change);
        }
        EquationKind::Assert {
            condition,
            message,
            level,
        } => {
            change(condition);
            change(message);
            change(level);
        }
        EquationKind::Terminate { message } => change(message),
        EquationKind::Reinit { variable, value } => {
            change(variable);
            change(value);
        }
        EquationKind::Call(call) => change(call),
    }
}

pub fn change_equations(equations: &mut [Equation], change: &mut dyn FnMut(&mut FlatExp)) {
    for equation in equations {
        change_equation(equation, change);
    }
}

/// Applies `change` to every expression of a statement in place.
pub fn change_statement(statement: &mut Statement, change: &mut dyn FnMut(&mut FlatExp)) {
    match &mut statement.kind {
        StatementKind::Assign { target, value, .. } => {
            change(target);
            change(value);
        }
        StatementKind::If { branches, else_ } => {
            for (condition, body) in branches {
                change(condition);
                change_statements(body, change);
            }
            change_statements(else_, change);
        }
        StatementKind::For { range, body, .. } => {
            range.iter_mut().for_each(&mut *change);
            change_statements(body, change);
        }
        StatementKind::While { condition, body } => {
            change(condition);
            change_statements(body, change);
        }
        StatementKind::When { branches } => {
            for (condition, body) in branches {
                change(condition);
                change_statements(body, change);
            }
        }
        StatementKind::Assert {
            condition,
            message,
            level,
        } => {
            change(condition);
            change(message);
            change(level);
        }
        StatementKind::Terminate { message } => change(message),
        StatementKind::Reinit { variable, value } => {
            change(variable);
            change(value);
        }
        StatementKind::Call(call) => change(call),
        StatementKind::Break | StatementKind::Return => {}
    }
}

pub fn change_statements(statements: &mut [Statement], change: &mut dyn FnMut(&mut FlatExp)) {
    for statement in statements {
        change_statement(statement, change);
    }
}

/// Calls `visit` on every expression of a statement, nested statements included.
pub fn statement_exps(statement: &Statement, visit: &mut dyn FnMut(&FlatExp)) {
    let all = |body: &[Statement], visit: &mut dyn FnMut(&FlatExp)| {
        body.iter()
            .for_each(|statement| statement_exps(statement, visit));
    };
    match &statement.kind {
        StatementKind::Assign { target, value, .. } => {
            visit(target);
            visit(value);
        }
        StatementKind::If { branches, else_ } => {
            for (condition, body) in branches {
                visit(condition);
                all(body, visit);
            }
            all(else_, visit);
        }
        StatementKind::For { range, body, .. } => {
            range.iter().for_each(&mut *visit);
            all(body, visit);
        }
        StatementKind::While { condition, body } => {
            visit(condition);
            all(body, visit);
        }
        StatementKind::When { branches } => {
            for (condition, body) in branches {
                visit(condition);
                all(body, visit);
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
