//! Which side an equality between discrete variables defines.

use super::{ChainId, Collector, Piece, Side, Source, Undirected};
use modeshift_flat::model as flat;
use modeshift_inst::ty::Variability;

impl<'m> Collector<'m, '_> {
    /// Gives every equality between discrete values its direction: along `a.y = b.u` the value flows
    /// from the side that is defined elsewhere. Breadth first from what is defined; linear.
    pub(super) fn direct(&mut self) {
        let undirected = std::mem::take(&mut self.undirected);
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); self.flat.variables.len()];
        let mut pending: Vec<Option<Undirected<'m>>> = Vec::new();
        for equality in undirected {
            let targets: Vec<flat::VarId> = equality
                .sides
                .iter()
                .filter_map(|side| self.target(side))
                .collect();
            match targets[..] {
                [only] => self.define(equality, only),
                [a, b] => {
                    for id in [a, b] {
                        waiting[id.index()].push(pending.len());
                    }
                    pending.push(Some(equality));
                }
                _ => self.result.superfluous.push(equality.origin),
            }
        }
        let mut covered = Covered::new(self);
        let ids = self.flat.variables.ids();
        let queue = ids.filter(|&id| covered.whole(id)).collect();
        self.spread(queue, &waiting, &mut pending, &mut covered);
        // What is left has no source. A variable that some cases define already is defined in the others, too; else the first
        // side is defined by the other, in order of writing.
        for i in 0..pending.len() {
            let Some(equality) = pending[i].take() else {
                continue;
            };
            let targets = equality.sides.iter().filter_map(|side| self.target(side));
            let targets: Vec<flat::VarId> = targets.collect();
            let begun = targets.iter().copied().find(|&id| covered.begun(id));
            let Some(id) = begun.or(targets.first().copied()) else {
                continue;
            };
            let chain = equality.chain;
            self.define(equality, id);
            if covered.add(id, chain) {
                self.spread(vec![id], &waiting, &mut pending, &mut covered);
            }
        }
    }

    /// Whatever equals a variable that is defined in all cases is defined by it.
    fn spread(
        &mut self,
        mut queue: Vec<flat::VarId>,
        waiting: &[Vec<usize>],
        pending: &mut [Option<Undirected<'m>>],
        covered: &mut Covered,
    ) {
        while let Some(source) = queue.pop() {
            for &i in &waiting[source.index()] {
                let Some(equality) = pending[i].take() else {
                    continue;
                };
                let other = equality
                    .sides
                    .iter()
                    .filter_map(|side| self.target(side))
                    .find(|&id| id != source)
                    .unwrap_or(source);
                let chain = equality.chain;
                self.define(equality, other);
                if covered.add(other, chain) {
                    queue.push(other);
                }
            }
        }
    }

    /// The variable a side could define.
    fn target(&self, side: &Side<'m>) -> Option<flat::VarId> {
        match side {
            Side::Variable(id, ..) if !self.is_given(*id) => Some(*id),
            _ => None,
        }
    }

    pub(super) fn is_given(&self, id: flat::VarId) -> bool {
        let variable = &self.flat.variables[id];
        variable.variability <= Variability::Parameter
            || variable.causality == Some(modeshift_inst::ty::Causality::Input)
    }

    fn define(&mut self, equality: Undirected<'m>, target: flat::VarId) {
        let [first, second] = equality.sides;
        let is_target = |side: &Side<'m>| matches!(side, Side::Variable(id, ..) if *id == target);
        let (side, other) = if is_target(&first) {
            (first, second)
        } else {
            (second, first)
        };
        let Side::Variable(_, negated, _) = side else {
            return;
        };
        let value = match other {
            Side::Exp(exp) | Side::Variable(_, _, Some(exp)) => Source::Exp(exp),
            Side::Variable(id, _, None) => Source::Variable(id),
        };
        self.result.pieces[target.index()].push(Piece {
            chain: equality.chain,
            value,
            negated,
            origin: equality.origin,
        });
    }
}

/// In what part of the cases a variable is defined. Each condition halves the cases, so that the branches of an `if` with an
/// `else` add up to the whole.
struct Covered {
    /// By chain of conditions.
    shares: Vec<f64>,
    /// By flat variable.
    parts: Vec<f64>,
}

impl Covered {
    const WHOLE: f64 = 1.0 - 1e-9;

    fn new(collector: &Collector<'_, '_>) -> Self {
        let result = &collector.result;
        let mut shares: Vec<f64> = Vec::with_capacity(result.chains.len());
        for (id, chain) in result.chains.iter().enumerate() {
            shares.push(if id == 0 {
                1.0
            } else {
                shares[chain.parent] / 2.0
            });
        }
        let part = |id: flat::VarId| {
            let elsewhere = result.held[id.index()] || result.assigned_by[id.index()].is_some();
            if elsewhere || collector.is_given(id) {
                return 1.0;
            }
            let pieces = result.pieces[id.index()].iter();
            pieces.map(|piece| shares[piece.chain]).sum()
        };
        let parts = collector.flat.variables.ids().map(part).collect();
        Self { shares, parts }
    }

    fn whole(&self, id: flat::VarId) -> bool {
        self.parts[id.index()] >= Self::WHOLE
    }

    /// Defined in some cases, but not in all.
    fn begun(&self, id: flat::VarId) -> bool {
        self.parts[id.index()] > 0.0 && !self.whole(id)
    }

    /// Counts a definition under these conditions; tells whether it completes the variable.
    fn add(&mut self, id: flat::VarId, chain: ChainId) -> bool {
        let before = self.whole(id);
        self.parts[id.index()] += self.shares[chain];
        !before && self.whole(id)
    }
}
