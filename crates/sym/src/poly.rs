//! Polynomial normal form with exact rational coefficients.
//!
//! Generators are the leaves, the function calls (with normalised arguments) and the powers that do not
//! expand. Two expressions with the same normal form are equal; the converse holds for polynomials.

use super::expr::{Expr, Func, Kind};
use modeshift_algebra::Rational;
use modeshift_base::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A product of generators with nonzero exponents, sorted by generator.
pub type Monomial = Vec<(Expr, Rational)>;

/// How much work expansion may do before it gives up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Terms of any intermediate polynomial.
    pub terms: usize,
    /// Exponents of sums that are multiplied out.
    pub power: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            terms: 4096,
            power: 16,
        }
    }
}

/// The normal form would exceed its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// A sum of monomials with nonzero coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    fn constant(value: Rational) -> Self {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Monomial::new(), value);
        }
        Self { terms }
    }

    fn generator(expr: Expr, exponent: Rational) -> Self {
        Self {
            terms: BTreeMap::from([(vec![(expr, exponent)], Rational::one())]),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Rational)> {
        self.terms.iter()
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn as_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::zero()),
            1 => self.terms.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: &Rational) {
        use std::collections::btree_map::Entry;
        match self.terms.entry(monomial) {
            Entry::Vacant(entry) => {
                if !coefficient.is_zero() {
                    entry.insert(coefficient.clone());
                }
            }
            Entry::Occupied(mut entry) => {
                let sum = entry.get() + coefficient;
                if sum.is_zero() {
                    entry.remove();
                } else {
                    entry.insert(sum);
                }
            }
        }
    }

    fn add(mut self, other: &Self) -> Self {
        for (monomial, coefficient) in &other.terms {
            self.add_term(monomial.clone(), coefficient);
        }
        self
    }

    fn mul(&self, other: &Self, limits: Limits) -> Result<Self, TooLarge> {
        if self.terms.len().saturating_mul(other.terms.len()) > limits.terms.saturating_mul(16) {
            return Err(TooLarge);
        }
        let mut product = Self::default();
        for (m1, c1) in &self.terms {
            for (m2, c2) in &other.terms {
                product.add_term(merge(m1, m2), &(c1 * c2));
            }
        }
        if product.terms.len() > limits.terms {
            Err(TooLarge)
        } else {
            Ok(product)
        }
    }

    /// The polynomial divided by the coefficient of its first monomial.
    pub fn monic(self) -> Self {
        let Some(lead) = self.terms.values().next().and_then(Rational::recip) else {
            return self;
        };
        Self {
            terms: self
                .terms
                .into_iter()
                .map(|(m, c)| (m, &c * &lead))
                .collect(),
        }
    }

    /// Back to an expression, terms in canonical order.
    pub fn to_expr(&self) -> Expr {
        Expr::sum(self.terms.iter().map(|(monomial, coefficient)| {
            let powers = monomial
                .iter()
                .map(|(base, exponent)| base.pow(exponent.clone()));
            Expr::product(
                [Expr::constant(coefficient.clone())]
                    .into_iter()
                    .chain(powers),
            )
        }))
    }
}

fn merge(a: &Monomial, b: &Monomial) -> Monomial {
    let mut result = Monomial::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                result.push(a[i].clone());
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                result.push(b[j].clone());
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                let exponent = &a[i].1 + &b[j].1;
                if !exponent.is_zero() {
                    result.push((a[i].0.clone(), exponent));
                }
                i += 1;
                j += 1;
            }
        }
    }
    result.extend_from_slice(&a[i..]);
    result.extend_from_slice(&b[j..]);
    result
}

/// The polynomial normal form of `expr`. Shared nodes are expanded once, and the terms that are multiplied are
/// counted: O(`limits.terms` · 64) of them, then it gives up.
pub fn normal_form(expr: &Expr, limits: Limits) -> Result<Polynomial, TooLarge> {
    let mut unlimited = usize::MAX;
    normal_form_within(expr, limits, &mut unlimited)
}

/// The same for one of several expressions that share a budget: what is multiplied out is taken from it, and where it is
/// used up nothing is expanded any more.
pub fn normal_form_within(
    expr: &Expr,
    limits: Limits,
    budget: &mut usize,
) -> Result<Polynomial, TooLarge> {
    let most = limits.terms.saturating_mul(64).min(*budget);
    let mut expansion = Expansion {
        memo: FxHashMap::default(),
        limits,
        most,
        work: 0,
    };
    let polynomial = expansion.of(expr).map(Rc::unwrap_or_clone);
    *budget = budget.saturating_sub(expansion.work);
    polynomial
}

/// One expansion with what it has found so far.
struct Expansion {
    /// By address of nodes of the expression, which outlives the expansion.
    memo: FxHashMap<usize, Rc<Polynomial>>,
    limits: Limits,
    /// What `work` may come to.
    most: usize,
    work: usize,
}

