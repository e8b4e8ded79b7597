//! Strings that change at events.
//!
//! In equations a String is the number by which functions know it ([`modeshift_code::Context::intern`]): equal strings have
//! equal numbers. What computes with strings (`a + b`, `String(x)`, `a < b`) becomes a function of its own, so strings are
//! computed in one place, by the functions' machine.

use modeshift_base::Name;
use modeshift_flat::model::{
    FlatExp, FlatModel, FlatRef, Function, FunctionBody, FunctionVariable, LocalRef, Origin,
    Statement, StatementKind,
};
use modeshift_flat::walk::{change_equations, change_statements, equation_exps, rewrite, walk};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::borrow::Cow;
use std::sync::Arc;

/// The model with all that computes with strings in functions. Linear in the model.
pub fn without_texts(flat: &FlatModel) -> Cow<'_, FlatModel> {
    let mut any = flat.variables.iter().any(|variable| {
        variable.ty == Type::String && variable.variability > Variability::Parameter
    });
    let equations = flat.equations.iter().chain(&flat.initial_equations);
    equations.for_each(|equation| {
        equation_exps(equation, &mut |exp| {
            walk(exp, &mut |part| any |= computes(flat, part));
        });
    });
    let Some(origin) = flat.variables.iter().next().map(|it| it.origin.clone()) else {
        return Cow::Borrowed(flat);
    };
    if !any {
        return Cow::Borrowed(flat);
    }
    let mut writer = Writer {
        flat,
        origin,
        functions: Vec::new(),
    };
    let mut out = flat.clone();
    let mut change = |exp: &mut FlatExp| {
        let whole = std::mem::replace(exp, Exp::Error);
        *exp = rewrite(whole, &mut |part| writer.written(part));
    };
    for variable in out.variables.iter_mut() {
        if variable.variability > Variability::Parameter {
            variable.binding.iter_mut().for_each(&mut change);
        }
    }
    change_equations(&mut out.equations, &mut change);
    change_equations(&mut out.initial_equations, &mut change);
    let algorithms = out.algorithms.iter_mut().chain(&mut out.initial_algorithms);
    algorithms.for_each(|algorithm| change_statements(&mut algorithm.statements, &mut change));
    out.functions.extend(writer.functions);
    Cow::Owned(out)
}

/// Whether an expression is a String.
fn is_text(flat: &FlatModel, exp: &FlatExp) -> bool {
    match exp {
        Exp::Str(_) => true,
        Exp::Ref(FlatRef::Var(id)) => flat.variables[*id].ty == Type::String,
        Exp::Call(call) => match &call.function {
            Callee::Builtin(name) => match name.as_str() {
                "String" => true,
                "pre" => call.args.iter().all(|arg| is_text(flat, arg)),
                _ => false,
            },
            Callee::User(_) => call.ty == Type::String,
        },
        Exp::If(branches) => is_text(flat, &branches.then),
        Exp::Binary(BinaryOp::Add, sides) => is_text(flat, &sides.0),
        _ => false,
    }
}

/// Whether it takes a function to compute an expression.
fn computes(flat: &FlatModel, exp: &FlatExp) -> bool {
    match exp {
        Exp::Call(call) => {
            matches!(&call.function, Callee::Builtin(name) if name.as_str() == "String")
        }
        Exp::Binary(op, sides) => {
            matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Less
                    | BinaryOp::LessEq
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEq
            ) && is_text(flat, &sides.0)
        }
        _ => false,
    }
}

struct Writer<'m> {
    flat: &'m FlatModel,
    origin: Arc<Origin>,
    functions: Vec<Function>,
}

impl Writer<'_> {
    fn written(&mut self, exp: FlatExp) -> FlatExp {
        if !computes(self.flat, &exp) {
            return exp;
        }
        let ty = match is_text(self.flat, &exp) {
            true => Type::String,
            false => Type::Boolean,
        };
        let mut args: Vec<(FlatExp, Type)> = Vec::new();
        let Some(body) = self.lifted(&exp, &mut args) else {
            return exp;
        };
        let inputs = args.iter().enumerate();
        let inputs = inputs.map(|(i, (_, ty))| local(&argument(i), ty, Causality::Input));
        let mut locals: Vec<FunctionVariable> = inputs.collect();
        locals.push(local("y", &ty, Causality::Output));
        let statement = Statement {
            kind: StatementKind::Assign {
                target: reference("y", &ty),
                value: body,
                ty: ty.clone(),
            },
            origin: self.origin.clone(),
        };
        let name: Arc<str> = format!("$text{}", self.functions.len() + 1).into();
        self.functions.push(Function {
            name: name.clone(),
            comment: None,
            pure: true,
            locals,
            body: FunctionBody::Algorithm(vec![statement]),
            annotation: None,
            hints: Arc::default(),
            origin: self.origin.clone(),
        });
        Exp::Call(Box::new(Call {
            function: Callee::User(name),
            args: args.into_iter().map(|(arg, _)| arg).collect(),
            ty,
        }))
    }

    /// The body of a function that computes an expression. `None` where a part of it has no type that is known.
    fn lifted(&self, exp: &FlatExp, args: &mut Vec<(FlatExp, Type)>) -> Option<FlatExp> {
        let ty = match exp {
            Exp::Int(_) | Exp::Real(_) | Exp::Bool(_) | Exp::Str(_) | Exp::Enum(..) => {
                return Some(exp.clone());
            }
            Exp::Binary(op, sides) => {
                let (a, b) = (self.lifted(&sides.0, args)?, self.lifted(&sides.1, args)?);
                return Some(Exp::Binary(*op, Box::new((a, b))));
            }
            Exp::Unary(op, inner) => {
                return Some(Exp::Unary(*op, Box::new(self.lifted(inner, args)?)));
            }
            Exp::Cast(ty, inner) => {
                return Some(Exp::Cast(ty.clone(), Box::new(self.lifted(inner, args)?)));
            }
            Exp::Call(call) => {
                if matches!(&call.function, Callee::Builtin(name) if name.as_str() == "String") {
                    let inner = call.args.iter().map(|arg| self.lifted(arg, args));
                    return Some(Exp::Call(Box::new(Call {
                        function: call.function.clone(),
                        args: inner.collect::<Option<_>>()?,
                        ty: call.ty.clone(),
                    })));
                }
                call.ty.clone()
            }
            Exp::If(branches) => branches.ty.clone(),
            Exp::Ref(FlatRef::Var(id)) => self.flat.variables[*id].ty.clone(),
            Exp::Time => Type::Real,
            _ => return None,
        };
        let known = args.iter().position(|(arg, _)| arg == exp);
        let index = known.unwrap_or_else(|| {
            args.push((exp.clone(), ty.clone()));
            args.len() - 1
        });
        Some(reference(&argument(index), &ty))
    }
}

fn argument(index: usize) -> String {
    format!("x{}", index + 1)
}

fn reference(name: &str, ty: &Type) -> FlatExp {
    Exp::Ref(FlatRef::Local(Arc::new(LocalRef {
        parts: vec![(Name::from(name), Vec::new())],
        ty: ty.clone(),
    })))
}

fn local(name: &str, ty: &Type, causality: Causality) -> FunctionVariable {
    FunctionVariable {
        name: Name::from(name),
        ty: ty.clone(),
        dims: Vec::new(),
        causality: Some(causality),
        variability: Variability::Continuous,
        protected: false,
        attributes: Vec::new(),
        binding: None,
        defaults: Vec::new(),
        comment: None,
    }
}
