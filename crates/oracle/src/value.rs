//! Values: whole numbers, truths, texts, and reals as polynomials in the time since the last event.

use std::sync::Arc;

/// Two reals that are nearer than this, and not exact, are not told apart.
pub const NEAR: f64 = 1e-6;

#[derive(Clone, PartialEq, Debug)]
pub struct Poly {
    /// By powers of time, never empty, the last one not zero unless it is the only one.
    pub powers: Vec<f64>,
    /// Made of exact numbers by exact operations: no integration, no instant that was found as a root.
    pub exact: bool,
}

impl Poly {
    pub fn new(mut powers: Vec<f64>, exact: bool) -> Self {
        while powers.len() > 1 && powers.last() == Some(&0.0) {
            powers.pop();
        }
        Self { powers, exact }
    }

    pub fn number(value: f64, exact: bool) -> Self {
        Self::new(vec![value], exact)
    }

    pub fn degree(&self) -> usize {
        self.powers.len() - 1
    }

    pub fn at(&self, t: f64) -> f64 {
        self.powers.iter().rev().fold(0.0, |sum, p| sum * t + p)
    }

    pub fn slope(&self, t: f64) -> f64 {
        let parts = self.powers.iter().enumerate().skip(1);
        parts
            .map(|(i, p)| i as f64 * p * t.powi(i as i32 - 1))
            .sum()
    }

    pub fn add(&self, other: &Self, factor: f64) -> Self {
        let n = self.powers.len().max(other.powers.len());
        let part = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        let powers = (0..n).map(|i| part(&self.powers, i) + factor * part(&other.powers, i));
        Self::new(powers.collect(), self.exact && other.exact)
    }

    pub fn mul(&self, other: &Self) -> Self {
        let mut powers = vec![0.0; self.powers.len() + other.powers.len() - 1];
        for (i, a) in self.powers.iter().enumerate() {
            for (j, b) in other.powers.iter().enumerate() {
                powers[i + j] += a * b;
            }
        }
        Self::new(powers, self.exact && other.exact)
    }

    /// The same function of a time that is zero `by` later.
    pub fn shifted(&self, by: f64) -> Self {
        let zero = Self::number(0.0, true);
        let later = Self::new(vec![by, 1.0], true);
        let powers = self.powers.iter().rev();
        let sum = powers.fold(zero, |sum, &p| {
            sum.mul(&later).add(&Self::number(p, true), 1.0)
        });
        Self::new(sum.powers, self.exact)
    }

    /// From `start` at time zero on, with this as the derivative.
    pub fn integral(&self, start: f64) -> Self {
        let rest = self.powers.iter().enumerate();
        let mut powers = vec![start];
        powers.extend(rest.map(|(i, p)| p / (i as f64 + 1.0)));
        Self::new(powers, false)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Real(Poly),
    /// Also enumerations, by the number of the literal.
    Int(i64),
    Bool(bool),
    Text(Arc<str>),
}

impl Value {
    pub fn real(value: f64) -> Self {
        Self::Real(Poly::number(value, true))
    }

    /// As a real.
    pub fn poly(&self) -> Option<Poly> {
        match self {
            Self::Real(poly) => Some(poly.clone()),
            Self::Int(value) => Some(Poly::number(*value as f64, true)),
            Self::Bool(_) | Self::Text(_) => None,
        }
    }

    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value after `t`, without a future.
    pub fn at(&self, t: f64, exact: bool) -> Self {
        match self {
            Self::Real(poly) if poly.degree() > 0 => {
                Self::Real(Poly::number(poly.at(t), poly.exact && exact))
            }
            other => other.clone(),
        }
    }

    /// As simulators write it.
    pub fn written(&self, t: f64) -> f64 {
        match self {
            Self::Real(poly) => poly.at(t),
            Self::Int(value) => *value as f64,
            Self::Bool(value) => f64::from(u8::from(*value)),
            // Texts are not written.
            Self::Text(_) => f64::NAN,
        }
    }

    /// Whether nothing changed from `other`, as far as can be told.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => (a.at(0.0) - b.at(0.0)).abs() < 1e-12,
            (a, b) => a == b,
        }
    }
}

/// Why the interpreter goes no further.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// A value that is needed is not known yet.
    Unknown,
    /// Rounding could decide.
    Doubt(&'static str),
    /// Not in the language of the interpreter.
    Unsupported(String),
}

pub type Result<T> = std::result::Result<T, Stop>;

pub fn unsupported<T>(what: impl std::fmt::Debug) -> Result<T> {
    Err(Stop::Unsupported(format!("{what:?}")))
}
