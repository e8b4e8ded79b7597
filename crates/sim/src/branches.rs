//! Conditions inside a block that make no events (`noEvent`, limits): which branch a solution lies on.
//!
//! A piecewise linear block may have several solutions, as a Schmitt trigger has, and the one that is meant is on the branch before, as long as
//! that fits. So the branch is held between events like a relation: the block is solved on it, and where its conditions stop
//! holding the integration stops. There, and wherever Newton's method fails, branches are tried one by one, those that differ from the
//! one before in the fewest conditions first; a solution counts if the conditions say the same there. There are finitely
//! many branches, so that the search ends, and finds a solution if there is one.
//!
//! Where a branch ends, the solution goes on continuously on the neighbour if the determinants of both have the same sign (Katzenelson);
//! else the neighbour leads back, and another branch is meant.

use crate::tape::{Copier, Graph, Op, Program, Reg, Work};
use modeshift_algebra::Lu;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::RelOp;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// So many conditions are searched through.
const MAX_CONDITIONS: usize = 10;

/// Larger blocks are not searched: each branch is a dense system.
const MAX_UNKNOWNS: usize = 64;

#[derive(Clone, Debug)]
pub struct Branches {
    graph: Graph,
    residuals: Vec<Reg>,
    tears: Vec<u32>,
    conditions: Vec<Reg>,
    /// What the conditions are at a point.
    truth: Program,
    /// How far each condition is on its true side.
    margins: Program,
    /// By branch: the residuals, then their Jacobian by rows.
    systems: RefCell<FxHashMap<u32, Rc<Program>>>,
    /// The branch of the last accepted point.
    before: Cell<Option<u32>>,
    /// Whether that branch is held.
    holding: Cell<bool>,
}

impl Branches {
    /// The branches of residuals over `tears`; nothing if no condition reads these, or too many, or the residuals are not linear
    /// on a branch.
    pub fn new(graph: &Graph, residuals: &[Reg], tears: &[u32]) -> Option<Self> {
        let conditions = conditions(graph, residuals, tears);
        let affordable = (1..=MAX_CONDITIONS).contains(&conditions.len());
        if !affordable || tears.len() > MAX_UNKNOWNS {
            return None;
        }
        if !is_piecewise_linear(graph, residuals, tears, &conditions) {
            return None;
        }
        let mut own = graph.clone();
        let margins: Vec<Reg> = conditions
            .iter()
            .map(|&condition| match own.op(condition) {
                Op::Compare(RelOp::Less | RelOp::LessEqual, a, b) => own.sub(b, a),
                Op::Compare(_, a, b) => own.sub(a, b),
                _ => condition,
            })
            .collect();
        Some(Self {
            residuals: residuals.to_vec(),
            tears: tears.to_vec(),
            truth: Program::new(&own, &conditions),
            margins: Program::new(&own, &margins),
            conditions,
            systems: RefCell::default(),
            before: Cell::new(None),
            holding: Cell::new(false),
            graph: own,
        })
    }

    /// The branch of these values is the one before; it is held if `holding`. Says whether it is another one.
    pub fn accept(&self, values: &[f64], holding: bool, work: &mut Work) -> bool {
        let branch = self.truth(values, work);
        self.holding.set(holding);
        self.before.replace(Some(branch)) != Some(branch)
    }

    /// Solves on the branch before where it is held or fits, else on the one that takes over; `false` if there is none, or
    /// nothing before.
    pub fn follow(&self, values: &mut [f64], work: &mut Work) -> bool {
        let Some(before) = self.before.get() else {
            return false;
        };
        let sign = self.on_branch(before, values, work);
        if sign.is_none() {
            return false;
        }
        let here = self.truth(values, work);
        if self.holding.get() || here == before {
            return true;
        }
        // The conditions that fail are at their ends: rounding may say either about them on the neighbour.
        let ended = before ^ here;
        let next = self.on_branch(here, values, work);
        if next == sign && (self.truth(values, work) ^ here) & !ended == 0 {
            return true;
        }
        self.nearest(before, &[before, here], values, work)
    }

    /// How far conditions are beyond what they are held at.
    pub fn excesses(&self, values: &[f64], work: &mut Work, out: &mut Vec<f64>) {
        let Some(branch) = self.before.get() else {
            return;
        };
        self.margins.run(values, work);
        for i in 0..self.conditions.len() {
            let margin = self.margins.output(work, i);
            out.push(if branch >> i & 1 == 1 {
                -margin
            } else {
                margin
            });
        }
    }

    fn truth(&self, values: &[f64], work: &mut Work) -> u32 {
        self.truth.run(values, work);
        (0..self.conditions.len())
            .filter(|&i| self.truth.output(work, i) != 0.0)
            .map(|i| 1 << i)
            .sum()
    }

