//! Mode sets under supervision: an analysis that nobody waits for any more can be given up.

use super::{ModeSets, NodeLimit, Valuation};
use crate::ModeVar;
use num_bigint::BigUint;

/// An algebra that calls `check` before every operation that can take long.
///
/// The check gives up by unwinding, as salsa's queries do when their inputs change. No operation is under way
/// at that point, so the algebra underneath stays usable. It should cost no more than reading a flag.
pub struct Watched<'a, M> {
    sets: &'a M,
    check: &'a dyn Fn(),
}

impl<M> Clone for Watched<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Watched<'_, M> {}

impl<'a, M: ModeSets> Watched<'a, M> {
    pub fn new(sets: &'a M, check: &'a dyn Fn()) -> Self {
        Self { sets, check }
    }

    fn checked(&self) -> &'a M {
        (self.check)();
        self.sets
    }
}

impl<M: ModeSets> ModeSets for Watched<'_, M> {
    type Set = M::Set;

    fn n_vars(&self) -> usize {
        self.sets.n_vars()
    }

    fn with_deep_stack<R>(&self, work: impl FnOnce() -> R) -> R {
        self.sets.with_deep_stack(work)
    }

    fn empty(&self) -> M::Set {
        self.sets.empty()
    }

    fn full(&self) -> M::Set {
        self.sets.full()
    }

    fn var(&self, var: ModeVar) -> Result<M::Set, NodeLimit> {
        self.sets.var(var)
    }

    fn not(&self, a: &M::Set) -> Result<M::Set, NodeLimit> {
        self.sets.not(a)
    }

    fn and(&self, a: &M::Set, b: &M::Set) -> Result<M::Set, NodeLimit> {
        self.checked().and(a, b)
    }

    fn or(&self, a: &M::Set, b: &M::Set) -> Result<M::Set, NodeLimit> {
        self.checked().or(a, b)
    }

    fn diff(&self, a: &M::Set, b: &M::Set) -> Result<M::Set, NodeLimit> {
        self.checked().diff(a, b)
    }

    fn is_empty(&self, a: &M::Set) -> bool {
        self.sets.is_empty(a)
    }

    fn is_full(&self, a: &M::Set) -> bool {
        self.sets.is_full(a)
    }

    fn split(&self, a: &M::Set) -> Option<(ModeVar, M::Set, M::Set)> {
        self.sets.split(a)
    }

    fn restrict(&self, a: &M::Set, var: ModeVar, value: bool) -> Result<M::Set, NodeLimit> {
        self.checked().restrict(a, var, value)
    }

    fn exists(&self, a: &M::Set, vars: &[ModeVar]) -> Result<M::Set, NodeLimit> {
        self.checked().exists(a, vars)
    }

    fn contains(&self, a: &M::Set, mode: &[bool]) -> bool {
        self.sets.contains(a, mode)
    }

    fn support(&self, a: &M::Set) -> Vec<ModeVar> {
        self.checked().support(a)
    }

    fn count(&self, a: &M::Set) -> BigUint {
        self.checked().count(a)
    }

    fn pick(&self, a: &M::Set) -> Option<Valuation> {
        self.sets.pick(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BddSets, analyse_all_modes, testing};
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn an_analysis_can_be_given_up_and_started_again() {
        let sets = BddSets::new(8, 1 << 16);
        let problem = testing::rldc(&sets, 8).unwrap();
        let calls = Cell::new(0);
        let check = || {
            calls.set(calls.get() + 1);
            if calls.get() == 500 {
                std::panic::resume_unwind(Box::new("given up"));
            }
        };
        let watched = Watched::new(&sets, &check);
        let run = || analyse_all_modes(&watched, &problem);
        let stopped = catch_unwind(AssertUnwindSafe(run));
        assert!(stopped.is_err());
        assert_eq!(calls.get(), 500, "given up at once");
        let again = run();
        assert_eq!(again.c, analyse_all_modes(&sets, &problem).c);
    }
}
