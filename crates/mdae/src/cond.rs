//! Conditions: Boolean formulas over mode variables, shared in one table.
//!
//! Guards of equations and conditions of if-expressions are entries of a [`Conds`] table. An entry
//! refers only to earlier entries, so that whatever is computed for all of them (truth in a mode,
//! BDDs, printed text) is one pass over the table, without recursion on what the user wrote.

use crate::model::ModeId;
use crate::sym::CondId;
use modeshift_base::{FxHashMap, FxHashSet};

/// One entry of the table. Operands of `And` and `Or` are sorted and distinct, at least two.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    Const(bool),
    Mode(ModeId),
    Not(CondId),
    And(Box<[CondId]>),
    Or(Box<[CondId]>),
}

/// A truth value for every mode variable.
pub type Valuation = [bool];

/// Hash-consed formulas: structurally equal conditions have equal ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conds {
    nodes: Vec<Formula>,
    ids: FxHashMap<Formula, CondId>,
}

impl Default for Conds {
    fn default() -> Self {
        let mut table = Self {
            nodes: Vec::new(),
            ids: FxHashMap::default(),
        };
        table.intern(Formula::Const(false));
        table.intern(Formula::Const(true));
        table
    }
}

impl Conds {
    pub const FALSE: CondId = CondId::FALSE;
    pub const TRUE: CondId = CondId::TRUE;

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the two constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn formula(&self, id: CondId) -> &Formula {
        &self.nodes[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (CondId, &Formula)> {
        (0..).map(CondId).zip(&self.nodes)
    }

    fn intern(&mut self, formula: Formula) -> CondId {
        if let Some(&id) = self.ids.get(&formula) {
            return id;
        }
        let id = CondId(self.nodes.len() as u32);
        self.nodes.push(formula.clone());
        self.ids.insert(formula, id);
        id
    }

    pub const fn constant(value: bool) -> CondId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub fn mode(&mut self, mode: ModeId) -> CondId {
        self.intern(Formula::Mode(mode))
    }

    pub fn not(&mut self, id: CondId) -> CondId {
        match self.formula(id) {
            Formula::Const(value) => Self::constant(!value),
            Formula::Not(inner) => *inner,
            _ => self.intern(Formula::Not(id)),
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = CondId>) -> CondId {
        self.junction(operands, true)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = CondId>) -> CondId {
        self.junction(operands, false)
    }

    /// `and` when `neutral` is true, `or` when it is false. O(k log k) in the number of operands.
    fn junction(&mut self, operands: impl IntoIterator<Item = CondId>, neutral: bool) -> CondId {
        let (neutral_id, absorbing) = (Self::constant(neutral), Self::constant(!neutral));
        let mut flat = Vec::new();
        for id in operands {
            match self.formula(id) {
                Formula::And(inner) if neutral => flat.extend_from_slice(inner),
                Formula::Or(inner) if !neutral => flat.extend_from_slice(inner),
                _ => flat.push(id),
            }
        }
        flat.retain(|&id| id != neutral_id);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&absorbing) || self.has_complements(&flat) {
            return absorbing;
        }
        match flat.len() {
            0 => neutral_id,
            1 => flat[0],
            _ if neutral => self.intern(Formula::And(flat.into())),
            _ => self.intern(Formula::Or(flat.into())),
        }
    }

    /// Whether `sorted` holds a condition and its negation.
    fn has_complements(&self, sorted: &[CondId]) -> bool {
        sorted.iter().any(|&id| match self.formula(id) {
            Formula::Not(inner) => sorted.binary_search(inner).is_ok(),
            _ => false,
        })
    }

    /// `if condition then a else b`.
    pub fn ite(&mut self, condition: CondId, a: CondId, b: CondId) -> CondId {
        if a == b {
            return a;
        }
        let negated = self.not(condition);
        let then = self.and([condition, a]);
        let otherwise = self.and([negated, b]);
        self.or([then, otherwise])
    }

    pub fn equal(&mut self, a: CondId, b: CondId) -> CondId {
        let not_b = self.not(b);
        self.ite(a, b, not_b)
    }

    /// The truth of every condition in a mode: `result[id.0]`. O(size of the table).
    pub fn evaluate(&self, mode: &Valuation) -> Vec<bool> {
        let mut truth: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for formula in &self.nodes {
            let value = match formula {
                Formula::Const(value) => *value,
                Formula::Mode(id) => mode.get(id.index()).copied().unwrap_or(false),
                Formula::Not(id) => !truth[id.0 as usize],
                Formula::And(ids) => ids.iter().all(|id| truth[id.0 as usize]),
                Formula::Or(ids) => ids.iter().any(|id| truth[id.0 as usize]),
            };
            truth.push(value);
        }
        truth
    }

    /// Three-valued evaluation when only some mode variables are known.
    pub fn evaluate_partial(&self, known: &[Option<bool>]) -> Vec<Option<bool>> {
        let mut truth: Vec<Option<bool>> = Vec::with_capacity(self.nodes.len());
        let known = |id: ModeId| known.get(id.index()).copied().flatten();
        for formula in &self.nodes {
            let value = three_valued(formula, known, |id| truth[id.0 as usize]);
            truth.push(value);
        }
        truth
    }

    /// The same for a few conditions, which must be [`Self::closed`].
    pub fn evaluate_some(
        &self,
        closed: &[CondId],
        known: impl Fn(ModeId) -> Option<bool>,
    ) -> FxHashMap<CondId, bool> {
        let mut truth: FxHashMap<CondId, bool> = FxHashMap::default();
        for &id in closed {
            let value = three_valued(self.formula(id), &known, |id| truth.get(&id).copied());
            truth.extend(value.map(|value| (id, value)));
        }
        truth
    }

    /// `roots` and everything they are made of, parts before what is made of them. O(what is reached).
    pub fn closed(&self, roots: impl IntoIterator<Item = CondId>) -> Vec<CondId> {
        let mut stack: Vec<CondId> = roots.into_iter().collect();
        let mut seen: FxHashSet<CondId> = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                match self.formula(id) {
                    Formula::Const(_) | Formula::Mode(_) => {}
                    Formula::Not(inner) => stack.push(*inner),
                    Formula::And(ids) | Formula::Or(ids) => stack.extend(ids.iter().copied()),
                }
            }
        }
        let mut closed: Vec<CondId> = seen.into_iter().collect();
        closed.sort_unstable();
        closed
    }