impl Expansion {
    fn spend(&mut self, terms: usize) -> Result<(), TooLarge> {
        self.work = self.work.saturating_add(terms);
        if self.work > self.most {
            return Err(TooLarge);
        }
        Ok(())
    }

    fn of(&mut self, expr: &Expr) -> Result<Rc<Polynomial>, TooLarge> {
        if let Some(known) = self.memo.get(&expr.address()) {
            return Ok(known.clone());
        }
        self.spend(1)?;
        let found = Rc::new(self.expand(expr)?);
        self.memo.insert(expr.address(), found.clone());
        Ok(found)
    }

    fn expand(&mut self, expr: &Expr) -> Result<Polynomial, TooLarge> {
        match expr.kind() {
            Kind::Const(value) => Ok(Polynomial::constant(value.clone())),
            Kind::Sum(terms) => {
                let mut sum = Polynomial::default();
                for term in terms {
                    let term = self.of(term)?;
                    self.spend(term.len())?;
                    sum = sum.add(&term);
                    if sum.terms.len() > self.limits.terms {
                        return Err(TooLarge);
                    }
                }
                Ok(sum)
            }
            Kind::Prod(factors) => {
                let mut product = Polynomial::constant(Rational::one());
                for factor in factors {
                    let factor = self.of(factor)?;
                    self.spend(product.len() * factor.len())?;
                    product = product.mul(&factor, self.limits)?;
                }
                Ok(product)
            }
            Kind::Pow(base, exponent) => {
                let base = self.of(base)?;
                let steps = exponent.to_i64().unwrap_or(1).unsigned_abs();
                let steps = usize::try_from(steps).unwrap_or(usize::MAX);
                self.spend(base.len().saturating_mul(steps))?;
                power(&base, exponent, self.limits)
            }
            Kind::Call(function, args) => self.call(function, args),
            Kind::If(condition, then, otherwise) => {
                let then = self.of(then)?.to_expr();
                let otherwise = self.of(otherwise)?.to_expr();
                self.spend(1)?;
                Ok(Polynomial::generator(
                    Expr::if_else(*condition, &then, &otherwise),
                    Rational::one(),
                ))
            }
            _ => Ok(Polynomial::generator(expr.clone(), Rational::one())),
        }
    }

    fn call(&mut self, function: &Func, args: &[Expr]) -> Result<Polynomial, TooLarge> {
        let mut rebuilt = Vec::with_capacity(args.len());
        for arg in args {
            let arg = self.of(arg)?;
            self.spend(arg.len() + 1)?;
            rebuilt.push(arg.to_expr());
        }
        let rebuilt = Expr::apply(function.clone(), rebuilt);
        Ok(match rebuilt.as_const() {
            Some(value) => Polynomial::constant(value.clone()),
            None => Polynomial::generator(rebuilt, Rational::one()),
        })
    }
}

fn power(base: &Polynomial, exponent: &Rational, limits: Limits) -> Result<Polynomial, TooLarge> {
    if let Some(n) = exponent.to_i64() {
        if n > 0 && (base.len() == 1 || n <= i64::from(limits.power)) {
            let n = u32::try_from(n).map_err(|_| TooLarge)?;
            return if base.len() == 1 {
                Ok(monomial_power(base, exponent, i64::from(n)).unwrap_or_default())
            } else {
                expand(base, n, limits)
            };
        }
        if let Some(inverse) = monomial_power(base, exponent, n) {
            return Ok(inverse);
        }
    }
    let expr = base.to_expr().pow(exponent.clone());
    Ok(match expr.kind() {
        Kind::Const(value) => Polynomial::constant(value.clone()),
        Kind::Pow(base, exponent) => Polynomial::generator(base.clone(), exponent.clone()),
        _ => Polynomial::generator(expr, Rational::one()),
    })
}

fn expand(base: &Polynomial, n: u32, limits: Limits) -> Result<Polynomial, TooLarge> {
    let mut result = base.clone();
    for _ in 1..n {
        result = result.mul(base, limits)?;
    }
    Ok(result)
}

/// Integer powers, negative ones included, of a single monomial.
fn monomial_power(base: &Polynomial, exponent: &Rational, n: i64) -> Option<Polynomial> {
    if base.len() != 1 {
        return None;
    }
    let (monomial, coefficient) = base.terms.first_key_value()?;
    let coefficient = coefficient.pow_int(n)?;
    let monomial = monomial
        .iter()
        .map(|(g, e)| (g.clone(), e * exponent))
        .collect();
    Some(Polynomial {
        terms: BTreeMap::from([(monomial, coefficient)]),
    })
}

/// Whether `a` and `b` vanish together because one is a nonzero constant multiple of the other.
pub fn equal_up_to_factor(a: &Expr, b: &Expr, limits: Limits) -> Result<bool, TooLarge> {
    Ok(normal_form(a, limits)?.monic() == normal_form(b, limits)?.monic())
}
