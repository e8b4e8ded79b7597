//! Bounds of what is known when a loop is solved: by declared `min` and `max`, and by what it is computed from.
//!
//! The bounds hold for everything that a run may come to, so they may be wide, but never too narrow: interval arithmetic in exact
//! numbers. Where a condition chooses, what it says holds in its branch: `if u > 1 then 1 else u` is at most one.

use super::before::explicit;
use super::system::System;
use crate::cond::Formula;
use crate::model::ModeDef;
use crate::sym::{At, CondId, Expr, Func, Kind, Rational, RelOp, VarRef};
use modeshift_base::FxHashSet;

/// Definitions and expressions within each other.
const MAX_DEPTH: usize = 40;

/// Expressions that are looked at for one question.
const MAX_STEPS: usize = 2_000;

/// From `lo` to `hi`; `None` is infinite.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Range {
    pub(super) lo: Option<Rational>,
    pub(super) hi: Option<Rational>,
}

impl Range {
    fn new(lo: Option<Rational>, hi: Option<Rational>) -> Self {
        Self { lo, hi }
    }

    fn point(value: Rational) -> Self {
        Self::new(Some(value.clone()), Some(value))
    }

    pub(super) fn ints(lo: Option<i64>, hi: Option<i64>) -> Self {
        Self::new(lo.map(Rational::int), hi.map(Rational::int))
    }

    pub(super) fn hull(self, other: Self) -> Self {
        let ends = |a: Option<Rational>, b: Option<Rational>| Some((a?, b?));
        Self::new(
            ends(self.lo, other.lo).map(|(a, b)| a.min(b)),
            ends(self.hi, other.hi).map(|(a, b)| a.max(b)),
        )
    }

    fn meet(self, other: Self) -> Self {
        let lo = greatest(self.lo.clone(), other.lo);
        let met = Self::new(lo, least(self.hi.clone(), other.hi));
        // What contradicts itself is never reached.
        match (&met.lo, &met.hi) {
            (Some(lo), Some(hi)) if lo > hi => self,
            _ => met,
        }
    }

    pub(super) fn plus(self, other: &Self) -> Self {
        let sum = |a: Option<Rational>, b: &Option<Rational>| Some(&a? + b.as_ref()?);
        Self::new(sum(self.lo, &other.lo), sum(self.hi, &other.hi))
    }

    fn minus(self) -> Self {
        Self::new(self.hi.map(|it| -&it), self.lo.map(|it| -&it))
    }

