//! Typing: from syntax in a scope to typed expressions, equations and statements.
//!
//! Every function here gives a value even when something is wrong: the mistake is reported where it is found and
//! the result is [`Exp::Error`] of [`Type::Unknown`], about which everybody else stays silent.

mod argument;
mod array;
mod attribute;
mod builtin;
mod builtin_array;
mod call;
mod clock;
mod component;
mod connect;
mod convert;
mod cref;
mod discrete;
mod each;
mod equation;
mod event;
mod external;
pub(crate) mod fit;
mod function;
mod hints;
mod machine;
pub(crate) mod mismatch;
mod operator;
mod overload;
mod reduction;
mod statement;
mod when;

use crate::cx::Cx;
use crate::exp::{Exp, IfExp, Range, UnaryOp};
use crate::node::NodeId;
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::{Name, Span};
use modeshift_diag::Code;
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{self, Expr, ExprKind, Node, Visit};

pub(crate) use fit::fit;
pub(crate) use operator::symbol;

/// An expression with what was found out about it.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub exp: Exp,
    pub ty: Type,
    pub var: Variability,
}

impl Typed {
    pub fn new(exp: Exp, ty: Type, var: Variability) -> Self {
        Self { exp, ty, var }
    }

    pub fn constant(exp: Exp, ty: Type) -> Self {
        Self {
            exp,
            ty,
            var: Variability::Constant,
        }
    }

    pub fn error() -> Self {
        Self {
            exp: Exp::Error,
            ty: Type::Unknown,
            var: Variability::Constant,
        }
    }

    pub fn is_error(&self) -> bool {
        self.ty.is_unknown()
    }
}

/// The iterator of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Iter {
    pub name: Name,
    pub ty: Type,
    pub var: Variability,
    /// The largest value it takes, where that is known.
    pub max: Option<i64>,
    /// Its value, in a loop that is unrolled before it is typed.
    pub value: Option<Exp>,
}

impl Iter {
    /// An iterator that has this value.
    pub fn known(name: Name, ty: Type, value: Exp) -> Self {
        Self {
            name,
            ty,
            var: Variability::Constant,
            max: None,
            value: Some(value),
        }
    }
}

/// Where an expression stands.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    pub scope: NodeId,
    /// The class whose text spans refer to.
    pub text: ClassId,
    pub iterators: Vec<Iter>,
    /// What `end` means, innermost last.
    pub ends: Vec<Exp>,
    pub function: bool,
    pub algorithm: bool,
    pub initial: bool,
    pub when: bool,
    /// In an if or for whose condition or range is not known: there, too, `pre(x)` of a continuous variable is its
    /// left limit.
    pub dynamic: bool,
    pub loop_: bool,
    /// References to conditional components are allowed: `connect`, and conditions.
    pub connect: bool,
    /// In the value of something that exists under a condition itself.
    pub conditional: bool,
    /// Inside `noEvent`.
    pub no_event: bool,
    /// In a condition, where `cardinality` can be asked.
    pub condition: bool,
    /// In an operand of a relation, where `pre(x)` of a continuous variable is its left limit.
    pub relation: bool,
    /// The type that the value of the whole expression should have, where it is known.
    pub wanted: Option<Type>,
}

impl Env {
    pub fn new(scope: NodeId, text: ClassId) -> Self {
        Self {
            scope,
            text,
            iterators: Vec::new(),
            ends: Vec::new(),
            function: false,
            algorithm: false,
            initial: false,
            when: false,
            dynamic: false,
            loop_: false,
            connect: false,
            conditional: false,
            no_event: false,
            condition: false,
            relation: false,
            wanted: None,
        }
    }