    /// The mode variables that `roots` depend on (syntactically), in order. O(what is reached).
    pub fn support(&self, roots: impl IntoIterator<Item = CondId>) -> Vec<ModeId> {
        let mut stack: Vec<CondId> = roots.into_iter().collect();
        let mut seen: FxHashSet<CondId> = stack.iter().copied().collect();
        let mut modes = Vec::new();
        while let Some(id) = stack.pop() {
            match self.formula(id) {
                Formula::Const(_) => {}
                Formula::Mode(mode) => modes.push(*mode),
                Formula::Not(inner) => {
                    if seen.insert(*inner) {
                        stack.push(*inner);
                    }
                }
                Formula::And(ids) | Formula::Or(ids) => {
                    stack.extend(ids.iter().copied().filter(|&id| seen.insert(id)));
                }
            }
        }
        modes.sort_unstable();
        modes.dedup();
        modes
    }

    /// Gives mode variable `m` the number `new[m]`.
    pub(crate) fn renumber(&mut self, new: &[ModeId]) {
        for formula in &mut self.nodes {
            if let Formula::Mode(mode) = formula {
                *mode = new[mode.index()];
            }
        }
        self.ids = self.nodes.iter().cloned().zip((0..).map(CondId)).collect();
    }
}

fn three_valued(
    formula: &Formula,
    known: impl Fn(ModeId) -> Option<bool>,
    of: impl Fn(CondId) -> Option<bool>,
) -> Option<bool> {
    match formula {
        Formula::Const(value) => Some(*value),
        Formula::Mode(id) => known(*id),
        Formula::Not(id) => of(*id).map(|value| !value),
        Formula::And(ids) => junction_of(ids.iter().map(|id| of(*id)), true),
        Formula::Or(ids) => junction_of(ids.iter().map(|id| of(*id)), false),
    }
}

fn junction_of(values: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut result = Some(neutral);
    for value in values {
        match value {
            Some(value) if value != neutral => return Some(value),
            None => result = None,
            Some(_) => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Conds;
    use crate::model::ModeId;

    #[test]
    fn equal_conditions_share_an_entry_and_complements_cancel() {
        let mut conds = Conds::default();
        let a = conds.mode(ModeId::new(0));
        let b = conds.mode(ModeId::new(1));
        let not_a = conds.not(a);
        assert_eq!(conds.and([a, b]), conds.and([b, a, Conds::TRUE]));
        assert_eq!(conds.and([a, not_a]), Conds::FALSE);
        assert_eq!(conds.or([a, not_a, b]), Conds::TRUE);
        assert_eq!(conds.not(not_a), a);
        assert_eq!(conds.ite(a, b, b), b);
    }

    #[test]
    fn partial_evaluation_agrees_with_full_evaluation() {
        let mut conds = Conds::default();
        let modes: Vec<_> = (0..3).map(|i| conds.mode(ModeId::new(i))).collect();
        let inner = conds.ite(modes[0], modes[1], modes[2]);
        let root = conds.equal(inner, modes[2]);
        for bits in 0..8u8 {
            let mode: Vec<bool> = (0..3).map(|i| bits >> i & 1 == 1).collect();
            let full = conds.evaluate(&mode);
            for known in 0..8u8 {
                let partial: Vec<Option<bool>> = (0..3)
                    .map(|i| (known >> i & 1 == 1).then_some(mode[i]))
                    .collect();
                let result = conds.evaluate_partial(&partial)[root.0 as usize];
                let some = conds.evaluate_some(&conds.closed([root]), |id| partial[id.index()]);
                assert_eq!(some.get(&root).copied(), result);
                assert!(result.is_none_or(|value| value == full[root.0 as usize]));
                assert!(known != 7 || result.is_some());
            }
        }
    }

    #[test]
    fn the_support_of_a_condition_is_the_modes_it_mentions() {
        let mut conds = Conds::default();
        let a = conds.mode(ModeId::new(4));
        let b = conds.mode(ModeId::new(2));
        let both = conds.and([a, b]);
        assert_eq!(conds.support([both]), [ModeId::new(2), ModeId::new(4)]);
        assert!(conds.support([Conds::TRUE]).is_empty());
    }
}
