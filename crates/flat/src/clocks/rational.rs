//! Exact fractions: intervals and shifts of clocks. Ticks of clocks that are made from each other meet exactly, or not
//! at all.

use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    pub(crate) const ZERO: Self = Self::integer(0);
    pub(crate) const ONE: Self = Self::integer(1);

    pub(crate) const fn integer(value: i64) -> Self {
        Self {
            numerator: value as i128,
            denominator: 1,
        }
    }

    /// `None` for a denominator of zero, and where numbers get too large.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.checked_abs()?, denominator.checked_abs()?);
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Self {
            numerator: (numerator / divisor).checked_mul(sign)?,
            denominator: (denominator / divisor).checked_mul(sign)?,
        })
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Self::new(left.checked_add(right)?, denominator)
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self {
            numerator: other.numerator.checked_neg()?,
            ..other
        })
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    pub(crate) fn over(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }

    pub(crate) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The value, if it is a whole number.
    pub(crate) fn whole(self) -> Option<i64> {
        (self.denominator == 1).then_some(())?;
        i64::try_from(self.numerator).ok()
    }

    /// The nearest floating-point number: both parts are rounded at most once.
    pub(crate) fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Some(left.cmp(&right))
    }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::Rational;

    #[test]
    fn fractions_are_in_lowest_terms() {
        let half = Rational::new(3, 6).unwrap();
        assert_eq!(half, Rational::new(-1, -2).unwrap());
        assert_eq!(half.plus(half), Some(Rational::ONE));
        assert_eq!(half.minus(half), Some(Rational::ZERO));
        assert_eq!(half.over(Rational::ZERO), None);
        assert_eq!(half.to_string(), "1/2");
        assert!(half < Rational::ONE);
    }
}
