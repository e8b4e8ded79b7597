//! The expression tree and its constructors.
//!
//! Constructors keep terms in the order in which they were written, flatten nested sums and products
//! and fold constants; everything stronger is the business of the polynomial normal form.

use modeshift_algebra::Rational;
use modeshift_base::Name;
use rustc_hash::{FxHashSet, FxHasher};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A real variable (continuous or discrete) of whoever holds the expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A parameter: constant over a simulation, unknown at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ParamId(pub u32);

/// A Boolean condition in the table of whoever holds the expression, usually a BDD guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CondId(pub u32);

impl CondId {
    /// In every table.
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);
}

/// Which value of a variable an occurrence reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum At {
    /// The value at the current instant.
    Now,
    /// The left limit, `pre(x)`.
    Left,
}

/// An occurrence `x'^m`, now or as a left limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarRef {
    pub var: VarId,
    pub order: u32,
    pub at: At,
}

impl VarRef {
    pub const fn now(var: VarId, order: u32) -> Self {
        Self {
            var,
            order,
            at: At::Now,
        }
    }

    pub const fn left(var: VarId, order: u32) -> Self {
        Self {
            var,
            order,
            at: At::Left,
        }
    }
}

/// A function by name. `partials` are the arguments (from 0) it was differentiated by: functions
/// without known derivative stay opaque, their derivatives are opaque functions again.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Func {
    pub name: Name,
    pub partials: Box<[u16]>,
}

impl Func {
    pub fn new(name: &str) -> Self {
        Self {
            name: Name::new(name),
            partials: Box::default(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RelOp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl RelOp {
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "<>",
        }
    }
}

/// What an expression is at its root.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Const(Rational),
    Time,
    Param(ParamId),
    Var(VarRef),
    /// A Boolean where a value is expected, as an argument of a function.
    Cond(CondId),
    /// A string argument of a function.
    Text(Name),
    /// At least two terms, no term is a sum, at most one is a constant.
    Sum(Box<[Expr]>),
    /// At least two factors, no factor is a product, at most one is a constant, which comes first.
    Prod(Box<[Expr]>),
    /// A constant exponent, neither 0 nor 1. Other powers are calls of `^`.
    Pow(Expr, Rational),
    Call(Func, Box<[Expr]>),
    If(CondId, Expr, Expr),
    /// A relation as a value, in predicates.
    Relation(RelOp, Expr, Expr),
}

struct Node {
    /// Its last bit tells whether there is a condition inside.
    hash: u64,
    kind: Kind,
}

/// An immutable expression; cloning costs one reference count, comparing unequal ones one hash.
#[derive(Clone)]
pub struct Expr(Arc<Node>);

impl Expr {
    pub fn new(kind: Kind) -> Self {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        let conditional = match &kind {
            Kind::If(..) | Kind::Cond(_) => true,
            Kind::Sum(items) | Kind::Prod(items) | Kind::Call(_, items) => {
                items.iter().any(Self::is_conditional)
            }
            Kind::Pow(base, _) => base.is_conditional(),
            Kind::Relation(_, a, b) => a.is_conditional() || b.is_conditional(),
            _ => false,
        };
        Self(Arc::new(Node {
            hash: hasher.finish() << 1 | u64::from(conditional),
            kind,
        }))
    }

    /// Whether an if-expression or a Boolean value occurs in it. O(1).
    pub fn is_conditional(&self) -> bool {
        self.0.hash & 1 == 1
    }

    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    pub fn zero() -> Self {
        Self::int(0)
    }

    pub fn one() -> Self {
        Self::int(1)
    }

    pub fn int(value: i64) -> Self {
        Self::constant(Rational::int(value))
    }

    pub fn constant(value: Rational) -> Self {
        Self::new(Kind::Const(value))
    }

    pub fn time() -> Self {
        Self::new(Kind::Time)
    }

    pub fn param(id: ParamId) -> Self {
        Self::new(Kind::Param(id))
    }

    pub fn var(id: VarId) -> Self {
        Self::new(Kind::Var(VarRef::now(id, 0)))
    }

    pub fn der(id: VarId) -> Self {
        Self::new(Kind::Var(VarRef::now(id, 1)))
    }

