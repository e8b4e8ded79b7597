//! The input of the analysis of all modes: who occurs where, with how many derivatives, in which modes.

use crate::{EqId, ModeSets, SigmaMatrix, VarId};

/// The variable `variable` occurs in `equation`, differentiated `sigma` times, in `modes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedEdge<S> {
    pub equation: EqId,
    pub variable: VarId,
    pub sigma: i32,
    pub modes: S,
}

/// A guarded incidence problem.
///
/// In mode `m` the system consists of the equations that are active in `m`; σ(f, x) is the largest
/// `sigma` of the edges `(f, x)` whose mode set contains `m`; a variable without any such edge is
/// *absent* in `m` and is no unknown there.
#[derive(Clone, Debug)]
pub struct GuardedProblem<S> {
    /// Per equation the modes in which it is enabled.
    pub active: Vec<S>,
    pub n_variables: usize,
    /// Edges in any order. One pair may have several, and their mode sets may overlap and may
    /// exceed the equation's active set.
    pub edges: Vec<GuardedEdge<S>>,
    /// The care set as a list of conjuncts: a mode is possible if it is in all of them. Kept apart
    /// because thousands of local constraints are cheap, and their conjunction is not.
    pub care: Vec<S>,
}

/// The system of one mode, with dense numbers of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeSystem {
    /// Row and column numbers count the enabled equations and present variables only.
    pub matrix: SigmaMatrix,
    /// Per row its equation in the guarded problem, ascending.
    pub equations: Vec<EqId>,
    /// Per column its variable in the guarded problem, ascending.
    pub variables: Vec<VarId>,
}

impl<S> GuardedProblem<S> {
    /// The system of one mode. O(problem), apart from evaluating the mode sets.
    pub fn mode_system<M: ModeSets<Set = S>>(&self, sets: &M, mode: &[bool]) -> ModeSystem {
        let all = (0..self.active.len()).map(EqId::new);
        self.mode_system_of(sets, mode, all, &mut self.edges.iter())
    }

    /// The same for some of the equations (ascending), with all their edges.
    pub(crate) fn mode_system_of<'a, M: ModeSets<Set = S>>(
        &self,
        sets: &M,
        mode: &[bool],
        equations: impl Iterator<Item = EqId>,
        edges: &mut dyn Iterator<Item = &'a GuardedEdge<S>>,
    ) -> ModeSystem
    where
        S: 'a,
    {
        let equations: Vec<EqId> = equations
            .filter(|f| sets.contains(&self.active[f.index()], mode))
            .collect();
        let mut entries = Vec::new();
        for edge in edges {
            if let Ok(row) = equations.binary_search(&edge.equation)
                && sets.contains(&edge.modes, mode)
            {
                entries.push((EqId::new(row), edge.variable, edge.sigma));
            }
        }
        let mut variables: Vec<VarId> = entries.iter().map(|&(_, x, _)| x).collect();
        variables.sort_unstable();
        variables.dedup();
        for (_, x, _) in &mut entries {
            *x = VarId::new(variables.partition_point(|y| y < x));
        }
        let matrix = SigmaMatrix::from_entries(equations.len(), variables.len(), &entries);
        ModeSystem {
            matrix,
            equations,
            variables,
        }
    }

    /// Whether a mode is possible.
    pub fn is_possible<M: ModeSets<Set = S>>(&self, sets: &M, mode: &[bool]) -> bool {
        self.care
            .iter()
            .all(|conjunct| sets.contains(conjunct, mode))
    }
}
