//! Random evaluation modulo a large prime: decides identities and generic ranks with an error
//! probability of about 2⁻⁶⁰ per test, exactly in between.
//!
//! Functions that are not algebraic get pseudo-random values that respect the identities analyses
//! meet: `sin² + cos² = 1`, odd and even symmetry, `exp(-x) = 1/exp(x)`, `sqrt(x)² = x`.

use super::eval::{Field, Valuation};
use super::expr::{At, Func, ParamId, RelOp, VarRef};
use super::rational::Rational;
use modeshift_base::FxHashMap;

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
    fn root(self, n: u64) -> Option<Self> {
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
    const fn is_upper(self) -> bool {
        self.0 > PRIME / 2
    }

    fn signum(self) -> Self {
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

/// SplitMix64: a bijective scrambler that passes the usual tests of randomness.
const fn scramble(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn hashed(text: &str, salt: u64, args: &[Fp]) -> Fp {
    let mut state = salt;
    for byte in text.bytes() {
        state = scramble(state ^ u64::from(byte));
    }
    for arg in args {
        state = scramble(state ^ arg.0);
    }
    Fp::new(state)
}

/// An odd pseudo-random function.
fn odd(name: &str, x: Fp) -> Fp {
    let magnitude = if x.is_upper() { x.negated() } else { x };
    if magnitude.is_zero() {
        return Fp::ZERO;
    }
    let value = hashed(name, 1, &[magnitude]);
    if x.is_upper() { value.negated() } else { value }
}

/// `(sin x, cos x)` as a rational point of the circle.
fn circle(x: Fp) -> Option<(Fp, Fp)> {
    let t = odd("circle", x);
    let square = t.times(t);
    let scale = Fp::ONE.plus(square).inverse()?;
    let sin = t.plus(t).times(scale);
    Some((sin, Fp::ONE.minus(square).times(scale)))
}

impl Field for Fp {
    fn from_rational(value: &Rational) -> Option<Self> {
        let (numerator, denominator) = value.residue(PRIME)?;
        match denominator {
            1 => Some(Self(numerator)),
            _ => Some(Self(numerator).times(Self(denominator).inverse()?)),
        }
    }

    fn add(&self, other: &Self) -> Self {
        self.plus(*other)
    }

    fn mul(&self, other: &Self) -> Self {
        self.times(*other)
    }

    fn pow(&self, exponent: &Rational) -> Option<Self> {
        let (numerator, denominator) = exponent.to_small()?;
        let root = self.root(u64::try_from(denominator).ok()?)?;
        let power = root.to_the(numerator.unsigned_abs());
        if numerator < 0 {
            power.inverse()
        } else {
            Some(power)
        }
    }

    fn call(function: &Func, args: &[Self]) -> Option<Self> {
        let name = function.name.as_str();
        if function.partials.is_empty() {
            match (name, args) {
                ("sin", [x]) => return Some(circle(*x)?.0),
                ("cos", [x]) => return Some(circle(*x)?.1),
                ("tan", [x]) => {
                    let (sin, cos) = circle(*x)?;
                    return Some(sin.times(cos.inverse()?));
                }
                ("asin" | "atan" | "sinh" | "tanh", [x]) => return Some(odd(name, *x)),
                ("exp", [x]) => {
                    let magnitude = if x.is_upper() { x.negated() } else { *x };
                    let value = hashed(name, 2, &[magnitude]);
                    return if x.is_upper() {
                        value.inverse()
                    } else {
                        Some(value)
                    };
                }
                ("abs", [x]) => return Some(x.times(x.signum())),
                ("sign", [x]) => return Some(x.signum()),
                ("cosh", [x]) => {
                    let magnitude = if x.is_upper() { x.negated() } else { *x };
                    return Some(hashed(name, 3, &[magnitude]));
                }
                _ => {}
            }
        }
        let salt = function
            .partials
            .iter()
            .fold(7, |salt, i| scramble(salt ^ u64::from(*i)));
        Some(hashed(name, salt, args))
    }

    fn compare(op: RelOp, left: &Self, right: &Self) -> Option<bool> {
        let sign = left.minus(*right);
        Some(match op {
            RelOp::Less => sign.is_upper(),
            RelOp::LessEqual => sign.is_upper() || sign.is_zero(),
            RelOp::Greater => !sign.is_upper() && !sign.is_zero(),
            RelOp::GreaterEqual => !sign.is_upper(),
            RelOp::Equal => sign.is_zero(),
            RelOp::NotEqual => !sign.is_zero(),
        })
    }
}

/// A random point: every leaf has a value that depends on `seed` alone, unless it was set.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    seed: u64,
    set: FxHashMap<VarRef, Fp>,
}

impl Sample {
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            set: FxHashMap::default(),
        }
    }

    pub fn set(&mut self, occurrence: VarRef, value: Fp) {
        self.set.insert(occurrence, value);
    }

    pub fn get(&self, occurrence: VarRef) -> Fp {
        self.set.get(&occurrence).copied().unwrap_or_else(|| {
            let at = match occurrence.at {
                At::Now => 1,
                At::Left => 2,
            };
            let id = u64::from(occurrence.var.0) << 32 | u64::from(occurrence.order) << 2 | at;
            Fp::new(scramble(scramble(self.seed) ^ id))
        })
    }
}

impl Valuation<Fp> for Sample {
    fn var(&self, occurrence: VarRef) -> Option<Fp> {
        Some(self.get(occurrence))
    }

    fn param(&self, id: ParamId) -> Option<Fp> {
        Some(Fp::new(scramble(
            scramble(self.seed ^ 0x7061_7261) ^ u64::from(id.0),
        )))
    }

    fn time(&self) -> Option<Fp> {
        Some(Fp::new(scramble(self.seed ^ 0x7469_6d65)))
    }
}