    pub(super) fn contains(&self, value: &Rational) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo <= value)
            && self.hi.as_ref().is_none_or(|hi| value <= hi)
    }

    fn at_least_zero(&self) -> bool {
        self.lo.as_ref().is_some_and(|lo| !lo.is_negative())
    }

    fn at_most_zero(&self) -> bool {
        self.hi
            .as_ref()
            .is_some_and(|hi| hi.is_negative() || hi.is_zero())
    }

    pub(super) fn times(self, other: &Self) -> Self {
        if self.at_most_zero() && !self.at_least_zero() {
            return self.minus().times(other).minus();
        }
        if other.at_most_zero() && !other.at_least_zero() {
            return self.times(&other.clone().minus()).minus();
        }
        let zero = Rational::zero;
        let product = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), _) | (_, Some(a)) if a.is_zero() => Some(zero()),
            (Some(a), Some(b)) => Some(a * b),
            _ => None,
        };
        match (self.at_least_zero(), other.at_least_zero()) {
            (true, true) => Self::new(
                product(&self.lo, &other.lo).or_else(|| Some(zero())),
                product(&self.hi, &other.hi),
            ),
            (true, false) => Self::new(product(&self.hi, &other.lo), product(&self.hi, &other.hi)),
            (false, true) => other.clone().times(&self),
            (false, false) => {
                let all = [
                    product(&self.lo, &other.lo),
                    product(&self.lo, &other.hi),
                    product(&self.hi, &other.lo),
                    product(&self.hi, &other.hi),
                ];
                match all.into_iter().collect::<Option<Vec<_>>>() {
                    Some(all) => Self::new(all.iter().min().cloned(), all.iter().max().cloned()),
                    None => Self::default(),
                }
            }
        }
    }

    fn recip(&self) -> Self {
        let over = |it: &Option<Rational>| match it {
            Some(it) => it.recip(),
            None => Some(Rational::zero()),
        };
        let is_zero = |it: &Option<Rational>| it.as_ref().is_some_and(Rational::is_zero);
        if self.at_least_zero() {
            let hi = if is_zero(&self.lo) {
                None
            } else {
                over(&self.lo)
            };
            return Self::new(over(&self.hi), hi);
        }
        if self.at_most_zero() {
            return self.clone().minus().recip().minus();
        }
        Self::default()
    }

    /// Whether all values have this power: a root ends at zero, and a pole is there, beyond which another branch begins.
    pub(super) fn has_power(&self, exponent: &Rational) -> bool {
        let is_zero = |end: &Option<Rational>| end.as_ref().is_some_and(Rational::is_zero);
        let with_zero = is_zero(&self.lo) || is_zero(&self.hi);
        let of_one_sign = self.at_least_zero() || self.at_most_zero();
        (exponent.is_integer() || self.at_least_zero())
            && (!exponent.is_negative() || of_one_sign && !with_zero)
    }

    fn power(self, exponent: &Rational) -> Self {
        if exponent.is_negative() {
            return self.power(&-exponent).recip();
        }
        let Some(n) = exponent.to_i64().filter(|_| exponent.is_integer()) else {
            // Roots.
            return self.along(
                |x| libm::pow(x, exponent.to_f64()),
                Self::ints(Some(0), None),
            );
        };
        let end = |it: &Option<Rational>| it.as_ref().and_then(|it| it.pow_int(n));
        if self.at_least_zero() || n % 2 == 1 {
            return Self::new(end(&self.lo), end(&self.hi));
        }
        if self.at_most_zero() {
            return Self::new(end(&self.hi), end(&self.lo));
        }
        let hi = end(&self.lo).zip(end(&self.hi)).map(|(a, b)| a.max(b));
        Self::new(Some(Rational::zero()), hi)
    }

    /// The values of a function that rises, within those that it can have at all.
    fn along(self, function: impl Fn(f64) -> f64, all: Self) -> Self {
        // More than what rounding can do.
        let end = |it: Option<Rational>, side: f64| {
            let value = function(it?.to_f64());
            Rational::from_decimal(value + side * (1e-9 * value.abs() + f64::MIN_POSITIVE))
        };
        Self::new(end(self.lo, -1.0), end(self.hi, 1.0)).meet(all)
    }
}

/// The greater of two lower ends.
fn greatest(a: Option<Rational>, b: Option<Rational>) -> Option<Rational> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The lesser of two upper ends.
fn least(a: Option<Rational>, b: Option<Rational>) -> Option<Rational> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A question about bounds.
pub(super) struct Bounds<'s, 'a> {
    system: &'s System<'a>,
    /// What the branches around say.
    facts: Vec<(Expr, RelOp, Expr)>,
    /// Definitions that are being followed.
    open: FxHashSet<VarRef>,
    steps: usize,
}

impl<'s, 'a> Bounds<'s, 'a> {
    pub(super) fn of(system: &'s System<'a>, expr: &Expr) -> Range {
        Self::under(system, &[], expr)
    }

    /// The same where some relations hold.
    pub(super) fn under(
        system: &'s System<'a>,
        facts: &[(Expr, RelOp, Expr)],
        expr: &Expr,
    ) -> Range {
        let mut this = Bounds {
            system,
            facts: facts.to_vec(),
            open: FxHashSet::default(),
            steps: MAX_STEPS,
        };
        this.range(expr, MAX_DEPTH)
    }

