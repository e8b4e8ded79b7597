//! Mode sets as truth tables, for tests and for very few mode variables: one bit per mode.

use super::{ModeSets, NodeLimit, Valuation};
use crate::ModeVar;
use fixedbitset::FixedBitSet;
use num_bigint::BigUint;

/// The algebra of truth tables over at most 20 mode variables. Mode number `m` gives variable `v`
/// the value of bit `v` of `m`.
#[derive(Clone, Debug)]
pub struct ExplicitSets {
    n_vars: usize,
}

impl ExplicitSets {
    /// # Panics
    /// With more than 20 variables: a truth table would be too large.
    pub fn new(n_vars: usize) -> Self {
        assert!(
            n_vars <= 20,
            "truth tables are for few variables, not {n_vars}"
        );
        Self { n_vars }
    }

    /// How many modes there are in all.
    pub fn n_modes(&self) -> usize {
        1 << self.n_vars
    }

    /// The valuation with this number.
    pub fn mode(&self, number: usize) -> Valuation {
        (0..self.n_vars).map(|v| number >> v & 1 == 1).collect()
    }

    fn number(&self, mode: &[bool]) -> usize {
        (0..self.n_vars)
            .rev()
            .fold(0, |m, v| m << 1 | usize::from(mode.get(v) == Some(&true)))
    }

    /// The modes that satisfy a predicate.
    pub fn filter(&self, mut keep: impl FnMut(&[bool]) -> bool) -> FixedBitSet {
        let mut set = self.empty();
        for m in 0..self.n_modes() {
            set.set(m, keep(&self.mode(m)));
        }
        set
    }

    fn depends_on(&self, a: &FixedBitSet, v: usize) -> bool {
        let bit = 1 << v;
        (0..self.n_modes()).any(|m| a[m] != a[m ^ bit])
    }
}

impl ModeSets for ExplicitSets {
    type Set = FixedBitSet;

    fn n_vars(&self) -> usize {
        self.n_vars
    }

    fn empty(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.n_modes())
    }

    fn full(&self) -> FixedBitSet {
        let mut set = self.empty();
        set.insert_range(..);
        set
    }

    fn var(&self, var: ModeVar) -> Result<FixedBitSet, NodeLimit> {
        Ok(self.filter(|mode| mode[var.index()]))
    }

    fn not(&self, a: &FixedBitSet) -> Result<FixedBitSet, NodeLimit> {
        let mut set = a.clone();
        set.toggle_range(..);
        Ok(set)
    }

    fn and(&self, a: &FixedBitSet, b: &FixedBitSet) -> Result<FixedBitSet, NodeLimit> {
        Ok(a & b)
    }

    fn or(&self, a: &FixedBitSet, b: &FixedBitSet) -> Result<FixedBitSet, NodeLimit> {
        Ok(a | b)
    }

    fn diff(&self, a: &FixedBitSet, b: &FixedBitSet) -> Result<FixedBitSet, NodeLimit> {
        let mut set = a.clone();
        set.difference_with(b);
        Ok(set)
    }

    fn is_empty(&self, a: &FixedBitSet) -> bool {
        a.is_clear()
    }

    fn is_full(&self, a: &FixedBitSet) -> bool {
        a.is_full()
    }

    fn split(&self, a: &FixedBitSet) -> Option<(ModeVar, FixedBitSet, FixedBitSet)> {
        let v = (0..self.n_vars).rev().find(|&v| self.depends_on(a, v))?;
        let var = ModeVar::new(v);
        let cofactor = |value| {
            self.filter(|mode| {
                let mut mode = mode.to_vec();
                mode[v] = value;
                a[self.number(&mode)]
            })
        };
        Some((var, cofactor(true), cofactor(false)))
    }

    fn restrict(
        &self,
        a: &FixedBitSet,
        var: ModeVar,
        value: bool,
    ) -> Result<FixedBitSet, NodeLimit> {
        Ok(self.filter(|mode| {
            let mut mode = mode.to_vec();
            mode[var.index()] = value;
            a[self.number(&mode)]
        }))
    }

    fn exists(&self, a: &FixedBitSet, vars: &[ModeVar]) -> Result<FixedBitSet, NodeLimit> {
        let mut set = a.clone();
        for &var in vars {
            let high = self.restrict(&set, var, true)?;
            let low = self.restrict(&set, var, false)?;
            set = self.or(&high, &low)?;
        }
        Ok(set)
    }

    fn contains(&self, a: &FixedBitSet, mode: &[bool]) -> bool {
        a[self.number(mode)]
    }

    fn support(&self, a: &FixedBitSet) -> Vec<ModeVar> {
        (0..self.n_vars)
            .filter(|&v| self.depends_on(a, v))
            .map(ModeVar::new)
            .collect()
    }

    fn count(&self, a: &FixedBitSet) -> BigUint {
        BigUint::from(a.count_ones(..))
    }

    fn pick(&self, a: &FixedBitSet) -> Option<Valuation> {
        a.ones().next().map(|m| self.mode(m))
    }
}