    pub fn place(&self, span: Span) -> Place {
        crate::tree::place_of(self.text, span)
    }
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_exp(&mut self, expr: &Expr, env: &mut Env) -> Typed {
        let place = env.place(expr.span);
        match &expr.kind {
            ExprKind::Int(value) => Typed::constant(Exp::Int(*value), Type::Integer),
            ExprKind::Real(value) => Typed::constant(Exp::Real(*value), Type::Real),
            ExprKind::Str(text) => Typed::constant(Exp::Str((**text).into()), Type::String),
            ExprKind::Bool(value) => Typed::constant(Exp::Bool(*value), Type::Boolean),
            ExprKind::Ref(reference) => self.type_ref(reference, env),
            ExprKind::Call { function, args } => self.type_call(function, args, expr.span, env),
            ExprKind::Unary { op, operand } => {
                let operand_place = env.place(operand.span);
                let operand = operator::first_output(self.type_exp(operand, env));
                self.type_unary(*op, operand, operand_place, env)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let outer = env.relation;
                env.relation |= operator::is_relation(*op);
                let (l, r) = (self.type_exp(lhs, env), self.type_exp(rhs, env));
                env.relation = outer;
                self.type_binary(
                    *op,
                    l,
                    r,
                    [env.place(lhs.span), env.place(rhs.span), place],
                    env,
                )
            }
            ExprKind::If { branches, else_ } => self.type_if(branches, else_, expr.span, env),
            ExprKind::Range { start, step, stop } => {
                self.type_range(start, step.as_deref(), stop, place, env)
            }
            ExprKind::Array(items) => self.type_array(items, place, env),
            ExprKind::Comprehension { body, iterators } => {
                self.type_reduction("array", body, iterators, place, env)
            }
            ExprKind::Matrix(rows) => self.type_matrix(rows, place, env),
            ExprKind::Tuple(items) => self.type_tuple(items, env),
            ExprKind::Paren(inner) => self.type_exp(inner, env),
            ExprKind::Index { base, subscripts } => {
                let base = operator::first_output(self.type_exp(base, env));
                self.type_index(base, subscripts, place, env)
            }
            ExprKind::Field { base, field } => {
                let base = self.type_exp(base, env);
                self.type_field(base, field, env)
            }
            ExprKind::PartialFunction { function, args } => {
                self.type_partial_function(function, args, place, env)
            }
            ExprKind::End => match env.ends.last() {
                Some(end) => {
                    let ty = match end {
                        Exp::Enum(ty, _) => Type::Enumeration(ty.clone()),
                        Exp::Bool(_) => Type::Boolean,
                        _ => Type::Integer,
                    };
                    Typed::new(end.clone(), ty, Variability::Constant)
                }
                None => {
                    self.error(
                        Code::MS2026,
                        place,
                        "`end` has a meaning inside subscripts only",
                        "not inside subscripts",
                    );
                    Typed::error()
                }
            },
            ExprKind::Error => Typed::error(),
        }
    }

    fn type_unary(
        &mut self,
        op: ast::UnaryOp,
        operand: Typed,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        if operand.is_error() {
            return operand;
        }
        if operand.ty.is_record() {
            return self.overloaded_unary(op, operand, place, env);
        }
        match op {
            ast::UnaryOp::Not => {
                if *operand.ty.element() != Type::Boolean {
                    self.wrong_operand("not", &operand.ty, "Boolean", place);
                    return Typed::error();
                }
                Typed {
                    exp: Exp::Unary(UnaryOp::Not, Box::new(operand.exp)),
                    ..operand
                }
            }
            _ if !operand.ty.is_numeric() => {
                let op = if matches!(op, ast::UnaryOp::Minus | ast::UnaryOp::ElementMinus) {
                    "-"
                } else {
                    "+"
                };
                self.wrong_operand(op, &operand.ty, "a number", place);
                Typed::error()
            }
            ast::UnaryOp::Plus | ast::UnaryOp::ElementPlus => operand,
            ast::UnaryOp::Minus | ast::UnaryOp::ElementMinus => {
                let exp = match operand.exp {
                    Exp::Int(value) => Exp::Int(value.wrapping_neg()),
                    Exp::Real(value) => Exp::Real(-value),
                    exp => Exp::Unary(UnaryOp::Neg, Box::new(exp)),
                };
                Typed { exp, ..operand }
            }
        }
    }

    pub(crate) fn wrong_operand(&mut self, op: &str, ty: &Type, wanted: &str, place: Place) {
        self.error(
            Code::MS2021,
            place,
            format!("`{op}` needs {wanted}, but its operand is of type {ty}"),
            format!("this is {ty}"),
        );
    }

