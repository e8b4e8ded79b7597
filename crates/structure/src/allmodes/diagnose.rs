//! Why modes are singular: the smallest sets of too many equations and of undetermined unknowns, each
//! with all modes that share them.
//!
//! A singular mode is picked, and the Dulmage–Mendelsohn decomposition of its system gives the two
//! smallest sets. Which other modes share them can be told without looking at their decompositions: those
//! in which the same equations are enabled and mention no further variable (and no further equation
//! mentions the same variables), while the few occurrences that make the sets minimal are there. These
//! modes are done; the next one is picked from the rest.

use super::{AllModes, Component};
use crate::dm::Circuit;
use crate::{
    DulmageMendelsohn, EqId, GuardedEdge, GuardedProblem, ModeSets, ModeSystem, NodeLimit, Part,
    Valuation, VarId,
};

/// Why some modes are singular.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis<S> {
    /// The singular modes that share the two sets below.
    pub modes: S,
    /// One of them.
    pub representative: Valuation,
    /// `k + 1` equations that mention only these `k` variables; empty if there are not too many
    /// equations anywhere.
    pub over: Part,
    /// `k + 1` variables that occur in only these `k` equations; empty if all unknowns are determined.
    pub under: Part,
}

/// The diagnoses of a component's singular modes.
#[derive(Clone, Debug)]
pub struct Diagnoses<S> {
    pub diagnoses: Vec<Diagnosis<S>>,
    /// Singular modes beyond the `limit` of diagnoses.
    pub rest: S,
}

/// Explains the singular modes of a component, with at most `limit` different reasons.
/// O(component · √vertices) and O(edges of the two sets) set operations for each.
pub fn diagnose<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
    limit: usize,
) -> Result<Diagnoses<M::Set>, NodeLimit> {
    let mut rest = component.singular.clone();
    let mut diagnoses = Vec::new();
    if sets.is_empty(&rest) {
        return Ok(Diagnoses { diagnoses, rest });
    }
    let edges: Vec<_> = result.edges_of(problem, component).collect();
    while diagnoses.len() < limit {
        let Some(representative) = sets.pick(&rest) else {
            break;
        };
        let system = ModeParts::new(sets, problem, component, &edges, &representative);
        let (over, under) = system.circuits();
        let sharing = Sharing {
            sets,
            problem,
            edges: &edges,
        };
        let mut modes = sharing.over(&over, rest.clone())?;
        modes = sharing.under(&under, modes)?;
        let (over, under) = (over.part, under.part);
        debug_assert!(sets.contains(&modes, &representative));
        rest = sets.diff(&rest, &modes)?;
        diagnoses.push(Diagnosis {
            modes,
            representative,
            over,
            under,
        });
    }
    Ok(Diagnoses { diagnoses, rest })
}

/// The system of one mode of the component.
struct ModeParts(ModeSystem);

impl ModeParts {
    fn new<M: ModeSets>(
        sets: &M,
        problem: &GuardedProblem<M::Set>,
        component: &Component<M::Set>,
        edges: &[&GuardedEdge<M::Set>],
        mode: &[bool],
    ) -> Self {
        let equations = component.equations.iter().copied();
        Self(problem.mode_system_of(sets, mode, equations, &mut edges.iter().copied()))
    }

    /// The smallest over- and under-determined sets, in the problem's numbers.
    fn circuits(&self) -> (Circuit, Circuit) {
        let graph = self.0.matrix.graph();
        let dm = DulmageMendelsohn::new(graph);
        (
            self.named(dm.over_circuit(graph)),
            self.named(dm.under_circuit(graph)),
        )
    }

    fn named(&self, circuit: Option<Circuit>) -> Circuit {
        let equation = |f: EqId| self.0.equations[f.index()];
        let variable = |x: VarId| self.0.variables[x.index()];
        let Some(Circuit { part, edges }) = circuit else {
            return Circuit {
                part: Part::default(),
                edges: Vec::new(),
            };
        };
        let mut edges: Vec<_> = edges
            .into_iter()
            .map(|(f, x)| (equation(f), variable(x)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let part = Part {
            equations: part.equations.into_iter().map(equation).collect(),
            variables: part.variables.into_iter().map(variable).collect(),
        };
        Circuit { part, edges }
    }
}

struct Sharing<'a, M: ModeSets> {
    sets: &'a M,
    problem: &'a GuardedProblem<M::Set>,
    edges: &'a [&'a GuardedEdge<M::Set>],
}

impl<M: ModeSets> Sharing<'_, M> {
    /// The part of `modes` in which all these equations are enabled and mention no other variables.
    fn over(&self, circuit: &Circuit, mut modes: M::Set) -> Result<M::Set, NodeLimit> {
        let part = &circuit.part;
        for f in &part.equations {
            modes = self.sets.and(&modes, &self.problem.active[f.index()])?;
        }
        for edge in self.edges {
            let inside = part.equations.binary_search(&edge.equation).is_ok();
            if inside && part.variables.binary_search(&edge.variable).is_err() {
                modes = self.sets.diff(&modes, &edge.modes)?;
            }
        }
        self.proven(circuit, modes)
    }

    /// The part of `modes` in which all these variables are present and in no other equation.
    fn under(&self, circuit: &Circuit, mut modes: M::Set) -> Result<M::Set, NodeLimit> {
        let part = &circuit.part;
        for edge in self.edges {
            let inside = part.variables.binary_search(&edge.variable).is_ok();
            if inside && part.equations.binary_search(&edge.equation).is_err() {
                modes = self.sets.diff(&modes, &self.occurrence(edge)?)?;
            }
        }
        self.proven(circuit, modes)
    }

    /// The modes in which an edge is there.
    fn occurrence(&self, edge: &GuardedEdge<M::Set>) -> Result<M::Set, NodeLimit> {
        self.sets
            .and(&edge.modes, &self.problem.active[edge.equation.index()])
    }

    /// The part of `modes` in which the edges are there that make the set minimal.
    fn proven(&self, circuit: &Circuit, mut modes: M::Set) -> Result<M::Set, NodeLimit> {
        let mut present = vec![self.sets.empty(); circuit.edges.len()];
        for edge in self.edges {
            if let Ok(place) = circuit.edges.binary_search(&(edge.equation, edge.variable)) {
                present[place] = self.sets.or(&present[place], &self.occurrence(edge)?)?;
            }
        }
        for occurrence in &present {
            modes = self.sets.and(&modes, occurrence)?;
        }
        Ok(modes)
    }
}
