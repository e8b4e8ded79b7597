//! Chains of `semiLinear`: what a connection between two volumes says about the enthalpy in it.
//!
//! `y = semiLinear(x, a, s)` and `y = semiLinear(x, s, b)` say nothing about `s` where `x` is zero. Section 3.7.4.1 of the
//! specification allows to say instead `s = if x >= 0 then a else b` and `y = semiLinear(x, a, b)`, which is the same
//! elsewhere. Where `x` and `y` occur with the other sign, `-semiLinear(-x, a, b)` is `semiLinear(x, b, a)`.

use super::lower::{Class, Lowering};
use modeshift_base::FxHashMap;
use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatRef};
use modeshift_inst::exp::{Callee, Exp, UnaryOp};

/// `y = semiLinear(x, a, b)` between unknowns, with all signs moved into the order of `a` and `b`.
#[derive(Clone, Copy, Debug)]
struct Link {
    equation: usize,
    /// Flow and product, and whether one of them has the other sign.
    key: (u32, u32, bool),
    a: u32,
    b: u32,
}

/// What an equation says instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instead {
    /// `s = if x >= 0 then a else b`
    Between { s: u32, x: u32, a: u32, b: u32 },
    /// `±y = semiLinear(x, a, b)`
    Whole {
        y: u32,
        negative: bool,
        x: u32,
        a: u32,
        b: u32,
    },
}

/// By equation of the flat model. Linear in the equations.
pub fn chains(lowering: &Lowering<'_>) -> FxHashMap<usize, Instead> {
    let mut links: FxHashMap<(u32, u32, bool), Vec<Link>> = FxHashMap::default();
    for (i, equation) in lowering.flat.equations.iter().enumerate() {
        if let Some(link) = link(lowering, i, equation) {
            links.entry(link.key).or_default().push(link);
        }
    }
    let mut found = FxHashMap::default();
    for ((x, y, negative), links) in links {
        let [first, second] = links[..] else { continue };
        let (first, second) = if first.b == second.a {
            (first, second)
        } else {
            (second, first)
        };
        let s = first.b;
        if s != second.a || first.a == s || second.b == s {
            continue;
        }
        let (a, b) = (first.a, second.b);
        found.insert(first.equation, Instead::Between { s, x, a, b });
        let whole = Instead::Whole {
            y,
            negative,
            x,
            a,
            b,
        };
        found.insert(second.equation, whole);
    }
    found
}

fn link(lowering: &Lowering<'_>, index: usize, equation: &Equation) -> Option<Link> {
    let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
        return None;
    };
    let (y, call) = match (lhs, rhs) {
        (y, Exp::Call(call)) | (Exp::Call(call), y) => (y, call),
        _ => return None,
    };
    let Callee::Builtin(name) = &call.function else {
        return None;
    };
    let ("semiLinear", [x, a, b]) = (name.as_str(), &call.args[..]) else {
        return None;
    };
    let (y, minus_y) = unknown(lowering, y)?;
    let (x, minus_x) = unknown(lowering, x)?;
    let (a, b) = (unknown(lowering, a)?, unknown(lowering, b)?);
    if a.1 || b.1 {
        return None;
    }
    // `σy = semiLinear(-x, a, b)` is `-σy = semiLinear(x, b, a)`.
    let (a, b) = if minus_x { (b.0, a.0) } else { (a.0, b.0) };
    Some(Link {
        equation: index,
        key: (x, y, minus_x != minus_y),
        a,
        b,
    })
}

/// The continuous unknown that a variable is, and whether with the other sign.
fn unknown(lowering: &Lowering<'_>, exp: &FlatExp) -> Option<(u32, bool)> {
    let (exp, minus) = match exp {
        Exp::Unary(UnaryOp::Neg, inner) => (&**inner, true),
        other => (other, false),
    };
    let Exp::Ref(FlatRef::Var(id)) = exp else {
        return None;
    };
    let v = id.index() as u32;
    (lowering.class_of(v) == Class::Continuous).then(|| {
        let (unknown, negative) = lowering.aliases.of(v);
        (unknown, negative != minus)
    })
}
