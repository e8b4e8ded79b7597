//! Blocks of equations that are solved together: torn, then Newton's method on what is left.

mod continuation;

use crate::layout::Layout;
use crate::layout::TIME;
use crate::linear::{Factors, Sparse};
use crate::tape::{
    Compiler, Copier, Functions, Graph, LANES, Lanes, Program, Reg, Unsupported, Values, Work,
};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{CondId, Expr, ParamId, VarRef};
use std::cell::RefCell;

/// What expressions of one mode mean: slots of the layout, parameters as numbers, conditions as decided.
pub struct ModeValues<'a> {
    pub layout: &'a mut Layout,
    pub params: &'a FxHashMap<ParamId, f64>,
    pub truth: &'a [bool],
    /// Occurrences that were computed earlier in the same program.
    pub local: FxHashMap<VarRef, Reg>,
}

impl Values for &mut ModeValues<'_> {
    fn var(&mut self, graph: &mut Graph, occurrence: VarRef) -> Result<Reg, Unsupported> {
        if let Some(&reg) = self.local.get(&occurrence) {
            return Ok(reg);
        }
        let slot = self.layout.slot(occurrence);
        Ok(graph.input(slot))
    }
    fn param(&mut self, id: ParamId) -> Option<f64> {
        self.params.get(&id).copied()
    }
    fn time(&mut self, graph: &mut Graph) -> Reg {
        graph.input(TIME)
    }
    fn cond(&mut self, graph: &mut Graph, id: CondId) -> Option<Reg> {
        let value = self.truth.get(id.0 as usize)?;
        Some(graph.constant(f64::from(*value)))
    }
    fn delayed(&mut self, graph: &mut Graph, expr: &Expr, time: f64) -> Option<Reg> {
        Some(graph.input(self.layout.delay(expr, time)))
    }
}

/// Compiles residuals with the meaning of `values`.
pub fn compile(
    graph: &mut Graph,
    functions: &Functions,
    values: &mut ModeValues<'_>,
    exprs: &[Expr],
) -> Result<Vec<Reg>, Unsupported> {
    let mut compiler = Compiler::new(graph, functions, values);
    exprs.iter().map(|expr| compiler.expr(expr)).collect()
}

/// `x = −b/a` if the residual is linear in `x`: its value as a node, with `x` unknown to `values`.
pub fn solved_for(
    graph: &mut Graph,
    functions: &Functions,
    values: &mut ModeValues<'_>,
    residual: &Expr,
    x: VarRef,
    only_constant: bool,
) -> Result<Option<Reg>, Unsupported> {
    let outer = values.local.remove(&x);
    let slot = values.layout.slot(x);
    let input = graph.input(slot);
    let whole = compile(graph, functions, values, std::slice::from_ref(residual))?[0];
    let slope = graph.derivatives(&[whole], &[input])[0][0];
    let explicit = match slope {
        Some(slope) if only_constant => graph.value(slope).is_some(),
        Some(slope) => !graph.dependent(&[slope], &[input])[0],
        None => false,
    };
    let Some(slope) = slope.filter(|_| explicit) else {
        values.local.extend(outer.map(|reg| (x, reg)));
        return Ok(None);
    };
    let zero = graph.constant(0.0);
    values.local.insert(x, zero);
    let rest = compile(graph, functions, values, std::slice::from_ref(residual))?[0];
    values.local.remove(&x);
    let negative = graph.neg(rest);
    Ok(Some(graph.div(negative, slope)))
}

/// A block that is solved by Newton's method on its tearing variables.
#[derive(Clone, Debug)]
pub struct Block {
    /// All unknowns of the block.
    pub unknowns: Vec<VarRef>,
    tears: Vec<u32>,
    /// Residuals, then the entries of the Jacobian by columns.
    system: Program,
    /// The residuals alone.
    residuals: Program,
    linear: bool,
    inner: Vec<u32>,
    inner_program: Program,
    jacobian: RefCell<Jacobian>,
}

/// The Jacobian of a block where it was last computed, and its decomposition.
#[derive(Clone, Debug)]
struct Jacobian {
    matrix: Sparse,
    factors: Factors,
    factored: bool,
}

