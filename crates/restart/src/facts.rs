//! Facts: equations over the past that hold already, up to O(ε).
//!
//! Two kinds of hypotheses are known about left limits: the equations of the old mode with their
//! derivatives, and the functions whose zero crossing caused the change. Whether an equation follows
//! from them is decided exactly: equations become vectors over the monomials of their variables, with
//! parameters at random values modulo a large prime, and entailment is membership in the span (after
//! explicit definitions have been substituted, which makes it complete for linear systems and finds
//! constraints that are definitions in disguise). Nothing is called a fact that is not one, up to an
//! error probability of about 2⁻⁶⁰.

use crate::array::derivatives;
use crate::change::{Change, Role};
use crate::sigma::ModeOffsets;
use modeshift_algebra::{Echelon, Row};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{
    At, Expr, Fp, Kind, Limits, Monomial, Polynomial, Rational, Sample, TooLarge, VarId, VarRef,
    evaluate, is_affine, map_leaves, normal_form, normal_form_within, substitute, variables,
};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Why a fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The old mode guarantees it.
    PreviousMode,
    /// The zero crossing that caused the change says so.
    ZeroCrossing,
    /// The start values satisfy it.
    StartValues,
    /// It follows from the other equations of the restart and the left limits.
    Derived,
}

impl Reason {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PreviousMode => "previous-mode",
            Self::ZeroCrossing => "zero-crossing",
            Self::StartValues => "start-values",
            Self::Derived => "derived",
        }
    }
}

/// The point at which parameters are evaluated: one for all vectors of a span.
const SEED: u64 = 0x6d6f_6465;

const LIMITS: Limits = Limits {
    terms: 256,
    power: 8,
};

/// More hypotheses than this are not substituted into each other, only spanned.
const MAX_DEFINITIONS: usize = 200;

/// Definitions with more terms than this are not substituted: what they say of other equations would be too large to
/// be compared. Their equations are spanned like others.
const MAX_TERMS: usize = 24;

/// While definitions are looked for nothing longer is multiplied out: it would have to cancel out again to be one.
const WHILE_SEARCHING: Limits = Limits {
    terms: 3 * MAX_TERMS,
    ..LIMITS
};

/// How many terms may be multiplied out while definitions are looked for, in all, and again while the rest is spanned. Some
/// ten thousand are done in the blink of an eye; a model with larger equations is content with fewer definitions.
const MAX_WORK: usize = 30_000;

/// Where the equations of the old mode took more work than this, crossings are added to what was found, instead of
/// looking for definitions in all of them together.
const HEAVY_WORK: usize = 2_000;

/// Time as a variable: a crossing may say at which time it happens.
pub(crate) const TIME: VarRef = VarRef::now(VarId(u32::MAX - 1), 0);

pub(crate) fn with_time(expr: &Expr) -> Expr {
    map_leaves(expr, &mut |kind| match kind {
        Kind::Time => Some(Expr::var_ref(TIME)),
        _ => None,
    })
}

/// Current values become left limits.
fn at_left_limit(change: &Change, expr: &Expr) -> Expr {
    substitute(expr, &mut |occurrence| {
        let keep = occurrence.at == At::Left || change.role(occurrence.var) == Role::Known;
        (!keep).then(|| {
            Expr::var_ref(VarRef {
                at: At::Left,
                ..occurrence
            })
        })
    })
}

/// What is known about the left limits of a change. Worked out when it is first asked for: most changes need nothing of it.
pub struct Past<'c> {
    change: &'c Change,
    /// By equation of the old mode.
    offsets: Vec<u32>,
    hypotheses: OnceCell<Vec<Expr>>,
    /// What the old mode says: equations that both modes have need no more.
    stated: OnceCell<FxHashSet<Expr>>,
    /// What it says literally at the time of the crossing, multiplied out.
    at_crossing: OnceCell<Option<(Expr, FxHashSet<Expr>)>>,
    /// What the hypotheses and crossings speak about.
    mentioned: OnceCell<FxHashSet<VarRef>>,
    guaranteed: OnceCell<Span>,
    with_crossings: OnceCell<Span>,
}

impl<'c> Past<'c> {
    pub fn new(change: &'c Change, before: &ModeOffsets) -> Self {
        Self {
            change,
            offsets: before.c.clone(),
            hypotheses: OnceCell::new(),
            stated: OnceCell::new(),
            at_crossing: OnceCell::new(),
            mentioned: OnceCell::new(),
            guaranteed: OnceCell::new(),
            with_crossings: OnceCell::new(),
        }
    }

