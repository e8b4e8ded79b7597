//! Random evaluation modulo a large prime: decides identities and generic ranks with an error
//! probability of about 2⁻⁶⁰ per test, exactly in between.
//!
//! Functions that are not algebraic get pseudo-random values that respect the identities analyses
//! meet: `sin² + cos² = 1`, odd and even symmetry, `exp(-x) = 1/exp(x)`, `sqrt(x)² = x`.

use super::eval::{Field, Valuation};
use super::expr::{At, Func, ParamId, RelOp, VarRef};
use modeshift_algebra::{Fp, Rational};
use modeshift_base::FxHashMap;

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
        state = scramble(state ^ arg.residue());
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
        Self::from_rational(value)
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
