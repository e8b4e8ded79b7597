//! Loops whose coefficients depend on what is known, or that are not linear: is a solution the only one whatever these are, within
//! bounds?
//!
//! Let `h` be a term that rises with `x` by at least `lo` and at most `hi`: a product `R(t) x` with `R` between these, or a function
//! of `x` with such slopes. Two solutions of the loop would differ in `x` and `h` by amounts within the same bounds. A determinant is
//! linear in each such slope, as each stands in one equation of its own. So it has one sign for all of them if it has this
//! sign for each combination of the ends: with `h = if x > 0 then lo*x else hi*x` in its place the loop is one for
//! [`super::continuous`]. Then it is a homeomorphism of unknowns and known values: exactly one solution always exists.
//! An infinite end stands for `x = 0`.

use super::affine::{affine, polynomial};
use super::behaviour::behaviours;
use super::form::Solved;
use super::inner::{Inner, chooses};
use super::range::{Bounds, Range};
use super::system::{Detail, System};
use super::{MAX_CASES, Slopes, classes, combinations, continuous};
use crate::analysis::Analysis;
use crate::fixpoint::graph::Knot;
use crate::model::{ModeDef, ModeId};
use crate::numbers::Trace;
use crate::sym::{
    CondId, Expr, Func, Kind, Rational, RelOp, VarRef, resolve, substitute, variables,
};

/// Whether a loop has exactly one solution, whatever is known.
pub(super) fn is_unique(analysis: &Analysis, trace: &Trace, knot: &Knot, check: &dyn Fn()) -> bool {
    decide(analysis, trace, knot, check) == Some(())
}

fn decide(analysis: &Analysis, trace: &Trace, knot: &Knot, check: &dyn Fn()) -> Option<()> {
    let mut system = System::new(analysis, trace, knot, None, Detail::Slopes).ok()?;
    let before = Solved::new(system.fixed.clone()).ok()?;
    system.merge_atoms(&before);
    let groups = behaviours(&mut system, &before, check).ok()?;
    let n = system.unknowns.len() - before.len();
    let classes = classes(&system, &before, &groups);
    for combined in combinations(&classes, MAX_CASES).ok()? {
        check();
        let slopes: Option<Vec<&Slopes>> = combined.iter().map(|it| it.slopes.as_ref()).collect();
        if continuous::is_unique(n, &slopes?) != Some(true) {
            return None;
        }
    }
    Some(())
}

impl System<'_> {
    /// The expression with unknowns for terms of which only the slope is known.
    pub(super) fn with_slopes(&mut self, expr: &Expr, modes: &[ModeId]) -> Expr {
        if self.unknowns_in(expr).is_empty() {
            return expr.clone();
        }
        match expr.kind() {
            Kind::Sum(items) => Expr::sum(self.each(items, modes)),
            Kind::Prod(items) => {
                let (own, numbers): (Vec<&Expr>, Vec<&Expr>) = items
                    .iter()
                    .partition(|it| !self.unknowns_in(it).is_empty());
                let [only] = own[..] else {
                    return self.sloping(expr);
                };
                match numbers.iter().all(|it| matches!(it.kind(), Kind::Const(_))) {
                    true => {
                        let numbers = numbers.into_iter().cloned();
                        let only = self.with_slopes(only, modes);
                        Expr::product(numbers.chain([only]))
                    }
                    false => self.sloping(expr),
                }
            }
            Kind::If(condition, then, otherwise) => {
                let support = self.analysis.mdae.conds.support([*condition]);
                let on_loop = support.iter().any(|mode| modes.contains(mode));
                let straight = self.is_affine(then) && self.is_affine(otherwise);
                if on_loop && !straight {
                    let sloping = self.sloping(expr);
                    if sloping != *expr {
                        return sloping;
                    }
                }
                let (then, otherwise) = (
                    self.with_slopes(then, modes),
                    self.with_slopes(otherwise, modes),
                );
                Expr::if_else(*condition, &then, &otherwise)
            }
            Kind::Call(function, args)
                if chooses(function) && args.iter().all(|it| self.is_affine(it)) =>
            {
                expr.clone()
            }
            Kind::Pow(..) | Kind::Call(..) => self.sloping(expr),
            _ => expr.clone(),
        }
    }

    fn each(&mut self, items: &[Expr], modes: &[ModeId]) -> Vec<Expr> {
        items.iter().map(|it| self.with_slopes(it, modes)).collect()
    }

    fn unknowns_in(&self, expr: &Expr) -> Vec<VarRef> {
        let reads = variables(expr).into_iter();
        reads
            .filter(|read| self.unknowns.contains_key(read))
            .collect()
    }

    /// Whether an expression without conditions has numbers as coefficients of unknowns.
    fn is_affine(&self, expr: &Expr) -> bool {
        let is_unknown = |read: VarRef| self.unknowns.contains_key(&read);
        !expr.is_conditional()
            && polynomial(expr).is_ok_and(|polynomial| affine(&polynomial, &is_unknown).is_ok())
    }

    /// An unknown in the place of a term, if its slope has bounds; else the term.
    fn sloping(&mut self, expr: &Expr) -> Expr {
        let Some((x, slope)) = self.slope_of(expr) else {
            return expr.clone();
        };
        let (value, compared) = (self.name(expr), self.name(expr));
        let h = Expr::var_ref(value);
        let scaled = |by: &Rational| x.scale(by);
        // `compared > 0` chooses between two lines through zero; that they differ by a multiple of `compared` makes it continuous.
        let (compare, then, otherwise) = match (&slope.lo, &slope.hi) {
            (Some(lo), Some(hi)) => (x.clone(), scaled(lo).sub(&h), scaled(hi).sub(&h)),
            (Some(lo), None) => {
                let above = h.sub(&scaled(lo));
                (x.add(&above), x.clone(), above.neg())
            }
            (None, Some(hi)) => {
                let above = scaled(hi).sub(&h);
                (x.add(&above), x.clone(), above.neg())
            }
            (None, None) => return expr.clone(),
        };
        self.add_choice(
            Inner {
                compared,
                strict: false,
            },
            [compare.sub(&Expr::var_ref(compared)), then, otherwise],
        );
        h
    }

    /// What a term depends on, and by how much it rises with it.
    fn slope_of(&self, expr: &Expr) -> Option<(Expr, Range)> {
        if let Kind::Prod(items) = expr.kind() {
            let (own, known): (Vec<&Expr>, Vec<&Expr>) = items
                .iter()
                .partition(|it| !self.unknowns_in(it).is_empty());
            if let [only] = own[..]
                && self.is_affine(only)
            {
                let factor = Expr::product(known.into_iter().cloned());
                return Some((only.clone(), Bounds::of(self, &factor)));
            }
        }
        let reads = self.unknowns_in(expr);
        let [x] = reads[..] else {
            return None;
        };
        let mut slope = Slope {
            system: self,
            x,
            above: Vec::new(),
        };
        let range = slope.of(expr, 24)?;
        (range.lo.is_some() || range.hi.is_some()).then(|| (Expr::var_ref(x), range))
    }
}

