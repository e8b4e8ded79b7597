//! Canonical forms: two expressions or equations that only differ in how they are written have the same text.
//!
//! The laws used are those of the numbers, where both sides are known to be numbers: sums and products in any
//! order, signs moved, numbers multiplied out, equations turned around. Nothing is distributed or cancelled that
//! could be zero, and where a text or an array may be, the order stays.
//!
//! The texts are for comparing only. Linear in the size of the expression apart from sorting, and recursive, to a
//! depth that the parser bounds.

use super::scope::{Scope, Shape, plain_name, ref_text};
use modeshift_syntax::ast::{
    Args, BinaryOp, Branch, ComponentRef, Equation, EquationKind, Expr, ExprKind, Iterator,
    Statement, StatementKind, Subscript, UnaryOp,
};
use std::collections::BTreeMap;

/// Marks a variable in a canonical text, so that it can be told from an operation.
pub(super) const VARIABLE: char = '@';

/// A sum of multiples of canonical texts; `""` is the number 1.
pub(super) type Sum = BTreeMap<String, f64>;

pub(super) struct Canon<'s, 't> {
    scope: &'s Scope<'t>,
    /// Iterators around, outermost first.
    bound: Vec<String>,
}

impl<'s, 't> Canon<'s, 't> {
    pub fn new(scope: &'s Scope<'t>) -> Self {
        Self {
            scope,
            bound: Vec::new(),
        }
    }