    /// Left limits satisfy the equations of the old mode and all their derivatives. One beyond the offsets speaks of variables that
    /// no fact is about; they fall out again where equations are linear, so only those are differentiated once more.
    fn hypotheses(&self) -> &[Expr] {
        self.hypotheses.get_or_init(|| {
            let equations = self.change.before.iter().zip(&self.offsets);
            let all = equations.flat_map(|(e, &c)| {
                let more = u32::from(is_affine(&e.residual));
                derivatives(self.change, &e.residual, c + more)
            });
            all.map(|expr| at_left_limit(self.change, &expr)).collect()
        })
    }

    /// The hypotheses as they are written, and with values in the place of unknowns that an equation of their own gives. The latter say
    /// nothing new, but in large parts nobody puts one equation into another to find out.
    fn stated(&self) -> &FxHashSet<Expr> {
        self.stated.get_or_init(|| {
            let change = self.change;
            let restated = change.restated.iter().zip(&change.before);
            let restated = restated.zip(&self.offsets);
            let restated = restated
                .filter(|((restated, before), _)| **restated != before.residual)
                .flat_map(|((restated, _), &c)| {
                    derivatives(change, restated, c + u32::from(is_affine(restated)))
                })
                .map(|expr| at_left_limit(change, &expr));
            self.hypotheses().iter().cloned().chain(restated).collect()
        })
    }

    fn guaranteed(&self) -> &Span {
        self.guaranteed.get_or_init(|| Span::new(self.hypotheses()))
    }

    fn crossings(&self) -> Vec<Expr> {
        let crossings = self.change.crossings.iter();
        crossings.map(|g| at_left_limit(self.change, g)).collect()
    }

    /// Whether an equation speaks of something that neither the past nor `rows` speak of: it follows from nothing then, and
    /// consequences need not be worked out. Linear in the equations.
    fn is_news(&self, rows: &[Expr], target: &Expr) -> bool {
        let mentioned = self.mentioned.get_or_init(|| {
            let crossings = self.crossings();
            let all = self.hypotheses().iter().chain(&crossings);
            all.flat_map(variables).collect()
        });
        let mut open = variables(target);
        open.retain(|variable| !mentioned.contains(variable));
        if open.is_empty() {
            return false;
        }
        for row in rows {
            for variable in variables(row) {
                open.remove(&variable);
            }
        }
        // What is true of everything is no news.
        !open.is_empty() && !normal_form(target, LIMITS).is_ok_and(|form| form.is_empty())
    }

    fn with_crossings(&self) -> &Span {
        self.with_crossings.get_or_init(|| {
            let guaranteed = self.guaranteed();
            let crossings = self.crossings();
            if crossings.is_empty() {
                guaranteed.clone()
            } else if guaranteed.work > HEAVY_WORK {
                guaranteed.spanned(&crossings)
            } else {
                let all = self.hypotheses().iter().chain(&crossings);
                Span::new(&all.cloned().collect::<Vec<_>>())
            }
        })
    }

    /// Whether an equation of the old mode is this one at the time of the crossing: the two pieces of a ramp meet there.
    fn meets(&self, residual: &Expr) -> bool {
        let at_crossing = self.at_crossing.get_or_init(|| {
            let time = self.change.crossings.iter().find_map(|crossing| {
                let found = definition_in(&with_time(crossing), &mut MAX_WORK.clone()).ok()?;
                let (symbol, value) = found?;
                (symbol == TIME && variables(&value).is_empty()).then_some(value)
            })?;
            // Those that go on as they are need not meet anything.
            let kept: FxHashSet<&Expr> = self.change.after.iter().map(|e| &e.residual).collect();
            let all = self.change.restated.iter();
            let all = all.filter(|expr| !kept.contains(expr));
            let all = all.map(|expr| at_left_limit(self.change, expr));
            let all = all.filter_map(|expr| at_time(&expr, &time)).collect();
            Some((time, all))
        });
        at_crossing.as_ref().is_some_and(|(time, stated)| {
            at_time(residual, time).is_some_and(|residual| stated.contains(&residual))
        })
    }

    /// Why `residual = 0` holds, if it does; `residual` is over left limits.
    pub fn reason(&self, residual: &Expr) -> Option<Reason> {
        if self.stated().contains(residual) {
            Some(Reason::PreviousMode)
        } else if self.meets(residual) {
            Some(Reason::ZeroCrossing)
        } else if self.is_news(&[], residual) {
            None
        } else if self.guaranteed().contains(residual) {
            Some(Reason::PreviousMode)
        } else if self.with_crossings().contains(residual) {
            Some(if self.change.initial {
                Reason::StartValues
            } else {
                Reason::ZeroCrossing
            })
        } else {
            None
        }
    }

