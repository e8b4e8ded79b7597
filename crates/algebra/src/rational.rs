//! Exact rational numbers, read from decimals as they are written.

use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{FromPrimitive, Pow, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// An exact rational number of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

/// Numbers that fit are always small, so that equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// In lowest terms, with a positive denominator; neither is `i64::MIN`.
    Small(i64, i64),
    Big(Box<BigRational>),
}

impl Rational {
    pub fn zero() -> Self {
        Self(Repr::Small(0, 1))
    }

    pub fn one() -> Self {
        Self(Repr::Small(1, 1))
    }

    pub fn int(value: i64) -> Self {
        match BigRational::from_i64(value) {
            Some(big) if value == i64::MIN => Self(Repr::Big(Box::new(big))),
            _ => Self(Repr::Small(value, 1)),
        }
    }

    /// A quotient of 128-bit numbers, which products and sums of small numbers are.
    fn from_wide(numerator: i128, denominator: i128) -> Self {
        let divisor = numerator.gcd(&denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        if divisor == 0 {
            return Self::zero();
        }
        let (n, d) = (sign * (numerator / divisor), sign * (denominator / divisor));
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) if n != i64::MIN => Self(Repr::Small(n, d)),
            _ => {
                let big = |value| BigRational::from_i128(value).unwrap_or_else(BigRational::zero);
                Self(Repr::Big(Box::new(big(n) / big(d))))
            }
        }
    }

    fn from_big(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(n), Some(d)) if n != i64::MIN => Self(Repr::Small(n, d)),
            _ => Self(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(n, d) => {
                let big = |value| BigRational::from_i64(value).unwrap_or_else(BigRational::zero);
                big(*n) / big(*d)
            }
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// `numerator / denominator`; `None` when the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::from_wide(numerator.into(), denominator.into()))
    }

    /// The number whose shortest decimal text is that of `value`: `0.1` is one tenth, not the binary
    /// neighbour of it. `None` for infinities and NaN.
    pub fn from_decimal(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        // Most numbers of a model are small integers, which are what they are.
        const EXACT: f64 = 9e15;
        if value.abs() < EXACT && value == value.trunc() {
            return Some(Self::int(value as i64));
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
        if let Some(small) = small_decimal(whole, fraction, exponent) {
            return Some(small);
        }
        let digits = format!("{whole}{fraction}");
        let number = BigRational::from_str(&digits).ok()?;
        let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        if scale.unsigned_abs() > 2000 {
            return None;
        }
        let ten = BigRational::from_i64(10)?;
        Some(Self::from_big(number * Pow::pow(ten, scale)))
    }

    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Small(0, 1)
    }

    pub fn is_one(&self) -> bool {
        self.0 == Repr::Small(1, 1)
    }

    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(value) => **value < BigRational::zero(),
        }
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == 1,
            Repr::Big(value) => value.is_integer(),
        }
    }

    pub fn abs(&self) -> Self {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// The value as a small integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(n, 1) => Some(n),
            _ => None,
        }
    }

    /// Numerator and denominator when both are small; the denominator is positive.
    pub fn to_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Small(n, d) => Some((n, d)),
            Repr::Big(_) => None,
        }
    }

    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            // Both are exact up to 2⁵³, and then the quotient is rounded once.
            Repr::Small(n, d) if n.unsigned_abs() < 1 << 53 && *d < 1 << 53 => {
                *n as f64 / *d as f64
            }
            _ => self.to_big().to_f64().unwrap_or(f64::NAN),
        }
    }

    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        Some(match (&self.0, &divisor.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => Self::from_wide(
                i128::from(*a) * i128::from(*d),
                i128::from(*b) * i128::from(*c),
            ),
            _ => Self::from_big(self.to_big() / divisor.to_big()),
        })
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
        Some(Self::from_big(Pow::pow(self.to_big(), small)))
    }

    /// Numerator and denominator modulo the prime `p`; `None` when `p` divides the denominator.
    pub(crate) fn residue(&self, p: u64) -> Option<(u64, u64)> {
        let (numerator, denominator) = match &self.0 {
            Repr::Small(n, d) => {
                let reduce = |value: i64| i128::from(value).rem_euclid(i128::from(p));
                (
                    u64::try_from(reduce(*n)).ok()?,
                    u64::try_from(reduce(*d)).ok()?,
                )
            }
            Repr::Big(value) => {
                let modulus = BigRational::from_u64(p)?;
                let reduce = |n: BigRational| -> Option<u64> {
                    let quotient = (&n / &modulus).floor();
                    (n - quotient * &modulus).to_integer().to_u64()
                };
                let numerator = reduce(BigRational::from_integer(value.numer().clone()))?;
                let denominator = reduce(BigRational::from_integer(value.denom().clone()))?;
                (numerator, denominator)
            }
        };
        (denominator != 0).then_some((numerator, denominator))
    }
}