    fn range(&mut self, expr: &Expr, depth: usize) -> Range {
        let (Some(depth), Some(steps)) = (depth.checked_sub(1), self.steps.checked_sub(1)) else {
            return Range::default();
        };
        self.steps = steps;
        let own = match expr.kind() {
            Kind::Const(value) => Range::point(value.clone()),
            Kind::Var(read) => self.variable(*read, depth),
            Kind::Sum(items) => {
                let mut sum = Range::point(Rational::zero());
                for item in items {
                    sum = sum.plus(&self.range(item, depth));
                }
                sum
            }
            Kind::Prod(items) => {
                let mut product = Range::point(Rational::one());
                for item in items {
                    product = product.times(&self.range(item, depth));
                }
                product
            }
            Kind::Pow(base, exponent) => self.range(base, depth).power(exponent),
            Kind::If(condition, then, otherwise) => {
                let a = self.branch(self.said(*condition, true), then, depth);
                a.hull(self.branch(self.said(*condition, false), otherwise, depth))
            }
            Kind::Call(function, args) => self.call(function, args, depth),
            _ => Range::default(),
        };
        self.narrowed(expr, own, depth)
    }

    /// The bounds of an expression where some relations hold.
    fn branch(&mut self, facts: Vec<(Expr, RelOp, Expr)>, expr: &Expr, depth: usize) -> Range {
        let n = self.facts.len();
        self.facts.extend(facts);
        let range = self.range(expr, depth);
        self.facts.truncate(n);
        range
    }

    fn narrowed(&mut self, expr: &Expr, mut range: Range, depth: usize) -> Range {
        for at in 0..self.facts.len() {
            let (left, op, right) = self.facts[at].clone();
            let (other, op) = match () {
                () if left == *expr => (right, op),
                () if right == *expr => (left, mirrored(op)),
                () => continue,
            };
            // Without facts: they may be about each other.
            let facts = std::mem::take(&mut self.facts);
            let bound = self.range(&other, depth);
            self.facts = facts;
            range = range.meet(match op {
                RelOp::Greater | RelOp::GreaterEqual => Range::new(bound.lo, None),
                RelOp::Less | RelOp::LessEqual => Range::new(None, bound.hi),
                RelOp::Equal => bound,
                RelOp::NotEqual => Range::default(),
            });
        }
        range
    }

