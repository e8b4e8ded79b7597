//! A numeric check of what structure promises.
//!
//! Structural regularity is generic: it holds for almost all coefficients, not for the ones in the model.
//! The Jacobian of the leading system, `∂f^(c_f) / ∂x^(d_x) = ∂f / ∂x^(d_x − c_f)`, is evaluated at random
//! values modulo a large prime. If its rank falls short, the determinant is zero for all values, up to a
//! chance of about one in 10¹⁸: there are no false alarms from an unlucky point. Parameters with a value keep
//! it, so that a balanced bridge is found, too.

use crate::mode::OneMode;
use crate::model::{EqId, Equation, MDae, Parameter};
use crate::sym::{
    CondId, Expr, Fp, Kind, NoGradient, ParamId, Rational, Sample, Valuation, VarId, VarRef,
    evaluate, for_each_node, gradient, partial,
};
use modeshift_algebra::{Echelon, Row};
use modeshift_base::{FxHashMap, IndexVec, Shared};
use modeshift_structure::{Block, ModeStructure, Offsets};
use std::cell::RefCell;

/// Steps of elimination in one mode; what does not fit is not checked.
const BUDGET: usize = 20_000_000;

/// A block whose equations depend on each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deficient {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub rank: usize,
}

/// What is known about the first blocks of one mode, by their numbers.
type KnownBlocks = Vec<KnownBlock>;

#[derive(Clone, Copy)]
struct KnownBlock {
    /// Its rank, if it falls short.
    falls_short: Option<usize>,
    /// Steps of elimination that it took in this mode: none if it was known from another one.
    steps: usize,
}

/// Ranks that were found, and the numbers they hold for. All modes are of one structure.
pub(crate) struct KnownRanks {
    equations: Shared<IndexVec<Equation>>,
    parameters: Shared<Vec<Parameter>>,
    /// By the place of the mode in the samples.
    modes: Vec<KnownBlocks>,
    /// How many blocks were evaluated for these numbers, and not taken over.
    pub(crate) evaluated: usize,
}

impl KnownRanks {
    /// Per equation, whether it or a parameter in it has other numbers in `mdae`, which has the same shape. Linear in
    /// the equations, and in their sizes if a parameter has changed.
    fn changed(&self, mdae: &MDae) -> Vec<bool> {
        let bits = |it: &Parameter| it.value.map(f64::to_bits);
        let values = mdae.parameters.iter().zip(&self.parameters);
        let other: Vec<bool> = match Shared::same(&mdae.parameters, &self.parameters) {
            true => Vec::new(),
            false => values.map(|(a, b)| bits(a) != bits(b)).collect(),
        };
        let any_other = other.contains(&true);
        let reads_other = |side: &Expr| {
            let mut found = false;
            for_each_node(side, &mut |node| {
                if let Kind::Param(id) = node.kind() {
                    found |= other.get(id.0 as usize) != Some(&false);
                }
                !found
            });
            found
        };
        let changed = |(equation, known): (&Equation, &Equation)| {
            let Equation { lhs, rhs, .. } = known;
            equation.lhs != *lhs
                || equation.rhs != *rhs
                || any_other && (reads_other(lhs) || reads_other(rhs))
        };
        mdae.equations
            .iter()
            .zip(&self.equations)
            .map(changed)
            .collect()
    }
}

/// Looks at one mode after the other. Blocks that look the same in several modes are evaluated once.
pub struct RankCheck<'m> {
    mdae: &'m MDae,
    /// The conditions inside each equation that has some.
    conditions: &'m FxHashMap<EqId, Box<[CondId]>>,
    sample: Sample,
    /// What parameters count with, as far as they were asked for.
    parameters: RefCell<Vec<Option<Fp>>>,
    /// By a block's equations, unknowns, offsets and conditions: its rank, if it falls short.
    known: FxHashMap<Box<[u32]>, Option<usize>>,
    /// What was found for other numbers, and which equations have changed since.
    before: Option<(KnownRanks, Vec<bool>)>,
    modes: Vec<KnownBlocks>,
    /// The budget of some mode was used up: what is found depends on all its blocks.
    exhausted: bool,
}

impl<'m> RankCheck<'m> {
    pub fn new(mdae: &'m MDae, conditions: &'m FxHashMap<EqId, Box<[CondId]>>) -> Self {
        Self::after(mdae, conditions, None)
    }