/// A decimal number whose numerator and denominator are small, which nearly all in models are.
fn small_decimal(whole: &str, fraction: &str, exponent: i32) -> Option<Rational> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = whole.strip_prefix('-').unwrap_or(whole);
    if unsigned.len() + fraction.len() > 17 || !digits(unsigned) || !digits(fraction) {
        return None;
    }
    let mut number: i64 = 0;
    for byte in unsigned.bytes().chain(fraction.bytes()) {
        number = 10 * number + i64::from(byte - b'0');
    }
    if unsigned.is_empty() {
        return None;
    }
    if unsigned.len() < whole.len() {
        number = -number;
    }
    let scale = exponent.checked_sub(fraction.len() as i32)?;
    let power = 10_i64.checked_pow(scale.unsigned_abs())?;
    match scale >= 0 {
        true => Some(Rational::int(number.checked_mul(power)?)),
        false => Rational::new(number, power),
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                let (a, b) = (i128::from(*a), i128::from(*b));
                let (c, d) = (i128::from(*c), i128::from(*d));
                // At most 2¹²⁷ − 2⁶⁴ + …: the sum of two products of 63-bit numbers fits.
                Rational::from_wide(a * d + c * b, b * d)
            }
            _ => Rational::from_big(self.to_big() + other.to_big()),
        }
    }
}
impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: Self) -> Rational {
        self + &-other
    }
}
impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => Rational::from_wide(
                i128::from(*a) * i128::from(*c),
                i128::from(*b) * i128::from(*d),
            ),
            _ => Rational::from_big(self.to_big() * other.to_big()),
        }
    }
}
impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => Rational(Repr::Small(-n, *d)),
            Repr::Big(value) => Rational::from_big(-(**value).clone()),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}
impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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
        match &self.0 {
            Repr::Small(n, 1) => write!(f, "{n}"),
            Repr::Small(n, d) => write!(f, "{n}/{d}"),
            Repr::Big(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
        for (text, n, d) in [
            ("-0.25", -1, 4),
            ("12.50e1", 125, 1),
            ("7e-3", 7, 1000),
            ("-3", -3, 1),
        ] {
            assert_eq!(Rational::parse_decimal(text), Rational::new(n, d), "{text}");
        }
        for text in ["", "-", "1.-5", "x", "1e", "--1", "1.2.3"] {
            assert_eq!(Rational::parse_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn small_decimals_are_those_of_any_size() {
        for value in [
            0.1,
            1e-9,
            123.456,
            -2.5e-7,
            1e17,
            9.87654321e12,
            6.02e23,
            f64::MIN_POSITIVE,
        ] {
            let read = Rational::from_decimal(value).unwrap();
            assert_eq!(read.to_f64(), value, "{value}");
        }
    }

    #[test]
    fn large_numbers_leave_the_small_representation_and_come_back() {
        let large = Rational::int(i64::MAX);
        let square = &large * &large;
        assert!(square.to_small().is_none());
        assert_eq!(square.checked_div(&large), Some(large.clone()));
        assert_eq!(&(&square + &Rational::one()) - &square, Rational::one());
        assert!(square > large && -&square < large);
        let least = Rational::int(i64::MIN);
        assert_eq!(&-&least, &(&large + &Rational::one()));
        assert_eq!(least.to_f64(), i64::MIN as f64);
    }
}