impl Jacobian {
    /// Takes the entries from the outputs of a program, from `first` on. Entries that did not change, as those of
    /// a linear network, keep their decomposition.
    fn factor(&mut self, system: &Program, work: &Work, first: usize) -> bool {
        for (i, entry) in self.matrix.values.iter_mut().enumerate() {
            let value = system.output(work, first + i);
            if *entry != value {
                *entry = value;
                self.factored = false;
            }
        }
        if !self.factored {
            self.factored = self.factors.factor(&self.matrix).is_ok();
        }
        self.factored
    }
}

/// Why a block has no solution at some point.
#[derive(Clone, PartialEq, Debug)]
pub enum BlockError {
    /// The Jacobian is singular; the unknowns of the block.
    Singular(Vec<VarRef>),
    /// Newton's method did not converge.
    Diverged(Vec<VarRef>),
    /// A value is not a number: a division by zero, a root outside its domain.
    Undefined(Vec<VarRef>),
    /// A discrete variable has no value, or one that is too large.
    Discrete(VarRef, f64),
}

/// Scratch space of solving.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub work: Work,
    step: Vec<f64>,
    start: Vec<f64>,
}

const MAX_ITERATIONS: usize = 40;

impl Block {
    /// Tears the block and compiles it. O(unknowns · nodes) for the Jacobian of what tearing leaves.
    pub fn new(
        functions: &Functions,
        values: &mut ModeValues<'_>,
        residuals: &[Expr],
        unknowns: &[VarRef],
    ) -> Result<Self, Unsupported> {
        let mut graph = Graph::default();
        let regs = compile(&mut graph, functions, values, residuals)?;
        let slots: Vec<u32> = unknowns.iter().map(|&x| values.layout.slot(x)).collect();
        Ok(Self::from_graph(&graph, &regs, &slots, unknowns))
    }

    /// The same for residuals that are nodes of a graph. `unknowns` are the names of `slots`.
    pub fn from_graph(
        source: &Graph,
        residuals: &[Reg],
        slots: &[u32],
        unknowns: &[VarRef],
    ) -> Self {
        let order = tear(source, residuals, slots);
        let mut graph = Graph::default();
        let mut inner = Vec::new();
        let mut inner_regs = Vec::new();
        let mut leaves = FxHashMap::default();
        for &(row, column, slope) in &order.explicit {
            let slot = slots[column];
            let zero = graph.constant(0.0);
            leaves.insert(slot, zero);
            let mut copier = Copier::with_leaves(std::mem::take(&mut leaves));
            let rest = copier.copy(source, residuals[row], &mut graph);
            leaves = copier.leaves;
            let negative = graph.neg(rest);
            let slope = graph.constant(slope);
            let value = graph.div(negative, slope);
            leaves.insert(slot, value);
            inner.push(slot);
            inner_regs.push(value);
        }
        let mut copier = Copier::with_leaves(leaves);
        let outputs: Vec<Reg> = order
            .rows
            .iter()
            .map(|&row| copier.copy(source, residuals[row], &mut graph))
            .collect();
        let tears: Vec<u32> = order.tears.iter().map(|&c| slots[c]).collect();
        let inputs: Vec<Reg> = tears.iter().map(|&slot| graph.input(slot)).collect();
        let jacobian = graph.derivatives(&outputs, &inputs);
        let residuals = Program::new(&graph, &outputs);
        let mut regs = outputs;
        let n = regs.len();
        let mut columns = vec![Vec::new(); tears.len()];
        for (column, rows) in columns.iter_mut().enumerate() {
            for (row, entries) in jacobian.iter().enumerate() {
                if let Some(entry) = entries[column] {
                    rows.push(row);
                    regs.push(entry);
                }
            }
        }
        let linear = !graph.dependent(&regs[n..], &inputs).contains(&true);
        Self {
            unknowns: unknowns.to_vec(),
            tears,
            system: Program::new(&graph, &regs),
            residuals,
            linear,
            inner,
            inner_program: Program::new(&graph, &inner_regs),
            jacobian: RefCell::new(Jacobian {
                matrix: Sparse::new(&columns),
                factors: Factors::default(),
                factored: false,
            }),
        }
    }