    fn type_if(
        &mut self,
        branches: &[(Expr, Expr)],
        else_: &Expr,
        span: Span,
        env: &mut Env,
    ) -> Typed {
        let mut typed: Vec<(Typed, Typed, Span)> = Vec::with_capacity(branches.len());
        // Whether a variable is a state at all must not be left to the run either.
        let makes_state = !env.function
            && (branches.iter().any(|(_, value)| has_derivative(value)) || has_derivative(else_));
        for (condition, value) in branches {
            let condition = self.type_condition(condition, "if", env);
            // A condition known now decides which branch is there at all, as sizes may differ.
            // In a loop that is unrolled, parameters decide now, too: subscripts of the other branches may be out of bounds.
            let unrolled = makes_state || env.iterators.iter().any(|iter| iter.value.is_some());
            let most = match unrolled {
                true => Variability::Parameter,
                false => Variability::Structural,
            };
            if condition.var <= most
                && !env.function
                && !crate::exp::has_iterator(&condition.exp)
                && let Some(known) = match unrolled {
                    true => self.eval_structural_bool(&condition.exp),
                    false => self.eval_bool_quiet(&condition.exp),
                }
            {
                if known {
                    let value_span = value.span;
                    let value = self.type_exp(value, env);
                    return self.join_branches(typed, value, value_span, env);
                }
                continue;
            }
            let before = std::mem::replace(&mut env.dynamic, true);
            let value_typed = operator::first_output(self.type_exp(value, env));
            env.dynamic = before;
            typed.push((condition, value_typed, value.span));
        }
        let before = env.dynamic;
        env.dynamic |= !typed.is_empty();
        let value = operator::first_output(self.type_exp(else_, env));
        env.dynamic = before;
        let _ = span;
        self.join_branches(typed, value, else_.span, env)
    }

    fn join_branches(
        &mut self,
        branches: Vec<(Typed, Typed, Span)>,
        else_: Typed,
        else_span: Span,
        env: &mut Env,
    ) -> Typed {
        let numbers = self.truth_as_numbers(&branches, &else_, else_span, env);
        if let Some(diagnostic) = numbers {
            self.report(diagnostic);
            return Typed::error();
        }
        let mut result = else_;
        for (condition, value, span) in branches.into_iter().rev() {
            if condition.is_error() || value.is_error() || result.is_error() {
                result = Typed::error();
                continue;
            }
            let joined = fit::join(&value.ty, &result.ty);
            // Branches of different sizes are fine if a parameter decides between them now; where the size of one is not
            // known, that of the other says nothing about it.
            let decided = condition.var <= Variability::Parameter
                && !env.function
                && fit::join(value.ty.element(), result.ty.element()).is_some();
            if decided
                && (joined.is_none() || one_is_open(&value.ty, &result.ty))
                && let Some(known) = self.eval_structural_bool(&condition.exp)
            {
                result = if known { value } else { result };
                continue;
            }
            let Some(ty) = joined else {
                if env.function
                    && value.ty.rank() == result.ty.rank()
                    && fit::join(value.ty.element(), result.ty.element()).is_some()
                {
                    let open = |ty: &Type| {
                        let dims = ty.dims().iter().map(|_| Dim::Flexible(None)).collect();
                        Type::array(ty.element().clone(), dims)
                    };
                    let (a, b) = (open(&value.ty), open(&result.ty));
                    let ty = fit::join(&a, &b).unwrap_or(a);
                    let var = condition.var.max(value.var).max(result.var);
                    let exp = Exp::If(Box::new(IfExp {
                        condition: condition.exp,
                        then: value.exp,
                        else_: result.exp,
                        ty: ty.clone(),
                    }));
                    result = Typed::new(exp, ty, var);
                    continue;
                }
                let diagnostic = modeshift_diag::Diagnostic::new(
                    Code::MS2024,
                    format!(
                        "the branches of this if-expression have different types, {} and {}",
                        value.ty, result.ty
                    ),
                )
                .label(env.place(span), format!("this is {}", value.ty))
                .label(env.place(else_span), format!("this is {}", result.ty));
                self.report(diagnostic);
                result = Typed::error();
                continue;
            };
            let var = condition.var.max(value.var).max(result.var);
            let then = fit(value.exp, &value.ty, &ty).unwrap_or(Exp::Error);
            let else_ = fit(result.exp, &result.ty, &ty).unwrap_or(Exp::Error);
            let exp = Exp::If(Box::new(IfExp {
                condition: condition.exp,
                then,
                else_,
                ty: ty.clone(),
            }));
            result = Typed::new(exp, ty, var);
        }
        result
    }