    /// Moves the tearing variables to the solution on the nearest branch that has one.
    pub fn solve(&self, values: &mut [f64], work: &mut Work) -> bool {
        let here = self.truth(values, work);
        self.nearest(here, &[], values, work)
    }

    fn nearest(&self, here: u32, not: &[u32], values: &mut [f64], work: &mut Work) -> bool {
        let start: Vec<f64> = self.tears.iter().map(|&s| values[s as usize]).collect();
        let mut changes: Vec<u32> = (0..1_u32 << self.conditions.len()).collect();
        changes.sort_by_key(|change| (change.count_ones(), *change));
        for change in changes {
            let branch = here ^ change;
            if not.contains(&branch) {
                continue;
            }
            let solved = self.on_branch(branch, values, work).is_some();
            if solved && self.truth(values, work) == branch {
                return true;
            }
            for (&slot, &value) in self.tears.iter().zip(&start) {
                values[slot as usize] = value;
            }
        }
        false
    }

    /// The equations with the conditions fixed.
    fn system(&self, branch: u32) -> Rc<Program> {
        if let Some(known) = self.systems.borrow().get(&branch) {
            return known.clone();
        }
        let mut graph = Graph::default();
        let mut copier = Copier::default();
        for (i, &condition) in self.conditions.iter().enumerate() {
            let value = graph.constant(f64::from(branch >> i & 1));
            copier.replace(condition, value);
        }
        let residuals: Vec<Reg> = self
            .residuals
            .iter()
            .map(|&reg| copier.copy(&self.graph, reg, &mut graph))
            .collect();
        let inputs: Vec<Reg> = self.tears.iter().map(|&slot| graph.input(slot)).collect();
        let jacobian = graph.derivatives(&residuals, &inputs);
        let zero = graph.constant(0.0);
        let mut outputs = residuals;
        for row in &jacobian {
            outputs.extend(row.iter().map(|entry| entry.unwrap_or(zero)));
        }
        let program = Rc::new(Program::new(&graph, &outputs));
        self.systems.borrow_mut().insert(branch, program.clone());
        program
    }

    /// Newton's method with the conditions fixed: one step, and another one against rounding. Gives the sign of the determinant.
    fn on_branch(&self, branch: u32, values: &mut [f64], work: &mut Work) -> Option<bool> {
        let program = self.system(branch);
        let n = self.tears.len();
        let mut lu = Lu::default();
        let mut step = vec![0.0; n];
        let mut sign = false;
        for _ in 0..2 {
            program.run(values, work);
            for (i, entry) in step.iter_mut().enumerate() {
                *entry = program.output(work, i);
            }
            for (i, entry) in lu.reset(n).iter_mut().enumerate() {
                *entry = program.output(work, n + i);
            }
            lu.factor().ok()?;
            sign = lu.is_positive();
            lu.solve(&mut step);
            if step.iter().any(|step| !step.is_finite()) {
                return None;
            }
            for (&slot, step) in self.tears.iter().zip(&step) {
                values[slot as usize] -= step;
            }
        }
        Some(sign)
    }
}

/// Whether the residuals are linear in the unknowns where the conditions do not change.
fn is_piecewise_linear(
    graph: &Graph,
    residuals: &[Reg],
    tears: &[u32],
    conditions: &[Reg],
) -> bool {
    // Conditions become inputs that nothing else reads.
    let mut fixed = Graph::default();
    let mut copier = Copier::default();
    for (i, &condition) in conditions.iter().enumerate() {
        let input = fixed.input(u32::MAX - i as u32);
        copier.replace(condition, input);
    }
    let residuals: Vec<Reg> = residuals
        .iter()
        .map(|&reg| copier.copy(graph, reg, &mut fixed))
        .collect();
    let inputs: Vec<Reg> = tears.iter().map(|&slot| fixed.input(slot)).collect();
    let jacobian = fixed.derivatives(&residuals, &inputs);
    let entries: Vec<Reg> = jacobian.into_iter().flatten().flatten().collect();
    !fixed.dependent(&entries, &inputs).contains(&true)
}