    /// The slots that are read.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + '_ {
        let inner = self.inner_program.inputs().iter();
        let all = self.residuals.inputs().iter().chain(inner);
        all.copied().filter(|slot| !self.tears.contains(slot))
    }

    /// The slots that are computed.
    pub fn outputs(&self) -> impl Iterator<Item = u32> + '_ {
        self.tears.iter().chain(&self.inner).copied()
    }

    /// How the solution at `values` moves with what it depends on (the implicit function theorem), for several
    /// groups of directions.
    pub fn tangent(
        &self,
        values: &[f64],
        groups: &mut [Vec<Lanes>],
        scratch: &mut Scratch,
    ) -> Result<(), BlockError> {
        let n = self.tears.len();
        let mut jacobian = self.jacobian.borrow_mut();
        self.system.run(values, &mut scratch.work);
        if !jacobian.factor(&self.system, &scratch.work, n) {
            return Err(BlockError::Singular(self.unknowns.clone()));
        }
        self.residuals.run(values, &mut scratch.work);
        for dots in groups.iter_mut() {
            for &slot in &self.tears {
                dots[slot as usize] = [0.0; LANES];
            }
            self.residuals.tangent(&mut scratch.work, dots);
            #[expect(
                clippy::needless_range_loop,
                reason = "a lane is a column of several arrays"
            )]
            for lane in 0..LANES {
                let moved = |i| self.residuals.output_tangent(&scratch.work, i)[lane];
                scratch.step.clear();
                scratch.step.extend((0..n).map(moved));
                if scratch.step.iter().all(|&r| r == 0.0) {
                    continue;
                }
                jacobian.factors.solve(&mut scratch.step);
                for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                    dots[slot as usize][lane] = -step;
                }
            }
        }
        if !self.inner.is_empty() {
            self.inner_program.run(values, &mut scratch.work);
            for dots in groups {
                self.inner_program.tangent(&mut scratch.work, dots);
                for (i, &slot) in self.inner.iter().enumerate() {
                    dots[slot as usize] = self.inner_program.output_tangent(&scratch.work, i);
                }
            }
        }
        Ok(())
    }

    pub fn n_tears(&self) -> usize {
        self.tears.len()
    }

    pub fn n_instructions(&self) -> usize {
        self.system.n_instructions() + self.inner_program.n_instructions()
    }

    /// Solves the block in place, from the values that are there.
    pub fn solve(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        scratch.start.clear();
        scratch
            .start
            .extend(self.tears.iter().map(|&slot| values[slot as usize]));
        let result = self.newton(values, scratch, false);
        if matches!(
            result,
            Err(BlockError::Diverged(_) | BlockError::Undefined(_))
        ) {
            for (&slot, &value) in self.tears.iter().zip(&scratch.start) {
                values[slot as usize] = value;
            }
            self.newton(values, scratch, true)?;
        } else {
            result?;
        }
        if !self.inner.is_empty() {
            self.inner_program.run(values, &mut scratch.work);
            for (i, &slot) in self.inner.iter().enumerate() {
                values[slot as usize] = self.inner_program.output(&scratch.work, i);
            }
        }
        Ok(())
    }

    /// Newton's method; `careful` shortens steps after which the residuals are not smaller.
    fn newton(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        careful: bool,
    ) -> Result<(), BlockError> {
        let n = self.tears.len();
        let mut jacobian = self.jacobian.borrow_mut();
        let iterations = if self.linear { 1 } else { MAX_ITERATIONS };
        self.system.run(values, &mut scratch.work);
        for _ in 0..iterations {
            scratch.step.clear();
            let residuals = (0..n).map(|i| self.system.output(&scratch.work, i));
            scratch.step.extend(residuals);
            if scratch.step.iter().any(|r| !r.is_finite()) {
                return Err(BlockError::Undefined(self.unknowns.clone()));
            }
            if scratch.step.iter().all(|&r| r == 0.0) {
                return Ok(());
            }
            let size = norm(&scratch.step);
            if !jacobian.factor(&self.system, &scratch.work, n) {
                return Err(BlockError::Singular(self.unknowns.clone()));
            }
            jacobian.factors.solve(&mut scratch.step);
            let mut largest = 0.0_f64;
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                let value = values[slot as usize];
                largest = largest.max(step.abs() / (1.0 + value.abs()));
            }
            if !largest.is_finite() {
                return Err(BlockError::Undefined(self.unknowns.clone()));
            }
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                values[slot as usize] -= step;
            }
            // Convergence is quadratic: after a step this small, the error is that of rounding.
            if self.linear || largest < 1e-8 {
                return Ok(());
            }
            self.system.run(values, &mut scratch.work);
            if careful {
                self.shorten(values, scratch, size);
            }
        }
        Err(BlockError::Diverged(self.unknowns.clone()))
    }

    /// Goes back along the last step, by halves, until the residuals are smaller than they were.
    fn shorten(&self, values: &mut [f64], scratch: &mut Scratch, size: f64) {
        let n = self.tears.len();
        let mut part = 1.0;
        for _ in 0..20 {
            let now = (0..n).fold(0.0, |m: f64, i| {
                let r = self.system.output(&scratch.work, i).abs();
                if r.is_finite() {
                    m.max(r)
                } else {
                    f64::INFINITY
                }
            });
            if now < (1.0 - 0.1 * part) * size {
                return;
            }
            part *= 0.5;
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                values[slot as usize] += part * step;
            }
            self.system.run(values, &mut scratch.work);
        }
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// How a torn block is computed.
struct Torn {
    /// Row, column and coefficient, in the order of computation.
    explicit: Vec<(usize, usize, f64)>,
    tears: Vec<usize>,
    rows: Vec<usize>,
}