    pub fn pre(id: VarId) -> Self {
        Self::new(Kind::Var(VarRef::left(id, 0)))
    }

    pub fn var_ref(occurrence: VarRef) -> Self {
        Self::new(Kind::Var(occurrence))
    }

    pub fn as_const(&self) -> Option<&Rational> {
        match self.kind() {
            Kind::Const(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_var(&self) -> Option<VarRef> {
        match self.kind() {
            Kind::Var(occurrence) => Some(*occurrence),
            _ => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.as_const().is_some_and(Rational::is_zero)
    }

    pub fn is_one(&self) -> bool {
        self.as_const().is_some_and(Rational::is_one)
    }

    /// The sum of `terms`. Collect long chains into one call: each call copies its flattened terms.
    pub fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        let mut constant = Rational::zero();
        let mut constant_at = None;
        let mut add = |term: &Self| match term.kind() {
            Kind::Const(value) => {
                constant = &constant + value;
                constant_at.get_or_insert(flat.len());
            }
            _ => flat.push(term.clone()),
        };
        for term in terms {
            match term.kind() {
                Kind::Sum(inner) => inner.iter().for_each(&mut add),
                _ => add(&term),
            }
        }
        if !constant.is_zero() {
            let at = constant_at.unwrap_or(flat.len());
            flat.insert(at, Self::constant(constant));
        }
        match flat.len() {
            0 => Self::zero(),
            1 => flat.swap_remove(0),
            _ => Self::new(Kind::Sum(flat.into())),
        }
    }

    /// The product of `factors`.
    pub fn product(factors: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        let mut constant = Rational::one();
        let mut multiply = |factor: &Self| match factor.kind() {
            Kind::Const(value) => constant = &constant * value,
            _ => flat.push(factor.clone()),
        };
        for factor in factors {
            match factor.kind() {
                Kind::Prod(inner) => inner.iter().for_each(&mut multiply),
                _ => multiply(&factor),
            }
        }
        if constant.is_zero() {
            return Self::zero();
        }
        if !constant.is_one() {
            flat.insert(0, Self::constant(constant));
        }
        match flat.len() {
            0 => Self::one(),
            1 => flat.swap_remove(0),
            _ => Self::new(Kind::Prod(flat.into())),
        }
    }

    pub fn add(&self, other: &Self) -> Self {
        Self::sum([self.clone(), other.clone()])
    }

    pub fn sub(&self, other: &Self) -> Self {
        Self::sum([self.clone(), other.neg()])
    }

    pub fn mul(&self, other: &Self) -> Self {
        Self::product([self.clone(), other.clone()])
    }

    pub fn div(&self, other: &Self) -> Self {
        Self::product([self.clone(), other.pow(Rational::int(-1))])
    }

    pub fn scale(&self, factor: &Rational) -> Self {
        Self::product([Self::constant(factor.clone()), self.clone()])
    }

    /// `-self`; minus signs move into sums so that `-(a - b)` is `b - a` in another order.
    pub fn neg(&self) -> Self {
        match self.kind() {
            Kind::Sum(terms) => Self::sum(terms.iter().map(Self::neg)),
            _ => self.scale(&Rational::int(-1)),
        }
    }

    /// `self^exponent`. Powers of powers merge only where that holds for all real numbers.
    pub fn pow(&self, exponent: Rational) -> Self {
        if exponent.is_zero() {
            return Self::one();
        }
        if exponent.is_one() {
            return self.clone();
        }
        match self.kind() {
            Kind::Const(base) if base.is_one() => Self::one(),
            Kind::Const(base) => match exponent.to_i64().and_then(|n| base.pow_int(n)) {
                Some(value) => Self::constant(value),
                None => Self::new(Kind::Pow(self.clone(), exponent)),
            },
            Kind::Pow(base, inner) if exponent.is_integer() => base.pow(inner * &exponent),
            Kind::Prod(factors) if exponent.is_integer() => {
                Self::product(factors.iter().map(|factor| factor.pow(exponent.clone())))
            }
            _ => Self::new(Kind::Pow(self.clone(), exponent)),
        }
    }

    /// `self^exponent` for any exponent.
    pub fn power(&self, exponent: &Self) -> Self {
        match exponent.as_const() {
            Some(value) => self.pow(value.clone()),
            None => Self::call("^", [self.clone(), exponent.clone()]),
        }
    }

    /// A function call; `sqrt` becomes a power.
    pub fn call(name: &str, args: impl IntoIterator<Item = Self>) -> Self {
        Self::apply(Func::new(name), args)
    }

    pub fn apply(function: Func, args: impl IntoIterator<Item = Self>) -> Self {
        let args: Box<[Self]> = args.into_iter().collect();
        // `element(k, a, b, …)` is the k-th of the others.
        if function.partials.is_empty()
            && function.name == *"element"
            && let Some(index) = args.first().and_then(Self::as_const)
            && let Some(index) = index.to_i64().filter(|it| *it > 0 && index.is_integer())
            && let Some(chosen) = args.get(index as usize)
        {
            return chosen.clone();
        }
        if function.partials.is_empty()
            && let [arg] = &*args
        {
            match function.name.as_str() {
                "sqrt" => {
                    if let Some(half) = Rational::new(1, 2) {
                        return arg.pow(half);
                    }
                }
                "abs" if arg.as_const().is_some() => {
                    if let Some(value) = arg.as_const() {
                        return Self::constant(value.abs());
                    }
                }
                "sin" | "tan" | "sinh" | "tanh" | "asin" | "atan" if arg.is_zero() => {
                    return Self::zero();
                }
                "cos" | "cosh" | "exp" if arg.is_zero() => return Self::one(),
                "log" if arg.is_one() => return Self::zero(),
                _ => {}
            }
        }
        Self::new(Kind::Call(function, args))
    }

    pub fn if_else(condition: CondId, then: &Self, otherwise: &Self) -> Self {
        if then == otherwise {
            return then.clone();
        }
        Self::new(Kind::If(condition, then.clone(), otherwise.clone()))
    }

    pub fn relation(op: RelOp, left: &Self, right: &Self) -> Self {
        Self::new(Kind::Relation(op, left.clone(), right.clone()))
    }

    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl Deref for Expr {
    type Target = Kind;
    fn deref(&self) -> &Kind {
        &self.0.kind
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        Comparison::default().same(self, other)
    }
}

/// The comparison of two expressions that were made apart. Parts are shared, so each pair of them is looked at once:
/// linear in the size of the graphs, not of the trees.
#[derive(Default)]
struct Comparison {
    steps: u32,
    /// Pairs that were met, once there are many.
    seen: FxHashSet<(usize, usize)>,
}

impl Comparison {
    /// Comparisons shorter than this remember nothing.
    const SHORT: u32 = 64;

    fn same(&mut self, a: &Expr, b: &Expr) -> bool {
        if Arc::ptr_eq(&a.0, &b.0) {
            return true;
        }
        if a.0.hash != b.0.hash {
            return false;
        }
        self.steps += 1;
        // A pair that differs ends the whole comparison: one that was met before is equal, or about to be found unequal.
        if self.steps > Self::SHORT && !self.seen.insert((a.address(), b.address())) {
            return true;
        }
        match (&a.0.kind, &b.0.kind) {
            (Kind::Sum(x), Kind::Sum(y)) | (Kind::Prod(x), Kind::Prod(y)) => self.all(x, y),
            (Kind::Call(f, x), Kind::Call(g, y)) => f == g && self.all(x, y),
            (Kind::Pow(x, p), Kind::Pow(y, q)) => p == q && self.same(x, y),
            (Kind::If(c, x, z), Kind::If(d, y, w)) => c == d && self.same(x, y) && self.same(z, w),
            (Kind::Relation(o, x, z), Kind::Relation(q, y, w)) => {
                o == q && self.same(x, y) && self.same(z, w)
            }
            (x, y) => x == y,
        }
    }

    fn all(&mut self, x: &[Expr], y: &[Expr]) -> bool {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.same(x, y))
    }
}
impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// Structural order: deterministic, independent of addresses.
impl Ord for Expr {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return std::cmp::Ordering::Equal;
        }
        self.0.kind.cmp(&other.0.kind)
    }
}
impl PartialOrd for Expr {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::print(
            self,
            &super::print::RawNames,
            super::Style::Math,
        ))
    }
}