    /// Branches that say 1 and 0 where others say `true` and `false`: one message for all of them.
    fn truth_as_numbers(
        &self,
        branches: &[(Typed, Typed, Span)],
        else_: &Typed,
        else_span: Span,
        env: &Env,
    ) -> Option<modeshift_diag::Diagnostic<Place>> {
        // Where a number is wanted it is the Boolean that is wrong.
        if env.wanted.as_ref().is_some_and(Type::is_numeric) {
            return None;
        }
        let values = branches.iter().map(|(_, value, span)| (value, *span));
        let all: Vec<(&Typed, Span)> = values.chain([(else_, else_span)]).collect();
        let (numbers, truths): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(value, _)| matches!(value.exp, Exp::Int(0 | 1)));
        if numbers.is_empty()
            || truths.is_empty()
            || truths.iter().any(|(value, _)| value.ty != Type::Boolean)
        {
            return None;
        }
        let word = |value: &Typed| {
            if matches!(value.exp, Exp::Int(1)) {
                "true"
            } else {
                "false"
            }
        };
        let mut diagnostic = modeshift_diag::Diagnostic::new(
            Code::MS2024,
            "the branches of this if-expression have different types, Integer and Boolean",
        );
        for (value, span) in &numbers {
            diagnostic = diagnostic.label(env.place(*span), format!("write `{}`", word(value)));
        }
        for (_, span) in truths {
            diagnostic = diagnostic.label(env.place(span), "this is Boolean");
        }
        let edits = numbers.iter().map(|(value, span)| modeshift_diag::Edit {
            at: env.place(*span),
            text: word(value).into(),
        });
        let edits: Vec<_> = edits.collect();
        Some(
            diagnostic
                .note("a Boolean is `true` or `false`, not 1 or 0")
                .fix("write `true` and `false`", edits),
        )
    }

    /// A condition must be a Boolean scalar.
    pub(crate) fn type_condition(&mut self, condition: &Expr, what: &str, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.condition, matches!(what, "if" | "assert"));
        let typed = self.type_exp(condition, env);
        env.condition = before;
        if typed.is_error() {
            return typed;
        }
        if what == "when"
            && typed.var == Variability::Continuous
            && *typed.ty.element() == Type::Boolean
        {
            let message = "the condition of `when` must change at events only";
            self.error(
                Code::MS2033,
                env.place(condition.span),
                message,
                "changes continuously",
            );
            return Typed::error();
        }
        let vector = what == "when" && typed.ty.rank() == 1;
        if *typed.ty.element() != Type::Boolean || typed.ty.is_array() && !vector {
            if what == "when" && typed.ty == Type::Clock {
                return typed;
            }
            let mut diagnostic = modeshift_diag::Diagnostic::new(
                Code::MS2033,
                format!(
                    "the condition of `{what}` must be Boolean, but this is {}",
                    typed.ty
                ),
            )
            .label(env.place(condition.span), format!("this is {}", typed.ty));
            diagnostic = match clocked_sample(condition) {
                Some(argument) => diagnostic
                    .note("`sample` of one argument reads a variable at the ticks of a clock; `sample(0, 0.1)` is true at 0 and every 0.1 s after it")
                    .fix(
                        "insert the first instant, 0",
                        vec![modeshift_diag::Edit {
                            at: env.place(argument).start(),
                            text: "0, ".into(),
                        }],
                    ),
                None if typed.ty.is_numeric() => {
                    let what = match &typed.exp {
                        Exp::Ref(cref) => cref.component(),
                        _ => None,
                    };
                    let what = what.map_or(Name::new("x"), |id| self.out.components[id].name);
                    diagnostic.note(format!("write a comparison such as `{what} > 0`"))
                }
                None => diagnostic,
            };
            self.report(self.label_declaration(diagnostic, &typed.exp));
            return Typed::error();
        }
        typed
    }

    fn type_range(
        &mut self,
        start: &Expr,
        step: Option<&Expr>,
        stop: &Expr,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let a = self.type_exp(start, env);
        let b = step.map(|step| self.type_exp(step, env));
        let c = self.type_exp(stop, env);
        if a.is_error() || c.is_error() || b.as_ref().is_some_and(Typed::is_error) {
            return Typed::error();
        }
        let mut ty = fit::join(&a.ty, &c.ty);
        if let (Some(joined), Some(step)) = (&ty, &b) {
            ty = fit::join(joined, &step.ty);
        }
        let ty = ty.filter(|ty| !ty.is_array() && !matches!(ty, Type::String | Type::Record(_)));
        let Some(element) = ty else {
            let diagnostic = modeshift_diag::Diagnostic::new(
                Code::MS2021,
                format!("a range cannot go from {} to {}", a.ty, c.ty),
            )
            .label(
                place,
                "both ends must be numbers, Booleans or literals of one enumeration",
            );
            let is_size = |exp: &Expr| match &exp.kind {
                ExprKind::Call { function, .. } => {
                    matches!(&function.parts[..], [only] if only.name == "size")
                }
                _ => false,
            };
            self.report(match c.ty.is_array() && is_size(stop) {
                true => diagnostic.note(
                    "`size(x)` is an array of the sizes of all dimensions: `size(x, 1)` is that of the first",
                ),
                false => diagnostic,
            });
            return Typed::error();
        };
        let var = a
            .var
            .max(c.var)
            .max(b.as_ref().map_or(Variability::Constant, |b| b.var));
        let cast = |typed: Typed| fit(typed.exp, &typed.ty, &element).unwrap_or(Exp::Error);
        let (start, step, stop) = (cast(a), b.map(cast), cast(c));
        let dim = self.range_dim(&start, step.as_ref(), &stop, var, env);
        if let Some(Exp::Real(width)) = &step
            && let (Exp::Real(from), Exp::Real(to)) = (&start, &stop)
            && (from + width == *from || to + width == *to)
        {
            self.error(
                Code::MS2029,
                place,
                "the step of this range is too small: it would have no end",
                format!("a step of {width:e}"),
            );
            return Typed::error();
        }
        let ty = Type::array(element, vec![dim]);
        let exp = Exp::Range(Box::new(Range {
            start,
            step,
            stop,
            ty: ty.clone(),
        }));
        Typed::new(exp, ty, var)
    }

    /// The length of a range, as far as it can be known now.
    fn range_dim(
        &mut self,
        start: &Exp,
        step: Option<&Exp>,
        stop: &Exp,
        var: Variability,
        env: &Env,
    ) -> Dim {
        if var > Variability::Parameter
            || crate::exp::has_iterator(start)
            || crate::exp::has_iterator(stop)
        {
            return Dim::Flexible(None);
        }
        if env.function && var > Variability::Structural {
            return Dim::Flexible(None);
        }
        let values = (|| {
            let start = self.eval_quiet(start)?;
            let stop = self.eval_quiet(stop)?;
            let step = match step {
                Some(step) => Some(self.eval_quiet(step)?),
                None => None,
            };
            crate::ceval::range_length(&start, step.as_ref(), &stop)
        })();
        match values {
            Some(length) => {
                if var == Variability::Parameter && !env.function && !env.algorithm {
                    self.mark_structural(start);
                    self.mark_structural(stop);
                    if let Some(step) = step {
                        self.mark_structural(step);
                    }
                }
                Dim::Known(length)
            }
            None => Dim::Flexible(None),
        }
    }

    fn type_tuple(&mut self, items: &[Option<Expr>], env: &mut Env) -> Typed {
        let mut exps = Vec::with_capacity(items.len());
        let mut types = Vec::with_capacity(items.len());
        let mut var = Variability::Constant;
        for item in items {
            match item {
                Some(item) => {
                    let typed = self.type_exp(item, env);
                    var = var.max(typed.var);
                    types.push(typed.ty);
                    exps.push(Some(typed.exp));
                }
                None => {
                    types.push(Type::Unknown);
                    exps.push(None);
                }
            }
        }
        Typed::new(Exp::Tuple(exps), Type::Tuple(types.into()), var)
    }
}

/// The argument of `sample(x)`, which is no condition.
fn clocked_sample(condition: &Expr) -> Option<Span> {
    let ExprKind::Call { function, args } = &condition.kind else {
        return None;
    };
    let named = matches!(&function.parts[..], [only] if only.name.as_str() == "sample");
    match (&args.positional[..], &args.named[..]) {
        ([only], []) if named => Some(only.span),
        _ => None,
    }
}

/// Whether an expression has a `der` in it.
fn has_derivative(exp: &Expr) -> bool {
    let mut found = false;
    exp.visit(&mut |node| {
        if let Node::Expr(part) = node
            && let ExprKind::Call { function, .. } = &part.kind
        {
            found |= function.parts.len() == 1 && function.parts[0].name == "der";
        }
        !found
    });
    found
}

/// Whether a size is known of one of two arrays only.
fn one_is_open(a: &Type, b: &Type) -> bool {
    let mut pairs = a.dims().iter().zip(b.dims());
    pairs.any(|(a, b)| a.known().is_some() != b.known().is_some())
}
