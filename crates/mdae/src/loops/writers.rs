//! Which rows determine which variables, by variable: a loop asks for its own, not for all.

use crate::analysis::Structure;
use crate::sym::VarId;
use modeshift_base::FxHashMap;

/// A row that determines a variable in some mode.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    pub(super) component: u32,
    /// Its place in the matching of the component.
    place: u32,
    pub(super) row: usize,
    pub(super) sigma: i32,
}

/// The matching of all modes, by variable.
#[derive(Default)]
pub(crate) struct Writers {
    of: FxHashMap<VarId, Vec<Writer>>,
    always: FxHashMap<VarId, (usize, i32)>,
}

impl Writers {
    /// Linear in the matching.
    pub(crate) fn new(structure: &Structure) -> Self {
        let mut this = Self::default();
        if let Structure::One(one) = structure {
            for (place, (row, x, sigma)) in one.0.matched(&one.1).into_iter().enumerate() {
                this.always.insert(x, (row, sigma));
                this.of.entry(x).or_default().push(Writer {
                    component: 0,
                    place: place as u32,
                    row,
                    sigma,
                });
            }
        }
        let Structure::All(all) = structure else {
            return this;
        };
        for (component, part) in all.1.components.iter().enumerate() {
            for (place, edge) in part.matched.iter().enumerate() {
                let (x, row) = (VarId(edge.variable.0), edge.equation.index());
                if edge.modes == part.regular {
                    this.always.insert(x, (row, edge.sigma));
                }
                this.of.entry(x).or_default().push(Writer {
                    component: component as u32,
                    place: place as u32,
                    row,
                    sigma: edge.sigma,
                });
            }
        }
        this
    }

    /// The row that determines a variable in every mode.
    pub(super) fn always(&self, x: VarId) -> Option<(usize, i32)> {
        self.always.get(&x).copied()
    }

    /// The rows that determine some variables, in the order of the matching.
    pub(super) fn of(&self, variables: impl Iterator<Item = VarId>) -> Vec<(VarId, Writer)> {
        let mut found: Vec<(VarId, Writer)> = variables
            .flat_map(|x| {
                let of = self.of.get(&x).into_iter().flatten();
                of.map(move |writer| (x, *writer))
            })
            .collect();
        found.sort_unstable_by_key(|(_, writer)| (writer.component, writer.place));
        found
    }
}