    /// Whether `target` follows from the left limits and `rows`.
    pub fn entails(&self, rows: &[Expr], target: &Expr) -> bool {
        !self.is_news(rows, target)
            && (self.with_crossings().contains(target) || self.with(rows).contains(target))
    }

    /// The left limits together with `rows`.
    pub fn with(&self, rows: &[Expr]) -> Span {
        self.with_crossings().extended(rows)
    }
}

/// An expression at a time, multiplied out; `None` where that is too long.
fn at_time(expr: &Expr, time: &Expr) -> Option<Expr> {
    let then = map_leaves(expr, &mut |kind| match kind {
        Kind::Time => Some(time.clone()),
        _ => None,
    });
    Some(normal_form(&then, WHILE_SEARCHING).ok()?.to_expr())
}

/// The consequences of a set of equations, as far as linear algebra over monomials finds them.
#[derive(Clone)]
pub struct Span {
    definitions: Vec<(VarRef, Expr)>,
    monomials: Monomials,
    /// Terms multiplied out on the way.
    work: usize,
}

impl Span {
    fn new(hypotheses: &[Expr]) -> Self {
        let empty = Self {
            definitions: Vec::new(),
            monomials: Monomials::default(),
            work: 0,
        };
        empty.extended(hypotheses)
    }

    fn extended(&self, hypotheses: &[Expr]) -> Self {
        let mut span = self.clone();
        let hypotheses: Vec<Expr> = hypotheses.iter().map(|h| self.simplified(h)).collect();
        let (definitions, rest) = explicit_definitions(&hypotheses, &mut span.work);
        span.definitions.extend(definitions);
        span.insert(&rest);
        span
    }

    /// The same without looking for definitions: these would be missing in the equations that were spanned before.
    fn spanned(&self, hypotheses: &[Expr]) -> Self {
        let mut span = self.clone();
        let hypotheses: Vec<Expr> = hypotheses.iter().map(|h| self.simplified(h)).collect();
        span.insert(&hypotheses);
        span
    }

    fn insert(&mut self, hypotheses: &[Expr]) {
        let mut budget = MAX_WORK;
        for hypothesis in hypotheses {
            // What is not looked at is not known: fewer facts, never a wrong one.
            if budget == 0 {
                break;
            }
            if let Some(row) = self.monomials.row(hypothesis, &mut budget) {
                self.monomials.echelon.insert(row);
            }
        }
        self.work += MAX_WORK - budget;
    }

    fn simplified(&self, expr: &Expr) -> Expr {
        with_definitions(&with_time(expr), &self.definitions)
    }

    pub fn contains(&self, target: &Expr) -> bool {
        let row = self.monomials.known_row(&self.simplified(target));
        row.is_some_and(|row| self.monomials.echelon.reduced(row).is_empty())
    }
}

/// Substitutes definitions `s = e` (with a coefficient that is a number) into each other and into the
/// other hypotheses. Only done where some hypothesis is not linear: the span is complete for linear ones.
fn explicit_definitions(
    hypotheses: &[Expr],
    total: &mut usize,
) -> (Vec<(VarRef, Expr)>, Vec<Expr>) {
    let mut rest: Vec<Expr> = hypotheses.to_vec();
    let mut definitions = Vec::new();
    if hypotheses.len() > MAX_DEFINITIONS || hypotheses.iter().all(is_affine) {
        return (definitions, rest);
    }
    let mut present: Vec<BTreeSet<VarRef>> = rest.iter().map(variables).collect();
    // An equation is looked at again only when a substitution has changed it, and not at all once it was too large: what is
    // put into it hardly makes it smaller.
    let mut waiting: Vec<bool> = vec![true; rest.len()];
    let mut large: Vec<Expr> = Vec::new();
    let mut budget = MAX_WORK;
    while let Some(i) = waiting.iter().position(|&waits| waits) {
        waiting[i] = false;
        let found = definition_in(&rest[i], &mut budget);
        if budget == 0 {
            break;
        }
        if let Ok(None) = found {
            continue;
        }
        let equation = rest.swap_remove(i);
        present.swap_remove(i);
        waiting.swap_remove(i);
        let Ok(Some((symbol, value))) = found else {
            large.push(equation);
            continue;
        };
        for (at, other) in rest.iter_mut().enumerate() {
            if present[at].contains(&symbol) {
                *other = substitute(other, &mut |o| (o == symbol).then(|| value.clone()));
                present[at] = variables(other);
                waiting[at] = true;
            }
        }
        definitions.push((symbol, value));
        if definitions.len() > MAX_DEFINITIONS {
            break;
        }
    }
    *total += MAX_WORK - budget;
    rest.extend(
        large
            .iter()
            .map(|equation| with_definitions(equation, &definitions)),
    );
    (definitions, rest)
}

