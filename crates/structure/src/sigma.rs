//! The Sigma-method: how often each equation of a mode has to be differentiated.
//!
//! Pryce ("A simple structural analysis method for DAEs", 2001). σ(f, x) is the highest derivative of
//! `x` in `f`. A perfect matching of maximum total σ exists iff the system is structurally regular; the
//! smallest offsets `c_f ≥ 0`, `d_x` with `d_x − c_f ≥ σ(f, x)`, equality on the matching, do not
//! depend on the matching. Equation `f` is to be differentiated `c_f` times, and the system of all
//! `f^(c_f) = 0` determines the leading derivatives `x^(d_x)`.

use crate::btf::{Blocks, blocks_of};
use crate::weighted::Dual;
use crate::{
    Bipartite, DulmageMendelsohn, EqId, Matching, SigmaMatrix, VarId, max_weight_perfect_matching,
};

/// The offsets of a structurally regular system, with the matching that proves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Per equation how often it is differentiated.
    pub c: Vec<i32>,
    /// Per variable the order of its leading derivative.
    pub d: Vec<i32>,
    pub matching: Matching,
}

/// The smallest offsets, or `None` if the system is structurally singular.
/// O((index + 1) · edges · √vertices), close to linear on equation systems.
pub fn sigma_method(matrix: &SigmaMatrix) -> Option<Offsets> {
    if matrix.graph().n_equations() != matrix.graph().n_variables() {
        return None;
    }
    let (matching, Dual { c, d }) = max_weight_perfect_matching(matrix.graph(), matrix.sigma())?;
    let offsets = Offsets { c, d, matching };
    debug_assert!(offsets.hold_in(matrix), "offsets of {matrix:?}");
    Some(offsets)
}

impl Offsets {
    /// The smallest offsets with `d_x ≥ least(x)`: equations are differentiated as often as that takes. O(edges) for each
    /// time that an offset grows.
    pub fn raised(mut self, matrix: &SigmaMatrix, least: impl Fn(VarId) -> i32) -> Self {
        let mut grown: Vec<VarId> = Vec::new();
        for x in (0..self.d.len()).map(VarId::new) {
            if self.d[x.index()] < least(x) {
                self.d[x.index()] = least(x);
                grown.push(x);
            }
        }
        while let Some(x) = grown.pop() {
            // The edge of the matching stays tight; its equation takes all its variables along.
            let Some(f) = self.matching.equation_of(x) else {
                continue;
            };
            let edges = matrix.graph().edges_of(f);
            let of = |edge: usize| matrix.graph().variable_at(edge);
            let matched = edges.clone().find(|&edge| of(edge) == x);
            let Some(matched) = matched else { continue };
            let c = self.d[x.index()] - matrix.sigma()[matched];
            if c <= self.c[f.index()] {
                continue;
            }
            self.c[f.index()] = c;
            for edge in edges {
                let (y, least) = (of(edge), c + matrix.sigma()[edge]);
                if self.d[y.index()] < least {
                    self.d[y.index()] = least;
                    grown.push(y);
                }
            }
        }
        debug_assert!(self.hold_in(matrix), "raised offsets of {matrix:?}");
        self
    }

    /// What makes them offsets: `c_f ≥ 0` and `d_x − c_f ≥ σ(f, x)`, with equality on the matching.
    fn hold_in(&self, matrix: &SigmaMatrix) -> bool {
        let graph = matrix.graph();
        (0..graph.n_equations()).map(EqId::new).all(|f| {
            let c = self.c[f.index()];
            let mut edges = graph.edges_of(f);
            c >= 0
                && edges.all(|edge| {
                    let x = graph.variable_at(edge);
                    let slack = self.d[x.index()] - c - matrix.sigma()[edge];
                    slack == 0 || slack > 0 && self.matching.equation_of(x) != Some(f)
                })
        })
    }

    /// The largest `c_f`: what RR-9334 calls the index.
    pub fn index(&self) -> i32 {
        self.c.iter().copied().max().unwrap_or(0)
    }

    /// The structural index of the DAE literature: one more than [`Self::index`] if some variable is
    /// algebraic (`d_x = 0`).
    pub fn pryce_index(&self) -> i32 {
        self.index() + i32::from(self.d.contains(&0))
    }

    /// `Σd − Σc`: how many initial values are free.
    pub fn degrees_of_freedom(&self) -> i64 {
        let sum = |offsets: &[i32]| offsets.iter().map(|&o| i64::from(o)).sum::<i64>();
        sum(&self.d) - sum(&self.c)
    }

    /// Whether the edge belongs to the leading system: `d_x − c_f = σ(f, x)`.
    pub fn is_tight(&self, matrix: &SigmaMatrix, f: EqId, edge: usize) -> bool {
        let x = matrix.graph().variable_at(edge);
        self.d[x.index()] - self.c[f.index()] == matrix.sigma()[edge]
    }