    /// The same, where ranks are known for other numbers in the same structure. Modes have to come in the same order.
    pub(crate) fn after(
        mdae: &'m MDae,
        conditions: &'m FxHashMap<EqId, Box<[CondId]>>,
        known: Option<KnownRanks>,
    ) -> Self {
        let before = known.map(|known| {
            let changed = known.changed(mdae);
            (known, changed)
        });
        Self {
            before,
            modes: Vec::new(),
            exhausted: false,
            mdae,
            conditions,
            sample: Sample::new(0x6d6f_6465),
            parameters: RefCell::new(vec![None; mdae.parameters.len()]),
            known: FxHashMap::default(),
        }
    }

    /// The first blocks of a mode that are singular whatever the values of the variables are, at most
    /// `limit`. At worst O(Σ size³) over the blocks, within a budget; close to linear on sparse ones.
    pub fn deficient_blocks(
        &mut self,
        system: &OneMode,
        structure: &ModeStructure,
        truth: &[bool],
        limit: usize,
    ) -> Vec<Deficient> {
        let ModeStructure::Regular { offsets, blocks } = structure else {
            self.modes.push(Vec::new());
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut budget = BUDGET;
        let mut looked_at: KnownBlocks = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if found.len() >= limit {
                break;
            }
            let kept = self.kept(number, system, &block);
            let falls_short = match kept {
                Some(kept) if kept.steps <= budget => {
                    budget -= kept.steps;
                    looked_at.push(kept);
                    kept.falls_short
                }
                _ => {
                    let before = budget;
                    let falls_short = self.falls_short(system, offsets, &block, truth, &mut budget);
                    looked_at.push(KnownBlock {
                        falls_short,
                        steps: before - budget,
                    });
                    falls_short
                }
            };
            if let Some(rank) = falls_short {
                let equations = block.equations.iter();
                let variables = block.variables.iter();
                found.push(Deficient {
                    equations: equations.map(|f| system.equations[f.index()]).collect(),
                    variables: variables.map(|x| system.variables[x.index()]).collect(),
                    rank,
                });
            }
        }
        self.modes.push(looked_at);
        found
    }

    /// What was found about a block of the next mode, if no number in it has changed since.
    fn kept(&self, number: usize, system: &OneMode, block: &Block<'_>) -> Option<KnownBlock> {
        let (known, changed) = self.before.as_ref()?;
        let kept = *known.modes.get(self.modes.len())?.get(number)?;
        let mut ids = block.equations.iter().map(|f| system.equations[f.index()]);
        ids.all(|id| changed.get(id.index()) == Some(&false))
            .then_some(kept)
    }

    /// The rank of a block, if it falls short.
    fn falls_short(
        &mut self,
        system: &OneMode,
        offsets: &Offsets,
        block: &Block<'_>,
        truth: &[bool],
        budget: &mut usize,
    ) -> Option<usize> {
        let key = self.key(system, offsets, block, truth);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let matrix = self.jacobian(system, offsets, block, truth);
        let rank = matrix.and_then(|matrix| {
            let found = rank(matrix, budget);
            self.exhausted |= found.is_none();
            found
        });
        let falls_short = rank.filter(|&rank| rank < block.equations.len());
        self.known.insert(key, falls_short);
        falls_short
    }