    pub fn expr(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Unary {
                op: UnaryOp::Plus | UnaryOp::Minus,
                ..
            }
            | ExprKind::Binary {
                op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div,
                ..
            }
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Ref(_)
                if self.scope.shape(expr) == Shape::Number =>
            {
                sum_text(&self.sum(expr))
            }
            ExprKind::Int(value) => number(*value as f64),
            ExprKind::Real(value) => number(*value),
            ExprKind::Str(text) => format!("{text:?}"),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Ref(name) => self.reference(name),
            ExprKind::Call { function, args } => {
                format!("{}({})", plain_name(function), self.args(args))
            }
            ExprKind::PartialFunction { function, args } => {
                format!("function {}({})", plain_name(function), self.args(args))
            }
            ExprKind::Unary { op, operand } => format!("({op:?} {})", self.expr(operand)),
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs),
            ExprKind::If { branches, else_ } => {
                let mut text = self.expr(else_);
                for (condition, value) in branches.iter().rev() {
                    text = format!("(if {} {} {text})", self.expr(condition), self.expr(value));
                }
                text
            }
            ExprKind::Range { start, step, stop } => {
                let step = step
                    .as_ref()
                    .map_or_else(|| "1".to_owned(), |step| self.expr(step));
                format!("({}:{step}:{})", self.expr(start), self.expr(stop))
            }
            ExprKind::Array(items) => format!("{{{}}}", self.list(items)),
            ExprKind::Comprehension { body, iterators } => self
                .within(iterators, |canon, ranges| {
                    format!("array({} for {ranges})", canon.expr(body))
                }),
            ExprKind::Matrix(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| self.list(row)).collect();
                format!("[{}]", rows.join(";"))
            }
            ExprKind::Tuple(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| {
                        item.as_ref()
                            .map(|item| self.expr(item))
                            .unwrap_or_default()
                    })
                    .collect();
                format!("tuple({})", items.join(","))
            }
            ExprKind::Index { base, subscripts } => {
                format!("({}){}", self.expr(base), self.subscripts(subscripts))
            }
            ExprKind::Field { base, field } => {
                format!("({}).{}", self.expr(base), field.name.as_str())
            }
            ExprKind::End => "end".to_owned(),
            ExprKind::Error => "?".to_owned(),
        }
    }

    fn list(&mut self, items: &[Expr]) -> String {
        let items: Vec<String> = items.iter().map(|item| self.expr(item)).collect();
        items.join(",")
    }

    fn args(&mut self, args: &Args) -> String {
        if !args.iterators.is_empty() {
            return self.within(&args.iterators, |canon, ranges| {
                format!("{} for {ranges}", canon.list(&args.positional))
            });
        }
        let mut text = self.list(&args.positional);
        for named in &args.named {
            text.push_str(&format!(
                ",{}={}",
                named.name.name.as_str(),
                self.expr(&named.value)
            ));
        }
        text
    }

    /// Runs `body` with iterators bound, under names that do not depend on how they are written.
    fn within(
        &mut self,
        iterators: &[Iterator],
        body: impl FnOnce(&mut Self, &str) -> String,
    ) -> String {
        let depth = self.bound.len();
        let mut ranges = Vec::new();
        for iterator in iterators {
            ranges.push(
                iterator
                    .range
                    .as_ref()
                    .map(|range| self.expr(range))
                    .unwrap_or_default(),
            );
            self.bound.push(iterator.name.name.as_str().to_owned());
        }
        let text = body(self, &ranges.join(","));
        self.bound.truncate(depth);
        text
    }

    fn reference(&mut self, name: &ComponentRef) -> String {
        if let [part] = &name.parts[..]
            && let Some(level) = self
                .bound
                .iter()
                .rposition(|bound| bound == part.name.as_str())
        {
            return format!("%{level}");
        }
        if self.bound.is_empty() {
            return format!("{VARIABLE}{}", ref_text(name));
        }
        let mut text = String::from(VARIABLE);
        for (i, part) in name.parts.iter().enumerate() {
            if i > 0 {
                text.push('.');
            }
            text.push_str(part.name.as_str());
            text.push_str(&self.subscripts(&part.subscripts));
        }
        text
    }

    fn subscripts(&mut self, subscripts: &[Subscript]) -> String {
        if subscripts.is_empty() {
            return String::new();
        }
        let items: Vec<String> = subscripts
            .iter()
            .map(|subscript| match subscript {
                Subscript::All(_) => ":".to_owned(),
                Subscript::Expr(expr) => self.expr(expr),
            })
            .collect();
        format!("[{}]", items.join(","))
    }

    fn binary(&mut self, op: BinaryOp, lhs: &Expr, rhs: &Expr) -> String {
        let (op, lhs, rhs) = match op {
            BinaryOp::Greater => (BinaryOp::Less, rhs, lhs),
            BinaryOp::GreaterEqual => (BinaryOp::LessEqual, rhs, lhs),
            _ => (op, lhs, rhs),
        };
        let sorts = matches!(
            op,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Equal | BinaryOp::NotEqual
        );
        let mut operands = Vec::new();
        for side in [lhs, rhs] {
            self.operands(op, side, &mut operands);
        }
        if sorts {
            operands.sort();
        }
        format!("({op:?} {})", operands.join(" "))
    }

    /// The operands of nested `and`, or of nested `or`.
    fn operands(&mut self, op: BinaryOp, expr: &Expr, operands: &mut Vec<String>) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.operands(op, inner, operands),
            ExprKind::Binary {
                op: inner,
                lhs,
                rhs,
            } if *inner == op && matches!(op, BinaryOp::And | BinaryOp::Or) => {
                self.operands(op, lhs, operands);
                self.operands(op, rhs, operands);
            }
            _ => operands.push(self.expr(expr)),
        }
    }

    /// A number as a sum.
    pub fn sum(&mut self, expr: &Expr) -> Sum {
        let mut sum = Sum::new();
        self.add(expr, 1.0, &mut sum);
        sum.retain(|_, factor| *factor != 0.0);
        sum
    }

    fn add(&mut self, expr: &Expr, factor: f64, sum: &mut Sum) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.add(inner, factor, sum),
            ExprKind::Unary {
                op: UnaryOp::Plus,
                operand,
            } => self.add(operand, factor, sum),
            ExprKind::Unary {
                op: UnaryOp::Minus,
                operand,
            } => self.add(operand, -factor, sum),
            ExprKind::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
            } => {
                self.add(lhs, factor, sum);
                self.add(rhs, factor, sum);
            }
            ExprKind::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } => {
                self.add(lhs, factor, sum);
                self.add(rhs, -factor, sum);
            }
            _ => {
                let mut product = Product {
                    factor,
                    parts: Vec::new(),
                };
                self.multiply(expr, false, &mut product);
                *sum.entry(product.text()).or_insert(0.0) += product.factor;
            }
        }
    }

    fn multiply(&mut self, expr: &Expr, inverse: bool, product: &mut Product) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.multiply(inner, inverse, product),
            ExprKind::Int(value) => product.scale(*value as f64, inverse),
            ExprKind::Real(value) => product.scale(*value, inverse),
            ExprKind::Unary {
                op: UnaryOp::Plus,
                operand,
            } => self.multiply(operand, inverse, product),
            ExprKind::Unary {
                op: UnaryOp::Minus,
                operand,
            } => {
                product.factor = -product.factor;
                self.multiply(operand, inverse, product);
            }
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } => {
                self.multiply(lhs, inverse, product);
                self.multiply(rhs, inverse, product);
            }
            ExprKind::Binary {
                op: BinaryOp::Div,
                lhs,
                rhs,
            } => {
                self.multiply(lhs, inverse, product);
                self.multiply(rhs, !inverse, product);
            }
            ExprKind::Binary {
                op: BinaryOp::Add | BinaryOp::Sub,
                ..
            } => {
                let sum = self.sum(expr);
                product.parts.push((sum_text(&sum), inverse));
            }
            ExprKind::Ref(name) => {
                let text = self.reference(name);
                let representative = self
                    .scope
                    .aliases
                    .and_then(|aliases| aliases.representative(&text));
                let (sign, text) = representative.unwrap_or((1.0, text));
                product.factor *= sign;
                product.parts.push((text, inverse));
            }
            _ => {
                let text = self.expr(expr);
                product.parts.push((text, inverse));
            }
        }
    }

    /// What must be zero, if both sides are numbers; its first term is positive.
    pub fn residual(&mut self, lhs: &Expr, rhs: &Expr) -> Option<Sum> {
        if [lhs, rhs]
            .iter()
            .any(|side| self.scope.shape(side) != Shape::Number)
        {
            return None;
        }
        let mut sum = Sum::new();
        self.add(lhs, 1.0, &mut sum);
        self.add(rhs, -1.0, &mut sum);
        sum.retain(|_, factor| *factor != 0.0);
        if sum.values().next().is_some_and(|factor| *factor < 0.0) {
            sum.values_mut().for_each(|factor| *factor = -*factor);
        }
        Some(sum)
    }

    pub fn equation(&mut self, equation: &Equation) -> String {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs } => {
                if let Some(sum) = self.residual(lhs, rhs) {
                    return format!("0={}", sum_text(&sum));
                }
                let mut sides = [self.expr(lhs), self.expr(rhs)];
                sides.sort();
                sides.join("=")
            }
            EquationKind::If { branches, else_ } => {
                let else_ = else_
                    .as_ref()
                    .map(|body| self.equations(body))
                    .unwrap_or_default();
                format!(
                    "if {} else {else_}",
                    self.branches(branches, Self::equations)
                )
            }
            EquationKind::For { iterators, body } => self.within(iterators, |canon, ranges| {
                format!("for {ranges} {}", canon.equations(body))
            }),
            EquationKind::Connect { from, to } => {
                let mut ends = [self.reference(from), self.reference(to)];
                ends.sort();
                format!("connect {}", ends.join(" "))
            }
            EquationKind::When { branches } => {
                format!("when {}", self.branches(branches, Self::equations))
            }
            EquationKind::Call { function, args } => {
                format!("{}({})", plain_name(function), self.args(args))
            }
            EquationKind::Error => "?".to_owned(),
        }
    }

    /// Conditions with what is done under each, told by `body`.
    fn branches<T>(
        &mut self,
        branches: &[Branch<T>],
        body: fn(&mut Self, &[T]) -> String,
    ) -> String {
        let mut texts = Vec::new();
        for branch in branches {
            let condition = self.expr(&branch.condition);
            texts.push(format!("({condition} {})", body(self, &branch.body)));
        }
        texts.join(" ")
    }

    /// Equations in any order.
    fn equations(&mut self, equations: &[Equation]) -> String {
        let mut texts: Vec<String> = equations
            .iter()
            .map(|equation| self.equation(equation))
            .collect();
        texts.sort();
        format!("{{{}}}", texts.join("; "))
    }

    /// Statements in their order.
    pub fn statements(&mut self, statements: &[Statement]) -> String {
        let texts: Vec<String> = statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect();
        format!("{{{}}}", texts.join("; "))
    }

    fn statement(&mut self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                format!("{}:={}", self.reference(target), self.expr(value))
            }
            StatementKind::AssignTuple {
                targets,
                function,
                args,
            } => {
                let targets: Vec<String> = targets
                    .iter()
                    .map(|target| {
                        target
                            .as_ref()
                            .map(|target| self.expr(target))
                            .unwrap_or_default()
                    })
                    .collect();
                format!(
                    "({}):={}({})",
                    targets.join(","),
                    plain_name(function),
                    self.args(args)
                )
            }
            StatementKind::Call { function, args } => {
                format!("{}({})", plain_name(function), self.args(args))
            }
            StatementKind::Break => "break".to_owned(),
            StatementKind::Return => "return".to_owned(),
            StatementKind::If { branches, else_ } => {
                let else_ = else_
                    .as_ref()
                    .map(|body| self.statements(body))
                    .unwrap_or_default();
                format!(
                    "if {} else {else_}",
                    self.branches(branches, Self::statements)
                )
            }
            StatementKind::For { iterators, body } => self.within(iterators, |canon, ranges| {
                format!("for {ranges} {}", canon.statements(body))
            }),
            StatementKind::While { condition, body } => {
                format!("while {} {}", self.expr(condition), self.statements(body))
            }
            StatementKind::When { branches } => {
                format!("when {}", self.branches(branches, Self::statements))
            }
            StatementKind::Error => "?".to_owned(),
        }
    }
}

