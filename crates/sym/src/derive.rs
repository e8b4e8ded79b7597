//! Total time derivatives and partial derivatives.

use super::expr::{CondId, Expr, Func, Kind, RelOp, VarId, VarRef};
use modeshift_algebra::Rational;
use modeshift_base::FxHashMap;

/// d/dt. `is_constant` tells which variables are discrete, that is, constant between events.
///
/// Linear in the number of distinct nodes times the arity of products. Conditions are constant
/// between events, so the branches of an `if` are differentiated separately.
pub fn time_derivative(expr: &Expr, is_constant: &mut dyn FnMut(VarId) -> bool) -> Expr {
    let mut leaf = |kind: &Kind| match kind {
        Kind::Time => Expr::one(),
        Kind::Var(occurrence) if !is_constant(occurrence.var) => Expr::var_ref(VarRef {
            order: occurrence.order + 1,
            ..*occurrence
        }),
        _ => Expr::zero(),
    };
    Derivation {
        memo: FxHashMap::default(),
        leaf: &mut leaf,
    }
    .of(expr)
}

/// ∂/∂x for one occurrence `x'^m`.
pub fn partial(expr: &Expr, by: VarRef) -> Expr {
    let mut leaf = |kind: &Kind| match kind {
        Kind::Var(occurrence) if *occurrence == by => Expr::one(),
        _ => Expr::zero(),
    };
    Derivation {
        memo: FxHashMap::default(),
        leaf: &mut leaf,
    }
    .of(expr)
}

struct Derivation<'f> {
    memo: FxHashMap<usize, Expr>,
    leaf: &'f mut dyn FnMut(&Kind) -> Expr,
}

impl Derivation<'_> {
    fn of(&mut self, expr: &Expr) -> Expr {
        if let Some(done) = self.memo.get(&expr.address()) {
            return done.clone();
        }
        let result = self.compute(expr);
        self.memo.insert(expr.address(), result.clone());
        result
    }

    fn compute(&mut self, expr: &Expr) -> Expr {
        match expr.kind() {
            Kind::Const(_) | Kind::Param(_) | Kind::Cond(_) | Kind::Text(_) => Expr::zero(),
            Kind::Relation(..) => Expr::zero(),
            Kind::Time | Kind::Var(_) => (self.leaf)(expr.kind()),
            Kind::Sum(terms) => Expr::sum(terms.iter().map(|term| self.of(term))),
            Kind::Prod(factors) => self.product(factors),
            Kind::Pow(base, exponent) => {
                let inner = self.of(base);
                if inner.is_zero() {
                    return inner;
                }
                let lowered = base.pow(exponent - &Rational::one());
                Expr::product([Expr::constant(exponent.clone()), lowered, inner])
            }
            Kind::Call(function, args) => self.call(function, args),
            Kind::If(condition, then, otherwise) => self.branches(*condition, then, otherwise),
        }
    }

    fn product(&mut self, factors: &[Expr]) -> Expr {
        let mut terms = Vec::new();
        for (i, factor) in factors.iter().enumerate() {
            let inner = self.of(factor);
            if inner.is_zero() {
                continue;
            }
            let others = factors.iter().enumerate().filter(|(j, _)| *j != i);
            terms.push(Expr::product(
                others.map(|(_, other)| other.clone()).chain([inner]),
            ));
        }
        Expr::sum(terms)
    }

    fn branches(&mut self, condition: CondId, then: &Expr, otherwise: &Expr) -> Expr {
        let (then, otherwise) = (self.of(then), self.of(otherwise));
        Expr::if_else(condition, &then, &otherwise)
    }

    fn call(&mut self, function: &Func, args: &[Expr]) -> Expr {
        let mut terms = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let inner = self.of(arg);
            if !inner.is_zero() {
                terms.push(Expr::product([partial_of_call(function, args, i), inner]));
            }
        }
        Expr::sum(terms)
    }
}

/// The derivative of a function by its `i`-th argument; opaque where it is not one we know.
pub(super) fn partial_of_call(function: &Func, args: &[Expr], i: usize) -> Expr {
    let known = if function.partials.is_empty() {
        known_partial(function.name.as_str(), args, i)
    } else {
        None
    };
    known.unwrap_or_else(|| {
        let mut partials = function.partials.to_vec();
        partials.push(u16::try_from(i).unwrap_or(u16::MAX));
        // Mixed derivatives do not depend on the order.
        partials.sort_unstable();
        Expr::apply(
            Func {
                name: function.name,
                partials: partials.into(),
            },
            args.iter().cloned(),
        )
    })
}

fn known_partial(name: &str, args: &[Expr], i: usize) -> Option<Expr> {
    let minus_one = || Rational::int(-1);
    let half = || Rational::new(-1, 2);
    let square = |e: &Expr| e.pow(Rational::int(2));
    match (name, args) {
        ("sin", [x]) => Some(Expr::call("cos", [x.clone()])),
        ("cos", [x]) => Some(Expr::call("sin", [x.clone()]).neg()),
        ("tan", [x]) => Some(Expr::one().add(&square(&Expr::call("tan", [x.clone()])))),
        ("asin", [x]) => Some(Expr::one().sub(&square(x)).pow(half()?)),
        ("acos", [x]) => Some(Expr::one().sub(&square(x)).pow(half()?).neg()),
        ("atan", [x]) => Some(Expr::one().add(&square(x)).pow(minus_one())),
        ("sinh", [x]) => Some(Expr::call("cosh", [x.clone()])),
        ("cosh", [x]) => Some(Expr::call("sinh", [x.clone()])),
        ("tanh", [x]) => Some(Expr::one().sub(&square(&Expr::call("tanh", [x.clone()])))),
        ("exp", [x]) => Some(Expr::call("exp", [x.clone()])),
        ("log", [x]) => Some(x.pow(minus_one())),
        ("log10", [x]) => {
            let ten = Expr::call("log", [Expr::int(10)]);
            Some(x.mul(&ten).pow(minus_one()))
        }
        ("abs", [x]) => Some(Expr::call("sign", [x.clone()])),
        ("sign" | "integer" | "floor" | "ceil", [_]) => Some(Expr::zero()),
        ("atan2", [y, x]) => {
            let norm = square(x).add(&square(y)).pow(minus_one());
            Some(if i == 0 {
                x.mul(&norm)
            } else {
                y.mul(&norm).neg()
            })
        }
        ("^", [base, exponent]) => {
            let power = base.power(exponent);
            Some(if i == 0 {
                Expr::product([exponent.clone(), power, base.pow(minus_one())])
            } else {
                power.mul(&Expr::call("log", [base.clone()]))
            })
        }
        ("min" | "max", [a, b]) => Some(extremum_partial(name, a, b, i)),
        _ => None,
    }
}

/// `min` and `max` have the derivative of the argument that is taken: an indicator call keeps that.
fn extremum_partial(name: &str, a: &Expr, b: &Expr, i: usize) -> Expr {
    let op = if name == "min" {
        RelOp::LessEqual
    } else {
        RelOp::GreaterEqual
    };
    let first = Expr::call("indicator", [Expr::relation(op, a, b)]);
    if i == 0 {
        first
    } else {
        Expr::one().sub(&first)
    }
}
