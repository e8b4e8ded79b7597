//! Numbers modulo a large prime, for ranks and identities that hold for almost all values.

use crate::rational::Rational;

/// A 62-bit prime `p ≡ 3 (mod 4)` such that 3, 5, 7, 11 and 13 do not divide `p − 1`: square roots are
/// one power away, and small odd roots exist and are unique, as they are for real numbers.
pub const PRIME: u64 = 0x3fff_ffff_ffff_fec3;

/// A number modulo [`PRIME`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fp(u64);

impl Fp {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(1);

    pub const fn new(value: u64) -> Self {
        Self(value % PRIME)
    }

    /// `None` when the prime divides the denominator.
    pub fn from_rational(value: &Rational) -> Option<Self> {
        let (numerator, denominator) = value.residue(PRIME)?;
        match denominator {
            1 => Some(Self(numerator)),
            _ => Some(Self(numerator).times(Self(denominator).inverse()?)),
        }
    }

    /// The number from 0 to `PRIME − 1` that stands for it.
    pub const fn residue(self) -> u64 {
        self.0
    }

    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::below_twice(self.0 + other.0)
    }

    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self::below_twice(self.0 + PRIME - other.0)
    }

    /// The remainder of a number below `2·PRIME`.
    const fn below_twice(value: u64) -> Self {
        Self(if value >= PRIME { value - PRIME } else { value })
    }

    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        // 2⁶² ≡ GAP: what lies above is folded down, twice, because a division of 128 bits takes ten times as long.
        const GAP: u128 = (1 << 62) - PRIME as u128;
        const LOW: u128 = (1 << 62) - 1;
        let wide = self.0 as u128 * other.0 as u128;
        let folded = (wide & LOW) + (wide >> 62) * GAP;
        let folded = (folded & LOW) + (folded >> 62) * GAP;
        Self::below_twice(folded as u64)
    }

    #[must_use]
    pub const fn negated(self) -> Self {
        Self::ZERO.minus(self)
    }

    #[must_use]
    pub fn to_the(self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (self, Self::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(base);
            }
            base = base.times(base);
            exponent >>= 1;
        }
        result
    }

    pub fn inverse(self) -> Option<Self> {
        if self.is_zero() {
            None
        } else {
            Some(self.to_the(PRIME - 2))
        }
    }

    /// The root that is a square itself, if there is one.
    fn square_root(self) -> Option<Self> {
        let root = self.to_the(PRIME.div_ceil(4));
        (root.times(root) == self).then_some(root)
    }

    /// The `n`-th root, `n > 0`.
    pub fn root(self, n: u64) -> Option<Self> {
        if n.is_multiple_of(2) {
            return self.square_root()?.root(n / 2);
        }
        if n == 1 || self.is_zero() {
            return Some(self);
        }
        let inverse = inverse_modulo(n, PRIME - 1)?;
        Some(self.to_the(inverse))
    }

    /// "Negative" numbers are the upper half.
    pub const fn is_upper(self) -> bool {
        self.0 > PRIME / 2
    }

    /// −1 for the upper half.
    #[must_use]
    pub fn signum(self) -> Self {
        if self.is_zero() {
            Self::ZERO
        } else if self.is_upper() {
            Self::ONE.negated()
        } else {
            Self::ONE
        }
    }
}

/// `n⁻¹ mod m` by the extended Euclidean algorithm.
fn inverse_modulo(n: u64, m: u64) -> Option<u64> {
    let (mut r0, mut r1) = (i128::from(m), i128::from(n % m));
    let (mut t0, mut t1) = (0_i128, 1_i128);
    while r1 != 0 {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    if r0 != 1 {
        return None;
    }
    u64::try_from(t0.rem_euclid(i128::from(m))).ok()
}
