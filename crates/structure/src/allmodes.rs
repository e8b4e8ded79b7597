//! The structure of all modes at once, without enumerating them.
//!
//! Keeping *mode sets* on the edges and vertices of one graph, the primal-dual matching of the
//! Sigma-method runs in all modes together (in the spirit of IsamDAE: Caillaud, Malandain, Thibault,
//! "Implicit structural analysis of multimode DAE systems", 2020; RR-9334 section 12). The work falls
//! into pieces, each of which only ever looks at its own mode variables:
//!
//! 1. `components`: parts that share no variable in any mode are independent. Each gets the care set
//!    projected on its own mode variables.
//! 2. `rows`: equations that exclude each other, such as the branches of an if-equation, share a row.
//! 3. `blocks`: the block triangular form of the union of all modes splits a component further. Every
//!    regular mode is matched within the blocks; offsets flow from the blocks that use a variable to
//!    the block that determines it.
//! 4. `search`: one block, all modes: alternating search over mode sets, raising offsets where stuck.

mod blocks;
mod classes;
mod components;
mod dependency;
mod diagnose;
mod partition;
mod problem;
mod rows;
mod search;

pub use classes::{Class, Indices, Profile, combined_classes, component_classes, mode_count};
pub use dependency::{Dependency, dependency_graph};
pub use diagnose::{Diagnoses, Diagnosis, diagnose};
pub use partition::{Partition, Piece};
pub use problem::{GuardedEdge, GuardedProblem, ModeSystem};

use crate::{EqId, ModeSets, ModeVar, NodeLimit, VarId};
use components::LocalProblem;

/// The structure of all modes of a guarded problem.
///
/// All mode sets of a component depend on its own mode variables alone and lie within its
/// [`Component::care`]: what happens in other components does not multiply them.
#[derive(Clone, Debug)]
pub struct AllModes<S> {
    /// The connected components, in the order of their first equation.
    pub components: Vec<Component<S>>,
    /// Per equation the smallest offset `c_f`, over the regular modes of its component in which it
    /// is enabled.
    pub c: Vec<Partition<S>>,
    /// Per variable the smallest offset `d_x`, over the regular modes of its component in which it
    /// occurs.
    pub d: Vec<Partition<S>>,
    /// Per equation the number of its component.
    pub component_of_equation: Vec<usize>,
    /// Per variable the number of its component; `None` if it occurs in no equation in any mode.
    pub component_of_variable: Vec<Option<usize>>,
    /// Per component the places of its edges in the problem.
    edges_of_component: Vec<Vec<u32>>,
}

/// A part of the model that shares no variable with the rest, in any mode.
#[derive(Clone, Debug)]
pub struct Component<S> {
    /// Ascending.
    pub equations: Vec<EqId>,
    /// Ascending.
    pub variables: Vec<VarId>,
    /// The mode variables on which the component depends, ascending.
    pub mode_variables: Vec<ModeVar>,
    /// The possible valuations of the component's mode variables.
    pub care: S,
    /// The modes in which the component is structurally regular.
    pub regular: S,
    /// The modes in which it is not: `care` without `regular`.
    pub singular: S,
    /// The maximum-weight matching: edges with the modes in which they are matched.
    pub matched: Vec<GuardedEdge<S>>,
    /// Set if the mode sets of this component outgrew the node limit. Then `regular`, `singular`,
    /// `matched` and the offsets of its equations and variables are empty.
    pub over_limit: Option<NodeLimit>,
}

impl<S> AllModes<S> {
    /// The edges of a component, ascending by their place in the problem.
    pub fn edges_of<'a>(
        &'a self,
        problem: &'a GuardedProblem<S>,
        component: &Component<S>,
    ) -> impl Iterator<Item = &'a GuardedEdge<S>> + use<'a, S> {
        let number = component
            .equations
            .first()
            .map(|f| self.component_of_equation[f.index()]);
        let places = number.map_or(&[][..], |number| &self.edges_of_component[number]);
        places.iter().map(|&e| &problem.edges[e as usize])
    }

    /// The first component that outgrew the node limit, if any.
    pub fn over_limit(&self) -> Option<NodeLimit> {
        self.components
            .iter()
            .find_map(|component| component.over_limit)
    }
}

/// Analyses all modes of a guarded problem. Never fails as a whole: a component that outgrows the node
/// limit says so itself.
///
/// Components take time in proportion to their number. Within a component the cost follows the width
/// of the model, seen along the order of the mode variables: chains, trees and stars of switches
/// are cheap, a two-dimensional mesh of them grows exponentially with its width.
pub fn analyse_all_modes<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
) -> AllModes<M::Set> {
    sets.with_deep_stack(|| analyse_here(sets, problem))
}

fn analyse_here<M: ModeSets>(sets: &M, problem: &GuardedProblem<M::Set>) -> AllModes<M::Set> {
    let split = components::split(problem);
    let care = components::CareClusters::new(sets, &problem.care);
    let mut result = AllModes {
        components: Vec::with_capacity(split.parts.len()),
        c: vec![Vec::new(); problem.active.len()],
        d: vec![Vec::new(); problem.n_variables],
        component_of_equation: split.component_of_equation,
        component_of_variable: split.component_of_variable,
        edges_of_component: Vec::new(),
    };
    for part in split.parts {
        let mut component = Component {
            equations: part.equations,
            variables: part.variables,
            mode_variables: Vec::new(),
            care: sets.full(),
            regular: sets.empty(),
            singular: sets.empty(),
            matched: Vec::new(),
            over_limit: None,
        };
        let outcome = analyse_component(sets, problem, &care, &part.edges, &mut component);
        match outcome {
            Ok((c, d)) => {
                for (f, partition) in component.equations.iter().zip(c) {
                    result.c[f.index()] = partition;
                }
                for (x, partition) in component.variables.iter().zip(d) {
                    result.d[x.index()] = partition;
                }
            }
            Err(limit) => component.over_limit = Some(limit),
        }
        result.components.push(component);
        result.edges_of_component.push(part.edges);
    }
    result
}

type Offsets<S> = (Vec<Partition<S>>, Vec<Partition<S>>);

/// Fills in the component and returns its offsets.
fn analyse_component<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    care: &components::CareClusters<M::Set>,
    edges: &[u32],
    component: &mut Component<M::Set>,
) -> Result<Offsets<M::Set>, NodeLimit> {
    component.mode_variables = care.mode_variables(sets, problem, &component.equations, edges);
    component.care = care.project(sets, &component.mode_variables)?;
    let local = LocalProblem::new(sets, problem, component, edges)?;
    let solved = search::solve(sets, &local)?;
    component.singular = sets.diff(&component.care, &solved.regular)?;
    component.regular = solved.regular;
    debug_assert!(
        sets.diff(&component.regular, &component.care)
            .map_or(true, |outside| sets.is_empty(&outside)),
        "regular modes are modes that can happen"
    );
    for (edge, modes) in local.edges.iter().zip(solved.matched) {
        if !sets.is_empty(&modes) {
            component.matched.push(GuardedEdge {
                equation: component.equations[edge.origin],
                variable: component.variables[edge.variable],
                sigma: edge.sigma,
                modes,
            });
        }
    }
    let own =
        |(row, active): &(usize, M::Set)| partition::restricted(sets, &solved.c[*row], active);
    let c: Result<Vec<_>, NodeLimit> = local.equations.iter().map(own).collect();
    Ok((c?, solved.d))
}
