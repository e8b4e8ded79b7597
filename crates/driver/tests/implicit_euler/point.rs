//! Values of the model's own variables around the instant of a change.

use crate::double::Double;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{At, Expr, ParamId, Valuation, VarRef, evaluate, partial, variables};

/// Left limits of all variables with all derivatives that matter, parameters, time.
#[derive(Clone, Default)]
pub struct Point {
    /// Keys are written as current occurrences.
    pub left: FxHashMap<VarRef, Double>,
    pub params: FxHashMap<ParamId, f64>,
    pub time: f64,
}

impl Point {
    pub fn left(&self, occurrence: VarRef) -> Double {
        let key = VarRef {
            at: At::Now,
            ..occurrence
        };
        self.left.get(&key).copied().unwrap_or(Double::ZERO)
    }
}

/// Everything at its left limit.
impl Valuation<Double> for Point {
    fn var(&self, occurrence: VarRef) -> Option<Double> {
        Some(self.left(occurrence))
    }
    fn param(&self, id: ParamId) -> Option<Double> {
        self.params.get(&id).copied().map(Double::new)
    }
    fn time(&self) -> Option<Double> {
        Some(Double::new(self.time))
    }
}

/// Whether equations are satisfied, compared with the size of their slopes and values.
pub fn holds(equations: &[Expr], values: &impl Valuation<Double>) -> bool {
    equations.iter().all(|equation| {
        let Ok(residual) = evaluate(equation, values) else {
            return false;
        };
        let sizes = variables(equation).into_iter().filter_map(|o| {
            let slope = evaluate(&partial(equation, o), values).ok()?;
            Some((slope.size(), values.var(o)?.size()))
        });
        let scale = sizes.fold(1.0_f64, |a, (slope, value)| a.max(slope * (1.0 + value)));
        residual.size() < 1e-12 * scale
    })
}

/// A small deterministic generator.
pub struct Random(pub u64);

impl Random {
    /// Between 0.5 and 2, far from all coincidences.
    pub fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        0.5 + 1.5 * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
