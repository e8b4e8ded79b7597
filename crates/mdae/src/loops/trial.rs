//! Numbers that are tried where coefficients depend on what is known.

use super::range::declared;
use super::system::System;
use crate::print::Text;
use crate::sym::{At, Expr, Rational, Style, VarRef, print, variables};

/// Numbers to be tried for what is known, the same for the same number of the trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial(pub(super) u64);

impl Trial {
    fn value(self, what: u64) -> Rational {
        const VALUES: [(i64, i64); 12] = [
            (1, 1),
            (-1, 1),
            (2, 1),
            (-2, 1),
            (1, 2),
            (-1, 2),
            (3, 1),
            (-3, 1),
            (1, 10),
            (-1, 10),
            (10, 1),
            (-10, 1),
        ];
        let mut mixed = (self.0 << 32 | what).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 31;
        let (n, d) = VALUES[(mixed % VALUES.len() as u64) as usize];
        Rational::new(n, d).unwrap_or_else(Rational::one)
    }

    /// The number of a known value.
    pub(super) fn of(self, read: VarRef) -> Rational {
        self.value(
            u64::from(read.var.0) << 8
                | u64::from(read.order) << 1
                | u64::from(read.at == At::Left),
        )
    }

    pub(super) fn time(self) -> Rational {
        self.value(u64::MAX >> 40)
    }
}

impl System<'_> {
    /// The numbers that were tried, by name; `None` if they are not within the bounds that are declared.
    pub(super) fn trial_values(&self) -> Option<Vec<(String, Rational)>> {
        let trial = self.trial?;
        let mut within = true;
        let mut values: Vec<(String, Rational)> = Vec::new();
        let mut add = |expr: &Expr| {
            for read in variables(&self.with_replaced(expr)) {
                if self.is_known(read) {
                    within &= declared(self, read).contains(&trial.of(read));
                    let name = print(
                        &Expr::var_ref(read),
                        &Text(&self.analysis.mdae),
                        Style::Modelica,
                    );
                    if !values.iter().any(|(other, _)| *other == name) {
                        values.push((name, trial.of(read)));
                    }
                }
            }
        };
        for row in &self.rows {
            add(&row.residual);
        }
        for expr in &self.tried {
            add(expr);
        }
        within.then_some(values)
    }
}