/// How a function of one unknown rises.
struct Slope<'s, 'a> {
    system: &'s System<'a>,
    x: VarRef,
    /// What the branches around say.
    above: Vec<(Expr, RelOp, Expr)>,
}

impl Slope<'_, '_> {
    fn range(&self, expr: &Expr) -> Range {
        Bounds::under(self.system, &self.above, expr)
    }

    fn reads(&self, expr: &Expr) -> bool {
        variables(expr).contains(&self.x)
    }

    /// `None` if the function may jump.
    fn of(&mut self, expr: &Expr, depth: usize) -> Option<Range> {
        let depth = depth.checked_sub(1)?;
        if !self.reads(expr) && !self.depends(expr) {
            return Some(Range::ints(Some(0), Some(0)));
        }
        match expr.kind() {
            Kind::Var(_) => Some(Range::ints(Some(1), Some(1))),
            Kind::Sum(items) => {
                let mut sum = Range::ints(Some(0), Some(0));
                for item in items {
                    sum = sum.plus(&self.of(item, depth)?);
                }
                Some(sum)
            }
            Kind::Prod(items) => self.product(items, depth),
            Kind::Pow(base, exponent) => {
                if !self.range(base).has_power(exponent) {
                    return None;
                }
                let lower = exponent - &Rational::one();
                let outer = self.range(&base.pow(lower).scale(exponent));
                Some(outer.times(&self.of(base, depth)?))
            }
            Kind::If(condition, then, otherwise) => {
                self.branches(*condition, then, otherwise, depth)
            }
            Kind::Call(function, args) => self.call(function, args, depth),
            _ => None,
        }
    }

    /// Whether a condition inside may depend on the loop.
    fn depends(&self, expr: &Expr) -> bool {
        expr.is_conditional()
    }

