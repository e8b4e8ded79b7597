//! Small functions of numbers inside functions: their statements are compiled where they are called, since a call would
//! cost more than the work. What can fail stays a call, so that the message can name it.

use super::{Compiled, Compiler, Local, variable_ty};
use crate::ty::Val;
use modeshift_base::FxHashMap;
use modeshift_flat::hints::leaves_out_reals;
use modeshift_flat::model::{FlatExp, FlatRef, Function, FunctionBody, Statement, StatementKind};
use modeshift_flat::walk::{statement_exps, walk_while};
use modeshift_inst::builtin::{Binary, Unary};
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::{Causality, Type};
use std::sync::Arc;

/// Functions that are compiled where they are called, by name.
pub type Small<'f> = FxHashMap<Arc<str>, &'f Function>;

const MAX_STATEMENTS: usize = 20;

pub fn small(functions: &[Function]) -> Small<'_> {
    let small = functions.iter().filter(|function| is_small(function));
    small.map(|it| (it.name.clone(), it)).collect()
}

fn is_small(function: &Function) -> bool {
    let FunctionBody::Algorithm(statements) = &function.body else {
        return false;
    };
    let mut count = 0;
    let scalars = function.locals.iter().all(|local| {
        let numeric = matches!(local.ty, Type::Real | Type::Boolean);
        numeric && local.dims.is_empty() && local.defaults.is_empty()
    });
    if !function.pure
        || function.hints.wants_calls()
        || leaves_out_reals(function)
        || !scalars
        || !statements.iter().all(|it| straight(it, &mut count))
    {
        return false;
    }
    let mut plain = true;
    let mut look = |exp: &FlatExp| {
        plain &= is_plain(exp);
        plain
    };
    for local in &function.locals {
        local
            .binding
            .iter()
            .for_each(|exp| walk_while(exp, &mut look));
    }
    for statement in statements {
        statement_exps(statement, &mut |exp| walk_while(exp, &mut look));
    }
    plain
}

fn straight(statement: &Statement, count: &mut usize) -> bool {
    *count += 1;
    *count <= MAX_STATEMENTS
        && match &statement.kind {
            StatementKind::Assign { target, .. } => matches!(target, Exp::Ref(_)),
            StatementKind::If { branches, else_ } => {
                let mut bodies = branches.iter().map(|(_, body)| body).chain([else_]);
                bodies.all(|body| body.iter().all(|it| straight(it, count)))
            }
            _ => false,
        }
}

/// Whether an expression, without its parts, is one of numbers that cannot fail.
fn is_plain(exp: &FlatExp) -> bool {
    match exp {
        Exp::Real(_) | Exp::Int(_) | Exp::Bool(_) | Exp::Unary(..) | Exp::If(_) => true,
        Exp::Cast(ty, _) => *ty == Type::Real,
        Exp::Ref(FlatRef::Local(local)) => {
            matches!(&local.parts[..], [(_, subscripts)] if subscripts.is_empty())
        }
        Exp::Binary(op, _) => !matches!(op, BinaryOp::MatMul | BinaryOp::MatPow),
        Exp::Call(call) => match (&call.function, &call.args[..]) {
            (Callee::Builtin(name), [_]) => {
                Unary::named(name.as_str()).is_some_and(|op| !op.jumps() && op != Unary::Abs)
                    || call.ty == Type::Real && name == "abs"
            }
            (Callee::Builtin(name), [_, _]) => {
                let op = Binary::named(name.as_str());
                call.ty == Type::Real && op.is_some_and(|op| !op.jumps())
            }
            _ => false,
        },
        _ => false,
    }
}

impl Compiler<'_> {
    /// All outputs of a small function with these arguments.
    pub(super) fn inline(&mut self, function: &Function, args: Vec<Val>) -> Compiled<Vec<Val>> {
        let outer = (
            std::mem::take(&mut self.locals),
            std::mem::take(&mut self.iterators),
            self.fixed,
        );
        let result = self.inlined(function, args);
        (self.locals, self.iterators, self.fixed) = outer;
        result
    }

    fn inlined(&mut self, function: &Function, args: Vec<Val>) -> Compiled<Vec<Val>> {
        let mut args = args.into_iter();
        let mut outputs = Vec::new();
        for local in &function.locals {
            let val = match local.causality {
                // Nothing writes to an argument while the function runs.
                Some(Causality::Input) => args.next().ok_or("a function lacks an argument")?,
                _ => {
                    let ty = variable_ty(local).ok_or("a variable has a type that is not known")?;
                    self.temporary(&ty)
                }
            };
            if local.causality == Some(Causality::Output) {
                outputs.push(val.clone());
            }
            let entry = Local {
                val,
                fixed: true,
                elements: None,
            };
            self.locals.insert(local.name, entry);
        }
        // Its variables are no temporaries while its statements are compiled.
        self.fixed = self.next;
        for local in &function.locals {
            if local.causality != Some(Causality::Input) {
                self.initialise(local)?;
            }
        }
        if let FunctionBody::Algorithm(statements) = &function.body {
            self.statements(statements)?;
        }
        Ok(outputs)
    }
}