/// Which entries of the Jacobian are there, and which of them are numbers.
struct Entries {
    /// By row: column and constant coefficient.
    rows: Vec<Vec<(usize, Option<f64>)>>,
    columns: Vec<Vec<usize>>,
}

/// Row by row: linear in the nodes of a row times its unknowns.
fn entries(source: &Graph, residuals: &[Reg], slots: &[u32]) -> Entries {
    let places: FxHashMap<u32, usize> = slots.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    let mut columns = vec![Vec::new(); slots.len()];
    let mut rows = Vec::with_capacity(residuals.len());
    for (i, &residual) in residuals.iter().enumerate() {
        let mut graph = Graph::default();
        let reg = Copier::default().copy(source, residual, &mut graph);
        let read = graph.slots_of(reg);
        let mut read: Vec<usize> = read.iter().filter_map(|s| places.get(s).copied()).collect();
        read.sort_unstable();
        let inputs: Vec<Reg> = read.iter().map(|&x| graph.input(slots[x])).collect();
        let row = graph.derivatives(&[reg], &inputs).swap_remove(0);
        let mut list = Vec::new();
        for (entry, column) in row.into_iter().zip(read) {
            if let Some(entry) = entry {
                list.push((column, graph.value(entry)));
                columns[column].push(i);
            }
        }
        rows.push(list);
    }
    Entries { rows, columns }
}

/// Greedy tearing: rows in which one unknown is left, with a coefficient that is a number of reasonable
/// size, are solved for it; when there is none, the unknown that occurs most often is torn. O(entries ·
/// unknowns).
fn tear(source: &Graph, residuals: &[Reg], slots: &[u32]) -> Torn {
    let entries = entries(source, residuals, slots);
    let mut open_rows = vec![true; residuals.len()];
    let mut open = vec![true; slots.len()];
    let mut torn = Torn {
        explicit: Vec::new(),
        tears: Vec::new(),
        rows: Vec::new(),
    };
    loop {
        let ready = (0..residuals.len())
            .filter(|&row| open_rows[row])
            .find_map(|row| {
                let mut left = entries.rows[row].iter().filter(|(column, _)| open[*column]);
                let (column, coefficient) = left.next()?;
                let largest = entries.rows[row]
                    .iter()
                    .filter_map(|(_, c)| *c)
                    .fold(0.0, |m: f64, c| m.max(c.abs()));
                let usable = coefficient.filter(|c| c.is_finite() && c.abs() > 1e-3 * largest);
                (left.next().is_none()).then_some(())?;
                Some((row, *column, usable?))
            });
        if let Some((row, column, slope)) = ready {
            open_rows[row] = false;
            open[column] = false;
            torn.explicit.push((row, column, slope));
            continue;
        }
        let busiest = (0..slots.len()).filter(|&x| open[x]).max_by_key(|&x| {
            let rows = entries.columns[x].iter().filter(|&&row| open_rows[row]);
            (rows.count(), std::cmp::Reverse(x))
        });
        let Some(busiest) = busiest else { break };
        open[busiest] = false;
        torn.tears.push(busiest);
    }
    torn.tears.sort_unstable();
    torn.rows = (0..residuals.len()).filter(|&row| open_rows[row]).collect();
    torn
}