/// Factors with whether they are divided by.
struct Product {
    factor: f64,
    parts: Vec<(String, bool)>,
}

impl Product {
    fn scale(&mut self, value: f64, inverse: bool) {
        if !inverse {
            self.factor *= value;
        } else if value != 0.0 {
            self.factor /= value;
        } else {
            self.parts.push((number(value), true));
        }
    }

    fn text(&mut self) -> String {
        self.parts.sort();
        let mut text = String::new();
        for (i, (part, inverse)) in self.parts.iter().enumerate() {
            if *inverse {
                text.push('/');
            } else if i > 0 {
                text.push('*');
            }
            text.push_str(part);
        }
        text
    }
}

pub(super) fn sum_text(sum: &Sum) -> String {
    let term = |(text, factor): (&String, &f64)| match (text.as_str(), *factor) {
        ("", factor) => number(factor),
        (text, 1.0) => text.to_owned(),
        (text, factor) => format!("{}*{text}", number(factor)),
    };
    match sum.len() {
        0 => "0".to_owned(),
        1 => sum.iter().map(term).collect(),
        _ => format!("({})", sum.iter().map(term).collect::<Vec<_>>().join("+")),
    }
}

/// A number to 14 digits: beyond that, compilers may round differently when they fold constants.
fn number(value: f64) -> String {
    format!("{value:.13e}")
}