/// The comparisons that read the unknowns and decide over residuals. Linear in the nodes.
fn conditions(graph: &Graph, residuals: &[Reg], tears: &[u32]) -> Vec<Reg> {
    let mut seen: FxHashSet<Reg> = FxHashSet::default();
    let mut open = residuals.to_vec();
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        let op = graph.op(node);
        if let Op::Compare(..) = op
            && graph.slots_of(node).iter().any(|slot| tears.contains(slot))
        {
            // Equality holds at single points: no branch.
            if matches!(op, Op::Compare(RelOp::Equal | RelOp::NotEqual, ..)) {
                return Vec::new();
            }
            found.push(node);
        }
        open.extend(op.operands().into_iter().flatten());
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::Branches;
    use crate::tape::{Graph, Work};
    use modeshift_mdae::sym::RelOp;

    /// `y = sat(k·(u + y/2))`: an amplifier with positive feedback; slot 0 is `u`, slot 1 is `y`.
    fn trigger() -> Branches {
        let mut graph = Graph::default();
        let (u, y) = (graph.input(0), graph.input(1));
        let half = graph.constant(0.5);
        let gain = graph.constant(1000.0);
        let fed_back = graph.mul(half, y);
        let sum = graph.add(u, fed_back);
        let raw = graph.mul(gain, sum);
        let (high, low) = (graph.constant(15.0), graph.constant(-15.0));
        let above = graph.compare(RelOp::Greater, raw, high);
        let below = graph.compare(RelOp::Less, raw, low);
        let inner = graph.select(below, low, raw);
        let limited = graph.select(above, high, inner);
        let residual = graph.sub(y, limited);
        Branches::new(&graph, &[residual], &[1]).unwrap()
    }

    #[test]
    fn a_trigger_stays_on_its_branch_and_leaves_it_where_it_ends() {
        let trigger = trigger();
        let mut work = Work::default();
        for (u, before, after) in [(-7.0, 15.0, 15.0), (-8.0, 15.0, -15.0), (7.0, -15.0, -15.0)] {
            let mut values = [u, before];
            assert!(trigger.solve(&mut values, &mut work));
            assert!((values[1] - after).abs() < 1e-9, "{u} {before}: {values:?}");
        }
    }

    #[test]
    fn a_held_branch_goes_on_beyond_its_end_and_says_so() {
        let trigger = trigger();
        let mut work = Work::default();
        let mut values = [-7.0, 15.0];
        assert!(trigger.accept(&values, true, &mut work));
        values[0] = -8.0;
        assert!(trigger.follow(&mut values, &mut work));
        assert!((values[1] - 15.0).abs() < 1e-9);
        let mut excesses = Vec::new();
        trigger.excesses(&values, &mut work, &mut excesses);
        assert!(excesses.iter().any(|excess| *excess > 0.0), "{excesses:?}");
        trigger.holding.set(false);
        assert!(trigger.follow(&mut values, &mut work));
        assert!((values[1] + 15.0).abs() < 1e-9);
        assert!(trigger.accept(&values, true, &mut work));
        assert!(!trigger.accept(&values, true, &mut work));
    }

    /// Just where a branch ends the unstable one begins: it leads back, and is not taken.
    #[test]
    fn a_trigger_does_not_turn_round_at_the_end_of_its_branch() {
        let trigger = trigger();
        let mut work = Work::default();
        // The upper branch ends at u = 0.015 - 7.5.
        let end = 0.015 - 7.5;
        for beyond in [1e-15, 1e-12, 1e-9, 1e-3] {
            let mut values = [end + 1e-3, 15.0];
            trigger.accept(&values, false, &mut work);
            values[0] = end - beyond;
            assert!(trigger.follow(&mut values, &mut work));
            let stays = beyond < 1e-14 && (values[1] - 15.0).abs() < 1e-9;
            assert!(
                stays || (values[1] + 15.0).abs() < 1e-9,
                "{beyond}: {values:?}"
            );
        }
    }

    /// `y = sat(u − y)`: one solution for every `u`, from branch to neighbour.
    #[test]
    fn negative_feedback_goes_on_continuously() {
        let mut graph = Graph::default();
        let (u, y) = (graph.input(0), graph.input(1));
        let raw = graph.sub(u, y);
        let (high, low) = (graph.constant(1.0), graph.constant(-1.0));
        let above = graph.compare(RelOp::Greater, raw, high);
        let below = graph.compare(RelOp::Less, raw, low);
        let inner = graph.select(below, low, raw);
        let limited = graph.select(above, high, inner);
        let residual = graph.sub(y, limited);
        let branches = Branches::new(&graph, &[residual], &[1]).unwrap();
        let mut work = Work::default();
        let mut values = [0.0, 0.0];
        branches.accept(&values, false, &mut work);
        for i in 0..100 {
            let u = 3.0 * f64::from(i) / 25.0;
            values[0] = u;
            assert!(branches.follow(&mut values, &mut work));
            assert!(
                (values[1] - (u / 2.0).min(1.0)).abs() < 1e-12,
                "{u}: {values:?}"
            );
            branches.accept(&values, false, &mut work);
        }
    }

    #[test]
    fn a_loop_that_nothing_fits_has_no_solution() {
        // y = if y > 0 then -1 else 1
        let mut graph = Graph::default();
        let y = graph.input(0);
        let zero = graph.constant(0.0);
        let above = graph.compare(RelOp::Greater, y, zero);
        let (minus, plus) = (graph.constant(-1.0), graph.constant(1.0));
        let value = graph.select(above, minus, plus);
        let residual = graph.sub(y, value);
        let branches = Branches::new(&graph, &[residual], &[0]).unwrap();
        let mut values = [0.5];
        assert!(!branches.solve(&mut values, &mut Work::default()));
        assert_eq!(values, [0.5]);
    }
}