    /// The leading system: which `x^(d_x)` occur in which `f^(c_f)`.
    pub fn leading_graph(&self, matrix: &SigmaMatrix) -> Bipartite {
        matrix
            .graph()
            .filtered(|f, edge| self.is_tight(matrix, f, edge))
    }

    /// The block triangular form of the leading system. O(vertices + edges).
    pub fn leading_blocks(&self, matrix: &SigmaMatrix) -> Blocks {
        let rows = 0..matrix.graph().n_equations() as u32;
        blocks_of(matrix.graph(), &self.matching, rows, |f, edge| {
            self.is_tight(matrix, f, edge)
        })
    }

    /// The latent equations `f^(1), …, f^(c_f)`: everything that differentiation adds.
    pub fn latent_equations(&self) -> impl Iterator<Item = (EqId, i32)> + '_ {
        let numbered = self.c.iter().enumerate();
        numbered.flat_map(|(f, &c)| (1..=c).map(move |k| (EqId::new(f), k)))
    }

    /// The consistency equations `f^(k), k < c_f`, which constrain the states.
    pub fn consistency_equations(&self) -> impl Iterator<Item = (EqId, i32)> + '_ {
        let numbered = self.c.iter().enumerate();
        numbered.flat_map(|(f, &c)| (0..c).map(move |k| (EqId::new(f), k)))
    }

    /// The leading variables `x^(d_x)`.
    pub fn leading_variables(&self) -> impl Iterator<Item = (VarId, i32)> + '_ {
        self.d.iter().enumerate().map(|(x, &d)| (VarId::new(x), d))
    }

    /// The state variables `x^(k), k < d_x`.
    pub fn state_variables(&self) -> impl Iterator<Item = (VarId, i32)> + '_ {
        let numbered = self.d.iter().enumerate();
        numbered.flat_map(|(x, &d)| (0..d).map(move |k| (VarId::new(x), k)))
    }
}

/// The structure of one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModeStructure {
    Regular {
        offsets: Offsets,
        /// The block triangular form of the leading system.
        blocks: Blocks,
    },
    /// The system has too many or too few equations somewhere.
    Singular(DulmageMendelsohn),
}

impl ModeStructure {
    /// Sigma-method and block triangular form, or Dulmage–Mendelsohn where these do not exist.
    pub fn new(matrix: &SigmaMatrix) -> Self {
        match sigma_method(matrix) {
            Some(offsets) => {
                let blocks = offsets.leading_blocks(matrix);
                Self::Regular { offsets, blocks }
            }
            None => Self::Singular(DulmageMendelsohn::new(matrix.graph())),
        }
    }

    /// The offsets, if the system is regular.
    pub fn offsets(&self) -> Option<&Offsets> {
        match self {
            Self::Regular { offsets, .. } => Some(offsets),
            Self::Singular(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, entries: &[(u32, u32, i32)]) -> SigmaMatrix {
        let entries: Vec<_> = entries
            .iter()
            .map(|&(f, x, s)| (EqId(f), VarId(x), s))
            .collect();
        SigmaMatrix::from_entries(n, n, &entries)
    }

    #[test]
    fn the_pendulum_has_index_2_and_2_degrees_of_freedom() {
        // x'' = λx, y'' = λy − g, x² + y² = L²; variables x, y, λ.
        let m = matrix(
            3,
            &[
                (0, 0, 2),
                (0, 2, 0),
                (1, 1, 2),
                (1, 2, 0),
                (2, 0, 0),
                (2, 1, 0),
            ],
        );
        let offsets = sigma_method(&m).unwrap();
        assert_eq!(
            (&offsets.c[..], &offsets.d[..]),
            (&[0, 0, 2][..], &[2, 2, 0][..])
        );
        assert_eq!((offsets.index(), offsets.pryce_index()), (2, 3));
        assert_eq!(offsets.degrees_of_freedom(), 2);
        assert_eq!(offsets.leading_blocks(&m).len(), 1);
        assert_eq!(offsets.latent_equations().count(), 2);
        assert_eq!(offsets.state_variables().count(), 4);
    }

    #[test]
    fn a_long_chain_of_derivatives_raises_the_index_without_as_many_rounds() {
        // x0 = u, x1 = x0', x2 = x1', …
        let n = 3000;
        let mut entries = vec![(0, 0, 0)];
        entries.extend((1..n).flat_map(|k| [(k, k, 0), (k, k - 1, 1)]));
        let offsets = sigma_method(&matrix(n as usize, &entries)).unwrap();
        assert_eq!(offsets.c, (0..n as i32).rev().collect::<Vec<_>>());
        assert_eq!(offsets.degrees_of_freedom(), 0);
    }

    #[test]
    fn a_rectangular_system_is_singular() {
        let m = SigmaMatrix::from_entries(1, 2, &[(EqId(0), VarId(0), 0), (EqId(0), VarId(1), 0)]);
        let ModeStructure::Singular(dm) = ModeStructure::new(&m) else {
            panic!("not singular")
        };
        assert_eq!(dm.under.variables.len(), 2);
    }
}
