//! Recognising predicates that say the same, the opposite, or that exclude each other.
//!
//! Every relation on numbers is brought into the form `p > t` or `p >= t` (or `p == t`), possibly
//! negated, where `p` is a polynomial normal form without constant term and with leading coefficient
//! one, and `t` a rational threshold. `x <= 0` then is the negation of `x > 0`, `2*x < 2` the negation
//! of `x >= 1`, and thresholds on the same `p` are ordered.

use crate::sym::{Expr, Limits, Rational, RelOp, normal_form};

/// Which side of the threshold, on an axis of increasing values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// `p >= t`
    AtLeast,
    /// `p > t`
    Above,
    /// `p == t`, between the two others.
    Exactly,
}

/// `p side t`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Threshold {
    pub axis: Expr,
    pub side: Side,
    pub at: Rational,
}

/// A relation in canonical form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Canonical {
    /// Decided whatever the values are: `x > x`.
    Constant(bool),
    Threshold {
        threshold: Threshold,
        negated: bool,
    },
}

/// The canonical form of `lhs op rhs`. Where the normal form would be too large the difference as
/// written serves as the axis: then only equal texts are recognised.
pub fn canonical(op: RelOp, lhs: &Expr, rhs: &Expr) -> Canonical {
    let difference = if rhs.is_zero() {
        lhs.clone()
    } else {
        lhs.sub(rhs)
    };
    let (axis, lead, constant) = match split(&difference) {
        Some(parts) => parts,
        None => (difference, Rational::one(), Rational::zero()),
    };
    if lead.is_zero() {
        return Canonical::Constant(holds(op, &constant));
    }
    // lead·p + constant op 0  ⇔  p op' −constant/lead, the relation turned round for lead < 0.
    let op = if lead.is_negative() { mirrored(op) } else { op };
    let at = (-&constant)
        .checked_div(&lead)
        .unwrap_or_else(Rational::zero);
    let (side, negated) = match op {
        RelOp::Greater => (Side::Above, false),
        RelOp::GreaterEqual => (Side::AtLeast, false),
        RelOp::Less => (Side::AtLeast, true),
        RelOp::LessEqual => (Side::Above, true),
        RelOp::Equal => (Side::Exactly, false),
        RelOp::NotEqual => (Side::Exactly, true),
    };
    Canonical::Threshold {
        threshold: Threshold { axis, side, at },
        negated,
    }
}

/// Axis, leading coefficient and constant term; a zero coefficient if there is nothing but a constant.
fn split(difference: &Expr) -> Option<(Expr, Rational, Rational)> {
    let polynomial = normal_form(difference, Limits::default()).ok()?;
    let mut constant = Rational::zero();
    let mut lead = Rational::zero();
    for (monomial, coefficient) in polynomial.terms() {
        if monomial.is_empty() {
            constant = coefficient.clone();
        } else if lead.is_zero() {
            lead = coefficient.clone();
        }
    }
    let Some(scale) = lead.recip() else {
        return Some((Expr::zero(), lead, constant));
    };
    let axis = Expr::sum(polynomial.terms().filter(|(m, _)| !m.is_empty()).map(
        |(monomial, coefficient)| {
            let powers = monomial
                .iter()
                .map(|(base, exponent)| base.pow(exponent.clone()));
            Expr::product(
                [Expr::constant(coefficient * &scale)]
                    .into_iter()
                    .chain(powers),
            )
        },
    ));
    Some((axis, lead, constant))
}

fn holds(op: RelOp, difference: &Rational) -> bool {
    match op {
        RelOp::Less => difference.is_negative(),
        RelOp::LessEqual => difference.is_negative() || difference.is_zero(),
        RelOp::Greater => !difference.is_negative() && !difference.is_zero(),
        RelOp::GreaterEqual => !difference.is_negative(),
        RelOp::Equal => difference.is_zero(),
        RelOp::NotEqual => !difference.is_zero(),
    }
}

const fn mirrored(op: RelOp) -> RelOp {
    match op {
        RelOp::Less => RelOp::Greater,
        RelOp::LessEqual => RelOp::GreaterEqual,
        RelOp::Greater => RelOp::Less,
        RelOp::GreaterEqual => RelOp::LessEqual,
        RelOp::Equal | RelOp::NotEqual => op,
    }
}

#[cfg(test)]
mod tests {
    use super::{Canonical, canonical};
    use crate::sym::{Expr, RelOp, VarId};

    fn parts(op: RelOp, lhs: &Expr, rhs: &Expr) -> (super::Threshold, bool) {
        match canonical(op, lhs, rhs) {
            Canonical::Threshold { threshold, negated } => (threshold, negated),
            Canonical::Constant(value) => panic!("constantly {value}"),
        }
    }

    #[test]
    fn a_relation_and_its_opposite_share_their_threshold() {
        let x = Expr::var(VarId(0));
        let zero = Expr::zero();
        let (above, plain) = parts(RelOp::Greater, &x, &zero);
        let (same, negated) = parts(RelOp::LessEqual, &x, &zero);
        assert_eq!(above, same);
        assert!(!plain && negated);
        let (turned, _) = parts(RelOp::Less, &zero, &x);
        assert_eq!(above, turned);
        let (minus, negated) = parts(RelOp::GreaterEqual, &x.neg(), &zero);
        assert_eq!(above, minus);
        assert!(negated);
    }

    #[test]
    fn factors_and_constants_move_into_the_threshold() {
        let x = Expr::var(VarId(0));
        let y = Expr::var(VarId(1));
        let lhs = Expr::sum([x.scale(&3i64.into()), Expr::int(-1)]);
        let rhs = Expr::sum([y.scale(&3i64.into()), Expr::int(5)]);
        let (a, _) = parts(RelOp::Greater, &lhs, &rhs);
        let (b, _) = parts(RelOp::Greater, &x.sub(&y), &Expr::int(2));
        assert_eq!(a, b);
    }

    #[test]
    fn a_relation_between_equal_expressions_is_decided() {
        let x = Expr::var(VarId(0));
        assert_eq!(canonical(RelOp::Less, &x, &x), Canonical::Constant(false));
        assert_eq!(
            canonical(RelOp::LessEqual, &x, &x),
            Canonical::Constant(true)
        );
    }
}
