//! Exact rational numbers, read from decimals as they are written.

use num_rational::BigRational;
use num_traits::{FromPrimitive, One, Pow, Signed, ToPrimitive, Zero};
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// An exact rational number of any size.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rational(BigRational);

impl Rational {
    pub fn zero() -> Self {
        Self(BigRational::zero())
    }

    pub fn one() -> Self {
        Self(BigRational::one())
    }

    pub fn int(value: i64) -> Self {
        // Every 64-bit integer is a big integer: the conversion cannot fail.
        Self(BigRational::from_i64(value).unwrap_or_else(BigRational::zero))
    }

    /// `numerator / denominator`; `None` when the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        Self::int(numerator).checked_div(&Self::int(denominator))
    }

    /// The number whose shortest decimal text is that of `value`: `0.1` is one tenth, not the binary
    /// neighbour of it. `None` for infinities and NaN.
    pub fn from_decimal(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        Self::parse_decimal(&format!("{value:e}"))
    }

    /// Reads `-12.5e-3`. `None` when the text is no decimal number or its exponent is absurd.
    pub fn parse_decimal(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let number = BigRational::from_str(&digits).ok()?;
        let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        if scale.unsigned_abs() > 2000 {
            return None;
        }
        let ten = BigRational::from_i64(10)?;
        Some(Self(number * Pow::pow(ten, scale)))
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub fn is_one(&self) -> bool {
        self.0.is_one()
    }

    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    pub fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    pub fn abs(&self) -> Self {
        Self(self.0.abs())
    }

    /// The value as a small integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        if self.is_integer() {
            self.0.numer().to_i64()
        } else {
            None
        }
    }

    /// Numerator and denominator when both are small; the denominator is positive.
    pub fn to_small(&self) -> Option<(i64, i64)> {
        Some((self.0.numer().to_i64()?, self.0.denom().to_i64()?))
    }

    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            None
        } else {
            Some(Self(&self.0 / &divisor.0))
        }
    }

    pub fn recip(&self) -> Option<Self> {
        Self::one().checked_div(self)
    }

    /// `self^exponent`; `None` for zero to a negative power or when the result would be huge.
    pub fn pow_int(&self, exponent: i64) -> Option<Self> {
        let small = i32::try_from(exponent)
            .ok()
            .filter(|e| e.unsigned_abs() <= 256)?;
        if self.is_zero() && small < 0 {
            return None;
        }
        Some(Self(Pow::pow(&self.0, small)))
    }

    /// The value modulo the prime `p`; `None` when `p` divides the denominator.
    pub(super) fn residue(&self, p: u64) -> Option<(u64, u64)> {
        let modulus = BigRational::from_u64(p)?;
        let reduce = |n: BigRational| -> Option<u64> {
            let quotient = (&n / &modulus).floor();
            (n - quotient * &modulus).to_integer().to_u64()
        };
        let numerator = reduce(BigRational::from_integer(self.0.numer().clone()))?;
        let denominator = reduce(BigRational::from_integer(self.0.denom().clone()))?;
        (denominator != 0).then_some((numerator, denominator))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: Self) -> Rational {
        Rational(&self.0 + &other.0)
    }
}
impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: Self) -> Rational {
        Rational(&self.0 - &other.0)
    }
}
impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: Self) -> Rational {
        Rational(&self.0 * &other.0)
    }
}
impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational(-&self.0)
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::int(value)
    }
}

/// `3`, `-1/3`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Rational;

    #[test]
    fn decimals_are_read_as_they_are_written() {
        let tenth = Rational::new(1, 10).unwrap();
        assert_eq!(Rational::from_decimal(0.1), Some(tenth));
        assert_eq!(Rational::from_decimal(-12.5e-3), Rational::new(-1, 80));
        assert_eq!(Rational::from_decimal(1e30).unwrap().to_f64(), 1e30);
        assert_eq!(Rational::from_decimal(f64::NAN), None);
        assert_eq!(Rational::parse_decimal("1e999999"), None);
    }
}