    pub(crate) fn mdae(&self) -> &'m MDae {
        self.mdae
    }

    /// Whether something was left out because it would have taken too long, and more is known than was looked at.
    pub(crate) fn depends_on_known(&self) -> bool {
        self.exhausted && self.before.is_some()
    }

    /// What was found, for the numbers to come. Nothing, if it depends on how much there was to do.
    pub(crate) fn into_known(self) -> Option<KnownRanks> {
        (!self.exhausted).then(|| KnownRanks {
            equations: self.mdae.equations.clone(),
            parameters: self.mdae.parameters.clone(),
            evaluated: self.known.len(),
            modes: self.modes,
        })
    }

    /// All that the rank of a block depends on.
    fn key(
        &self,
        system: &OneMode,
        offsets: &Offsets,
        block: &Block<'_>,
        truth: &[bool],
    ) -> Box<[u32]> {
        let mut key = Vec::with_capacity(4 * block.equations.len());
        let level = block.equations.first().map_or(0, |f| offsets.c[f.index()]);
        for (f, x) in block.equations.iter().zip(block.variables) {
            let id = system.equations[f.index()];
            key.push(id.index() as u32);
            key.push((offsets.c[f.index()] - level) as u32);
            key.push(system.variables[x.index()].0);
            key.push((offsets.d[x.index()] - level) as u32);
            for condition in self.conditions.get(&id).into_iter().flatten() {
                key.push(u32::from(truth.get(condition.0 as usize) == Some(&true)));
            }
        }
        key.into()
    }

    /// The Jacobian of a block, `None` where it cannot be evaluated.
    fn jacobian(
        &self,
        system: &OneMode,
        offsets: &Offsets,
        block: &Block<'_>,
        truth: &[bool],
    ) -> Option<Vec<Row>> {
        let mut columns: Vec<(VarId, i32, usize)> = block
            .variables
            .iter()
            .enumerate()
            .map(|(column, x)| (system.variables[x.index()], offsets.d[x.index()], column))
            .collect();
        columns.sort_unstable();
        let find = |occurrence: VarRef, c: i32| -> Option<usize> {
            let at = columns.binary_search_by_key(&occurrence.var, |it| it.0);
            let (var, d, column) = columns[at.ok()?];
            (occurrence == VarRef::now(var, (d - c) as u32)).then_some(column)
        };
        let point = Point { check: self, truth };
        let mut matrix = Vec::with_capacity(block.equations.len());
        for &f in block.equations {
            let equation = &self.mdae.equations[system.equations[f.index()]];
            let c = offsets.c[f.index()];
            let wanted = |occurrence: VarRef| find(occurrence, c).is_some();
            let sides = [&equation.lhs, &equation.rhs];
            if sides.iter().any(|side| selects(side)) {
                return None;
            }
            let entries = differences(&sides, &point, &wanted)?;
            let entries = entries.into_iter();
            let row = entries.map(|(occurrence, value)| Some((find(occurrence, c)?, value)));
            matrix.push(row.collect::<Option<Row>>()?);
        }
        Some(matrix)
    }

    fn parameter(&self, id: ParamId) -> Option<Fp> {
        let at = id.0 as usize;
        if let Some(known) = self.parameters.borrow().get(at).copied().flatten() {
            return Some(known);
        }
        let number = self.mdae.parameter(id).value;
        let value = number
            .and_then(Rational::from_decimal)
            .and_then(|number| Fp::from_rational(&number))
            .or_else(|| self.sample.param(id))?;
        if let Some(slot) = self.parameters.borrow_mut().get_mut(at) {
            *slot = Some(value);
        }
        Some(value)
    }
}

/// Whether an element of an array is chosen in it by an index that is not known: by which unknown the equation is solved
/// depends on the index, and no random coefficients stand for that.
fn selects(side: &Expr) -> bool {
    let mut found = false;
    for_each_node(side, &mut |node| {
        if let Kind::Call(function, _) = node.kind() {
            found |= function.name == *"element" || function.name == *"elements";
        }
        !found
    });
    found
}

/// The derivatives of `lhs − rhs` at the point; an occurrence may come several times.
fn differences(
    sides: &[&Expr; 2],
    point: &Point<'_, '_>,
    wanted: &impl Fn(VarRef) -> bool,
) -> Option<Vec<(VarRef, Fp)>> {
    let mut found = Vec::new();
    for (side, sign) in sides.iter().zip([Fp::ONE, Fp::ONE.negated()]) {
        let before = found.len();
        match gradient(side, sign, point, wanted, &mut found) {
            Ok(()) => {}
            Err(NoGradient::Undefined(_)) => return None,
            Err(NoGradient::TooShared) => {
                found.truncate(before);
                let occurrences = crate::sym::variables(side).into_iter();
                for by in occurrences.filter(|it| wanted(*it)) {
                    let value: Fp = evaluate(&partial(side, by), point).ok()?;
                    found.push((by, value.times(sign)));
                }
            }
        }
    }
    Some(found)
}

/// Random values for variables, known values for parameters, in one mode.
struct Point<'a, 'm> {
    check: &'a RankCheck<'m>,
    truth: &'a [bool],
}

impl Valuation<Fp> for Point<'_, '_> {
    fn var(&self, occurrence: VarRef) -> Option<Fp> {
        self.check.sample.var(occurrence)
    }

    fn param(&self, id: ParamId) -> Option<Fp> {
        self.check.parameter(id)
    }

    fn time(&self) -> Option<Fp> {
        self.check.sample.time()
    }

    fn cond(&self, id: CondId) -> Option<bool> {
        self.truth.get(id.0 as usize).copied()
    }
}

/// The rank of some rows, shortest first; `None` when it takes more than `budget` steps.
fn rank(mut rows: Vec<Row>, budget: &mut usize) -> Option<usize> {
    if let [row] = rows.as_slice() {
        return Some(usize::from(!row.is_empty()));
    }
    rows.sort_by_key(Row::len);
    let mut echelon = Echelon::default();
    for row in rows {
        let row = echelon.reduced_within(row, budget)?;
        echelon.push(row);
    }
    Some(echelon.rank())
}