/// An equation with definitions put in, one after the other.
fn with_definitions(expr: &Expr, definitions: &[(VarRef, Expr)]) -> Expr {
    let mut expr = expr.clone();
    if definitions.is_empty() {
        return expr;
    }
    let mut present = variables(&expr);
    for (symbol, value) in definitions {
        if present.contains(symbol) {
            expr = substitute(&expr, &mut |o| (o == *symbol).then(|| value.clone()));
            present = variables(&expr);
        }
    }
    expr
}

/// A variable that the equation gives explicitly: one term, to the power one, numeric coefficient.
/// What is multiplied out is taken from the budget.
fn definition_in(expr: &Expr, budget: &mut usize) -> Result<Option<(VarRef, Expr)>, TooLarge> {
    let polynomial = normal_form_within(expr, WHILE_SEARCHING, budget)?;
    let is_short = polynomial.len() <= MAX_TERMS;
    Ok(is_short.then(|| definition_of(&polynomial)).flatten())
}

fn definition_of(polynomial: &Polynomial) -> Option<(VarRef, Expr)> {
    let candidate = polynomial.terms().find_map(|(monomial, coefficient)| {
        let [(generator, exponent)] = monomial.as_slice() else {
            return None;
        };
        let symbol = generator.as_var().filter(|_| exponent.is_one())?;
        let elsewhere = polynomial.terms().filter(|(m, _)| *m != monomial);
        let only_here = elsewhere
            .flat_map(|(m, _)| m.iter())
            .all(|(other, _)| !variables(other).contains(&symbol));
        only_here.then(|| (symbol, coefficient.clone()))
    })?;
    let (symbol, coefficient) = candidate;
    let rest = polynomial
        .to_expr()
        .sub(&Expr::var_ref(symbol).scale(&coefficient));
    let factor = Rational::int(-1).checked_div(&coefficient)?;
    let value = normal_form(&rest.scale(&factor), LIMITS).ok()?.to_expr();
    Some((symbol, value))
}

/// Row echelon form over interned monomials modulo the prime.
#[derive(Clone, Default)]
struct Monomials {
    columns: FxHashMap<Monomial, usize>,
    echelon: Echelon,
}

impl Monomials {
    /// The equation as a row; `None` when it is too large to be multiplied out.
    fn row(&mut self, expr: &Expr, budget: &mut usize) -> Option<Row> {
        let summands = summands(expr, budget)?.into_iter();
        let entries = summands.map(|(symbols, value)| {
            let next = self.columns.len();
            (*self.columns.entry(symbols).or_insert(next), value)
        });
        Some(entries.collect())
    }

    /// The equation as a row over monomials that occur already; `None` where one does not.
    fn known_row(&self, expr: &Expr) -> Option<Row> {
        let mut entries = Vec::new();
        let mut unknown: FxHashMap<Monomial, Fp> = FxHashMap::default();
        let mut unlimited = usize::MAX;
        for (symbols, value) in summands(expr, &mut unlimited)? {
            match self.columns.get(&symbols) {
                Some(&column) => entries.push((column, value)),
                None => {
                    let entry = unknown.entry(symbols).or_insert(Fp::ZERO);
                    *entry = entry.plus(value);
                }
            }
        }
        let known = unknown.values().all(|value| value.is_zero());
        known.then(|| entries.into_iter().collect())
    }
}

/// The monomials of an equation in its variables, with coefficients modulo the prime: numbers and
/// parameters are evaluated, the latter at random values.
fn summands(expr: &Expr, budget: &mut usize) -> Option<Vec<(Monomial, Fp)>> {
    let sample = Sample::new(SEED);
    let polynomial = normal_form_within(expr, LIMITS, budget).ok()?;
    let mut list = Vec::with_capacity(polynomial.len());
    for (monomial, coefficient) in polynomial.terms() {
        let mut value = Fp::from_rational(coefficient)?;
        let mut symbols = Monomial::new();
        for (generator, exponent) in monomial {
            let constant = generator.as_var().is_none() && variables(generator).is_empty();
            let factor = constant.then(|| evaluate(&generator.pow(exponent.clone()), &sample).ok());
            match factor.flatten() {
                Some(factor) => value = value.times(factor),
                None => symbols.push((generator.clone(), exponent.clone())),
            }
        }
        list.push((symbols, value));
    }
    Some(list)
}