    /// The relations that a condition with this value says for certain.
    fn said(&self, condition: CondId, value: bool) -> Vec<(Expr, RelOp, Expr)> {
        let mdae = &self.system.analysis.mdae;
        let mut found = Vec::new();
        let mut stack = vec![(condition, value)];
        while let Some((condition, value)) = stack.pop() {
            match mdae.conds.formula(condition) {
                Formula::Not(inner) => stack.push((*inner, !value)),
                Formula::And(all) if value => stack.extend(all.iter().map(|it| (*it, true))),
                Formula::Or(all) if !value => stack.extend(all.iter().map(|it| (*it, false))),
                Formula::Mode(id) => {
                    if let ModeDef::Predicate(predicate) = &mdae.modes[*id].def {
                        let op = if value {
                            predicate.op
                        } else {
                            negated(predicate.op)
                        };
                        let of = |expr: &Expr| self.system.with_parameters(expr);
                        found.push((of(&predicate.lhs), op, of(&predicate.rhs)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn variable(&mut self, read: VarRef, depth: usize) -> Range {
        let system = self.system;
        if let Some(value) = system.numbers.get(&read) {
            return Range::point(value.clone());
        }
        let declared = match read.order {
            0 => declared(system, read),
            _ => Range::default(),
        };
        let is_computed = read.at == At::Now
            && !system.is_known(read)
            && !system.unknowns.contains_key(&read)
            && system.analysis.mdae.is_unknown(read.var);
        if !is_computed || !self.open.insert(read) {
            return declared;
        }
        let mut all: Option<Range> = None;
        for (_, writer) in system.analysis.writers().of(std::iter::once(read.var)) {
            let own = match writer.sigma == read.order as i32 {
                true => self.definition(writer.row, read, depth),
                false => Range::default(),
            };
            all = Some(match all {
                Some(all) => all.hull(own),
                None => own,
            });
        }
        self.open.remove(&read);
        declared.meet(all.unwrap_or_default())
    }

    /// The bounds that an equation gives to what it determines.
    fn definition(&mut self, row: usize, read: VarRef, depth: usize) -> Range {
        let system = self.system;
        let equation = &system.analysis.mdae.equations[system.analysis.rows.equations[row]];
        let residual = system.residual(row, 0);
        let own = Expr::var_ref(read);
        let value = match () {
            () if equation.lhs == own => Some(system.with_parameters(&equation.rhs)),
            () if equation.rhs == own => Some(system.with_parameters(&equation.lhs)),
            () => explicit(&residual, read),
        };
        match value {
            Some(value) => self.range(&value, depth),
            None => Range::default(),
        }
    }

    fn call(&mut self, function: &Func, args: &[Expr], depth: usize) -> Range {
        if !function.partials.is_empty() {
            return Range::default();
        }
        match (function.name.as_str(), args) {
            ("exp", [x]) => self
                .range(x, depth)
                .along(libm::exp, Range::ints(Some(0), None)),
            ("tanh", [x]) => self
                .range(x, depth)
                .along(libm::tanh, Range::ints(Some(-1), Some(1))),
            ("sin" | "cos" | "sign", [_]) => Range::ints(Some(-1), Some(1)),
            ("abs", [x]) => {
                let x = self.range(x, depth);
                let both = x.clone().hull(x.clone().minus());
                match x.at_least_zero() {
                    true => x,
                    false => Range::new(Some(Rational::zero()), both.hi),
                }
            }
            ("min", [a, b]) => {
                let (a, b) = (self.range(a, depth), self.range(b, depth));
                Range::new(a.clone().hull(b.clone()).lo, least(a.hi, b.hi))
            }
            ("max", [a, b]) => {
                let (a, b) = (self.range(a, depth), self.range(b, depth));
                Range::new(greatest(a.lo.clone(), b.lo.clone()), a.hull(b).hi)
            }
            ("if", [condition, then, otherwise]) => {
                let fact = |value: bool| match condition.kind() {
                    Kind::Relation(op, a, b) => {
                        vec![(a.clone(), if value { *op } else { negated(*op) }, b.clone())]
                    }
                    _ => Vec::new(),
                };
                let a = self.branch(fact(true), then, depth);
                a.hull(self.branch(fact(false), otherwise, depth))
            }
            ("smooth", [_, x]) | ("noEvent" | "homotopy", [x, ..]) => self.range(x, depth),
            _ => Range::default(),
        }
    }
}

/// By the attributes `min` and `max`.
pub(super) fn declared(system: &System<'_>, read: VarRef) -> Range {
    if system.is_named(read) {
        return Range::default();
    }
    system.trace.variable(read.var);
    let bounds = system.analysis.mdae.variable(read.var).bounds;
    let end = |it: Option<f64>| it.and_then(Rational::from_decimal);
    Range::new(end(bounds.min), end(bounds.max))
}

fn negated(op: RelOp) -> RelOp {
    match op {
        RelOp::Greater => RelOp::LessEqual,
        RelOp::GreaterEqual => RelOp::Less,
        RelOp::Less => RelOp::GreaterEqual,
        RelOp::LessEqual => RelOp::Greater,
        RelOp::Equal => RelOp::NotEqual,
        RelOp::NotEqual => RelOp::Equal,
    }
}

fn mirrored(op: RelOp) -> RelOp {
    match op {
        RelOp::Greater => RelOp::Less,
        RelOp::GreaterEqual => RelOp::LessEqual,
        RelOp::Less => RelOp::Greater,
        RelOp::LessEqual => RelOp::GreaterEqual,
        other => other,
    }
}