    fn product(&mut self, items: &[Expr], depth: usize) -> Option<Range> {
        // x |x| rises by 2 |x|.
        let x = Expr::var_ref(self.x);
        let is_amount = |it: &Expr| {
            matches!(it.kind(), Kind::Call(function, args)
            if chooses(function) && function.name.as_str() == "abs" && **args == [x.clone()])
        };
        if let Some(at) = items.iter().position(|it| *it == x)
            && let Some(amount) = items.iter().position(is_amount)
        {
            let rest = items
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != at && *i != amount);
            let rest: Vec<Expr> = rest.map(|(_, it)| it.clone()).collect();
            if rest.iter().any(|it| self.reads(it) || self.depends(it)) {
                return None;
            }
            let rest = self.range(&Expr::product(rest));
            return Some(
                self.range(&items[amount].scale(&Rational::int(2)))
                    .times(&rest),
            );
        }
        let mut sum = Range::ints(Some(0), Some(0));
        for (at, item) in items.iter().enumerate() {
            let others = items.iter().enumerate().filter(|(i, _)| *i != at);
            let others = Expr::product(others.map(|(_, it)| it.clone()));
            sum = sum.plus(&self.of(item, depth)?.times(&self.range(&others)));
        }
        Some(sum)
    }

    fn call(&mut self, function: &Func, args: &[Expr], depth: usize) -> Option<Range> {
        if !function.partials.is_empty() {
            return None;
        }
        match (function.name.as_str(), args) {
            ("exp", [x]) => {
                let value = self.range(&Expr::apply(function.clone(), [x.clone()]));
                Some(value.times(&self.of(x, depth)?))
            }
            ("tanh" | "atan", [x]) => {
                Some(Range::ints(Some(0), Some(1)).times(&self.of(x, depth)?))
            }
            ("sin" | "cos" | "abs", [x]) => {
                Some(Range::ints(Some(-1), Some(1)).times(&self.of(x, depth)?))
            }
            ("min" | "max", [a, b]) => Some(self.of(a, depth)?.hull(self.of(b, depth)?)),
            _ => None,
        }
    }

    /// Two branches that meet where the condition changes.
    fn branches(
        &mut self,
        condition: CondId,
        then: &Expr,
        otherwise: &Expr,
        depth: usize,
    ) -> Option<Range> {
        let mdae = &self.system.analysis.mdae;
        let support = mdae.conds.support([condition]);
        if support.iter().all(|mode| self.is_known(*mode)) {
            return Some(self.of(then, depth)?.hull(self.of(otherwise, depth)?));
        }
        let &[mode] = &support[..] else {
            return None;
        };
        let at = self.threshold(mode)?;
        let there = |expr: &Expr| {
            let expr = resolve(expr, &mut |inner| {
                let support = mdae.conds.support([inner]);
                let other = self.threshold(*support.first().filter(|_| support.len() == 1)?)?;
                // At its own threshold a condition makes no difference: this is checked by itself.
                let above = self.is_above(inner)?;
                Some(above == (at > other))
            });
            substitute(&expr, &mut |read| {
                (read == self.x).then(|| Expr::constant(at.clone()))
            })
        };
        let gap = there(then).sub(&there(otherwise));
        if gap.is_conditional() || polynomial(&gap).ok()?.terms().next().is_some() {
            return None;
        }
        let above = self.is_above(condition)?;
        let x = Expr::var_ref(self.x);
        let side = |this: &mut Self, above: bool, branch: &Expr| {
            let op = if above {
                RelOp::GreaterEqual
            } else {
                RelOp::LessEqual
            };
            this.above.push((x.clone(), op, Expr::constant(at.clone())));
            let range = this.of(branch, depth);
            this.above.pop();
            range
        };
        Some(side(self, above, then)?.hull(side(self, !above, otherwise)?))
    }

    /// Whether a condition certainly does not depend on the loop.
    fn is_known(&self, mode: ModeId) -> bool {
        match &self.system.analysis.mdae.modes[mode].def {
            ModeDef::Predicate(predicate) => [&predicate.lhs, &predicate.rhs]
                .into_iter()
                .all(|side| self.system.unknowns_in(side).is_empty()),
            ModeDef::Input | ModeDef::Left(_) => true,
            _ => false,
        }
    }

    /// The value of `x` at which a comparison with a number changes.
    fn threshold(&self, mode: ModeId) -> Option<Rational> {
        let (slope, rest) = self.compared(mode)?;
        rest.checked_div(&-&slope)
    }

    /// `(a, b)` of a comparison of `a x + b` with zero, turned so that it holds above.
    fn compared(&self, mode: ModeId) -> Option<(Rational, Rational)> {
        let ModeDef::Predicate(predicate) = &self.system.analysis.mdae.modes[mode].def else {
            return None;
        };
        let difference = match predicate.op {
            RelOp::Greater | RelOp::GreaterEqual => predicate.lhs.sub(&predicate.rhs),
            RelOp::Less | RelOp::LessEqual => predicate.rhs.sub(&predicate.lhs),
            _ => return None,
        };
        let difference = self.system.with_parameters(&difference);
        let (own, rest) = affine(&polynomial(&difference).ok()?, &|read| read == self.x).ok()?;
        let [(_, slope)] = &own[..] else {
            return None;
        };
        let rest = match &rest[..] {
            [] => Rational::zero(),
            [(term, number)] if term.is_one() => number.clone(),
            _ => return None,
        };
        Some((slope.clone(), rest))
    }

    /// Whether a condition on one comparison holds above its threshold.
    fn is_above(&self, condition: CondId) -> Option<bool> {
        let mdae = &self.system.analysis.mdae;
        let support = mdae.conds.support([condition]);
        let &[mode] = &support[..] else {
            return None;
        };
        let (slope, _) = self.compared(mode)?;
        let closed = mdae.conds.closed([condition]);
        let truth = mdae.conds.evaluate_some(&closed, |_| Some(true));
        Some(*truth.get(&condition)? != slope.is_negative())
    }
}
