//! Blocks of equations that are solved together: torn, then Newton's method on what is left.

mod bracket;
mod continuation;
mod tear;
#[cfg(test)]
mod tests;
mod undetermined;

use crate::branches::Branches;
use crate::jacobian::colours;
use crate::layout::Layout;
use crate::layout::TIME;
use crate::profile::Cost;
use crate::tape::{
    Compiler, Copier, Degree, Functions, Graph, LANES, Lanes, Program, Reg, Set, Unsupported,
    Values, Work,
};
use modeshift_algebra::{Factors, Lu, Sparse};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{CondId, Expr, ParamId, VarRef};
use std::cell::RefCell;
use tear::tear;

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
    /// The names of the tears.
    torn: Vec<VarRef>,
    /// What must be zero.
    residuals: Program,
    slopes: Slopes,
    linear: bool,
    /// Conditions that make no events.
    branches: Option<Box<Branches>>,
    inner: Vec<u32>,
    inner_program: Program,
    jacobian: RefCell<Jacobian>,
    cost: Cost,
}

/// How the Jacobian of a block is computed.
#[derive(Clone, Debug)]
enum Slopes {
    /// Few unknowns: each entry is written down. The program gives the residuals, then the entries by columns.
    Written(Program),
    /// Columns that share no row together, along directions.
    Followed(Colours),
}

/// Columns of a Jacobian that are found together, as many colours at a time as there are lanes.
#[derive(Clone, Debug)]
struct Colours {
    groups: Vec<Group>,
    /// The coefficients are numbers.
    fixed: bool,
}

#[derive(Clone, Debug)]
struct Group {
    /// By input of the program: the lane that moves it.
    lanes: Vec<Option<usize>>,
    /// Lane, output, and where in the matrix their entry is.
    entries: Vec<(usize, usize, usize)>,
}

/// The Jacobian of a block where it was last computed, and its decomposition.
#[derive(Clone, Debug)]
struct Jacobian {
    matrix: Sparse,
    factors: Factors,
    known: bool,
    factored: bool,
}

impl Jacobian {
    fn new(columns: &[Vec<usize>]) -> Self {
        Self {
            matrix: Sparse::new(columns),
            factors: Factors::default(),
            known: false,
            factored: false,
        }
    }

    /// An entry that did not change, as those of a linear network, keeps the decomposition.
    fn set(&mut self, place: usize, value: f64) {
        let entry = &mut self.matrix.values[place];
        if *entry != value {
            *entry = value;
            self.factored = false;
        }
    }

    fn is_finite(&self) -> bool {
        self.matrix.values.iter().all(|v| v.is_finite())
    }

    /// Replaces residuals by the shortest step that makes them about as small as a linear model can, where that is
    /// singular; whether there is one. O(n³).
    fn least_squares(&self, residuals: &mut [f64]) -> bool {
        let n = self.matrix.n;
        if n > MAX_LEAST_SQUARES || !self.is_finite() {
            return false;
        }
        let column = |k: usize| self.matrix.column(k);
        let mut lu = Lu::default();
        let normal = lu.reset(n);
        let mut dense = vec![0.0; n];
        let mut right = vec![0.0; n];
        for i in 0..n {
            dense.fill(0.0);
            for (row, value) in column(i) {
                dense[row] = value;
                right[i] += value * residuals[row];
            }
            for j in 0..n {
                normal[i * n + j] = column(j).map(|(row, value)| value * dense[row]).sum();
            }
        }
        let largest = (0..n).fold(0.0, |m: f64, i| m.max(normal[i * n + i]));
        for i in 0..n {
            normal[i * n + i] += 1e-8 * largest;
        }
        if largest == 0.0 || lu.factor().is_err() {
            return false;
        }
        lu.solve(&mut right);
        residuals.copy_from_slice(&right);
        true
    }

    fn factor(&mut self) -> bool {
        self.known = true;
        if !self.factored {
            self.factored = self.factors.factor(&self.matrix).is_ok();
        }
        self.factored
    }
}

impl Colours {
    /// Linear in the code times the unknowns that a value depends on.
    fn new(residuals: &Program, tears: &[u32], fixed: bool) -> (Self, Vec<Vec<usize>>) {
        let places: FxHashMap<u32, usize> =
            tears.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let none = Set::default();
        let sets = residuals.dependencies(&mut |slot| match places.get(&slot) {
            Some(&column) => [column as u32].into(),
            None => none.clone(),
        });
        let mut columns = vec![Vec::new(); tears.len()];
        for (row, set) in sets.iter().enumerate() {
            for &column in set.iter() {
                columns[column as usize].push(row);
            }
        }
        let mut starts = vec![0];
        for rows in &columns {
            starts.push(starts.last().copied().unwrap_or(0) + rows.len());
        }
        let colours = colours(&columns);
        let groups = colours.chunks(LANES).map(|colours| {
            let mut lane_of: FxHashMap<u32, usize> = FxHashMap::default();
            let mut entries = Vec::new();
            for (lane, list) in colours.iter().enumerate() {
                for &column in list {
                    lane_of.insert(tears[column], lane);
                    let rows = columns[column].iter().enumerate();
                    entries.extend(rows.map(|(k, &row)| (lane, row, starts[column] + k)));
                }
            }
            let inputs = residuals.inputs().iter();
            Group {
                lanes: inputs.map(|slot| lane_of.get(slot).copied()).collect(),
                entries,
            }
        });
        let groups = groups.collect();
        (Self { groups, fixed }, columns)
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

impl BlockError {
    /// The unknowns that have no value.
    pub fn variables(self) -> Vec<VarRef> {
        match self {
            Self::Singular(list) | Self::Diverged(list) | Self::Undefined(list) => list,
            Self::Discrete(variable, _) => vec![variable],
        }
    }
}

/// Scratch space of solving.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub work: Work,
    step: Vec<f64>,
    start: Vec<f64>,
    /// By row, what its residual is multiplied by, and the largest residual then.
    scales: Vec<f64>,
    size: f64,
    /// Whether flat places are left downwards first, and how often one was left.
    pub downwards: bool,
    pub flat_places: usize,
    /// Whether time is taken.
    pub profiling: bool,
    /// By slot, the usual size of a value; 1 where nothing is known.
    pub nominals: Vec<f64>,
    /// Unknowns that the equations do not determine keep their values.
    pub keeps: bool,
    /// Those that did.
    pub kept: Vec<VarRef>,
    /// Loops in which another valuation of the conditions fitted, too.
    pub several: Vec<Vec<VarRef>>,
    /// The values just before an event, while it lasts. Linear blocks are solved from there in each of its passes: from
    /// wherever the last pass ended, equal passes would differ in their rounding, and a condition on a speed that is zero
    /// but for rounding would alternate.
    pub before_event: Option<Vec<f64>>,
}

impl Scratch {
    /// By slot, the usual size of a value.
    pub fn with_nominals(nominals: Vec<f64>) -> Self {
        Self {
            nominals,
            ..Self::default()
        }
    }

    /// The usual size of the value in a slot.
    pub fn nominal(&self, slot: u32) -> f64 {
        self.nominals.get(slot as usize).copied().unwrap_or(1.0)
    }
}

const MAX_ITERATIONS: usize = 40;
/// Up to so many unknowns a step is found where the Jacobian is singular.
const MAX_LEAST_SQUARES: usize = 200;
/// Up to so many unknowns the entries of a Jacobian are written down.
const MAX_WRITTEN: usize = 4;

impl Block {
    /// Tears the block and compiles it.
    pub fn new(
        functions: &Functions,
        values: &mut ModeValues<'_>,
        residuals: &[Expr],
        unknowns: &[VarRef],
    ) -> Result<Self, Unsupported> {
        let mut graph = Graph::default();
        let regs = compile(&mut graph, functions, values, residuals)?;
        let slots: Vec<u32> = unknowns.iter().map(|&x| values.layout.slot(x)).collect();
        let preferred = vec![false; slots.len()];
        Ok(Self::from_graph(
            &graph, &regs, &slots, unknowns, &preferred,
        ))
    }

    /// The same for residuals that are nodes of a graph. `unknowns` are the names of `slots`; the `preferred` ones
    /// are rather torn than others.
    pub fn from_graph(
        source: &Graph,
        residuals: &[Reg],
        slots: &[u32],
        unknowns: &[VarRef],
        preferred: &[bool],
    ) -> Self {
        let order = tear(source, residuals, slots, preferred);
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
        let branches = Branches::new(&graph, &outputs, &tears).map(Box::new);
        let residuals = Program::new(&graph, &outputs);
        let torn: FxHashSet<u32> = tears.iter().copied().collect();
        let degree = residuals.degree(&|slot| torn.contains(&slot));
        let (slopes, columns) = if tears.len() <= MAX_WRITTEN {
            written(&mut graph, outputs, &tears)
        } else {
            let (colours, columns) = Colours::new(&residuals, &tears, degree <= Degree::Linear);
            (Slopes::Followed(colours), columns)
        };
        Self {
            unknowns: unknowns.to_vec(),
            torn: order.tears.iter().map(|&c| unknowns[c]).collect(),
            tears,
            residuals,
            slopes,
            linear: degree.is_linear(),
            branches,
            inner,
            inner_program: Program::new(&graph, &inner_regs),
            jacobian: RefCell::new(Jacobian::new(&columns)),
            cost: Cost::default(),
        }
    }

    /// Residuals and Jacobian at `values`; the residuals are left in `scratch.step`.
    fn linearise(&self, values: &[f64], scratch: &mut Scratch, jacobian: &mut Jacobian) {
        let n = self.tears.len();
        let Scratch { work, step, .. } = scratch;
        step.clear();
        match &self.slopes {
            Slopes::Written(system) => {
                system.run(values, work);
                step.extend((0..n).map(|i| system.output(work, i)));
                for place in 0..jacobian.matrix.values.len() {
                    jacobian.set(place, system.output(work, n + place));
                }
            }
            Slopes::Followed(colours) => {
                self.residuals.run(values, work);
                step.extend((0..n).map(|i| self.residuals.output(work, i)));
                if colours.fixed && jacobian.known {
                    return;
                }
                for group in &colours.groups {
                    self.residuals.tangent_along(work, |input, _| {
                        let mut lanes = [0.0; LANES];
                        if let Some(lane) = group.lanes[input] {
                            lanes[lane] = 1.0;
                        }
                        lanes
                    });
                    for &(lane, row, place) in &group.entries {
                        jacobian.set(place, self.residuals.output_tangent(work, row)[lane]);
                    }
                }
            }
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
        self.linearise(values, scratch, &mut jacobian);
        if !jacobian.factor() {
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

    /// Conditions that make no events, where they may choose among several solutions.
    pub fn branches(&self) -> Option<&Branches> {
        self.branches.as_deref()
    }

    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    pub fn n_tears(&self) -> usize {
        self.tears.len()
    }

    pub fn n_instructions(&self) -> usize {
        self.residuals.n_instructions() + self.inner_program.n_instructions()
    }

    /// Solves the block in place, from the values that are there.
    pub fn solve(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        let profiling = scratch.profiling;
        self.cost
            .of(profiling, || self.solve_untimed(values, scratch))
    }

    fn solve_untimed(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        scratch.start.clear();
        let from = match &scratch.before_event {
            Some(before) if self.linear => before,
            _ => &*values,
        };
        let begin = self.tears.iter().map(|&slot| from[slot as usize]);
        scratch.start.extend(begin);
        let branches = self.branches.as_ref();
        if branches.is_some_and(|branches| branches.follow(values, &mut scratch.work)) {
            self.solve_inner(values, scratch);
            return Ok(());
        }
        self.go_back(values, scratch);
        let mut result = self.newton(values, scratch, false);
        if result.is_err() && !self.linear {
            self.go_back(values, scratch);
            let flat_places = scratch.flat_places;
            result = self.newton(values, scratch, true);
            if result.is_err() && scratch.flat_places > flat_places {
                self.go_back(values, scratch);
                scratch.downwards = !scratch.downwards;
                result = self.newton(values, scratch, true);
                scratch.downwards = !scratch.downwards;
            }
            // Zero is where most functions are undefined; without a start value it is what unknowns begin with.
            if matches!(result, Err(BlockError::Undefined(_))) && scratch.start.contains(&0.0) {
                for (&slot, &value) in self.tears.iter().zip(&scratch.start) {
                    values[slot as usize] = if value == 0.0 { 1.0 } else { value };
                }
                result = self.newton(values, scratch, true);
            }
        }
        if result.is_err() && !self.linear {
            self.go_back(values, scratch);
            if self.bracket(values, scratch) {
                result = Ok(());
            }
        }
        if scratch.keeps && matches!(result, Err(BlockError::Singular(_))) {
            self.go_back(values, scratch);
            if self.solve_keeping(values, scratch) {
                result = Ok(());
            }
        }
        if result.is_err()
            && let Some(branches) = &self.branches
        {
            self.go_back(values, scratch);
            if branches.solve(values, &mut scratch.work) {
                result = Ok(());
            }
        }
        result?;
        self.solve_inner(values, scratch);
        Ok(())
    }

    fn solve_inner(&self, values: &mut [f64], scratch: &mut Scratch) {
        if !self.inner.is_empty() {
            self.inner_program.run(values, &mut scratch.work);
            for (i, &slot) in self.inner.iter().enumerate() {
                values[slot as usize] = self.inner_program.output(&scratch.work, i);
            }
        }
    }

    fn go_back(&self, values: &mut [f64], scratch: &Scratch) {
        for (&slot, &value) in self.tears.iter().zip(&scratch.start) {
            values[slot as usize] = value;
        }
    }

    /// Newton's method; `careful` shortens steps after which the residuals are not smaller, and goes on from points
    /// where the linear model is singular or undefined.
    fn newton(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        careful: bool,
    ) -> Result<(), BlockError> {
        let mut jacobian = self.jacobian.borrow_mut();
        let iterations = if self.linear { 1 } else { MAX_ITERATIONS };
        let mut last = f64::INFINITY;
        let mut moved = false;
        for _ in 0..iterations {
            self.cost.iterate();
            self.linearise(values, scratch, &mut jacobian);
            if scratch.step.iter().any(|r| !r.is_finite()) {
                return Err(BlockError::Undefined(self.unknowns.clone()));
            }
            if scratch.step.iter().all(|&r| r == 0.0) {
                return Ok(());
            }
            if careful {
                if !jacobian.is_finite() {
                    self.quotients(values, scratch, &mut jacobian);
                }
                self.scale(values, scratch, &jacobian);
            }
            let regular = jacobian.factor();
            if regular {
                jacobian.factors.solve(&mut scratch.step);
            } else if careful && !moved && self.leave_flat_places(values, scratch, &jacobian) {
                moved = true;
                continue;
            } else if !(careful && jacobian.least_squares(&mut scratch.step)) {
                return Err(BlockError::Singular(self.unknowns.clone()));
            }
            let mut largest = 0.0_f64;
            // In relation to small values, too: a flow of 1e-9 has digits of its own.
            let mut relative = 0.0_f64;
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                let value = values[slot as usize];
                largest = largest.max(step.abs() / (1.0 + value.abs()));
                let small = 1e-7 * scratch.nominal(slot).min(1.0);
                relative = relative.max(step.abs() / (small + (value - step).abs()));
            }
            if !largest.is_finite() {
                return Err(BlockError::Undefined(self.unknowns.clone()));
            }
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                values[slot as usize] -= step;
            }
            // Convergence is quadratic: after a step this small, the error is that of rounding.
            let settled = relative < 1e-5 || largest > 0.1 * last;
            if self.linear || largest < 1e-8 && regular && settled {
                return Ok(());
            }
            last = largest;
            if largest < 1e-12 {
                return Err(BlockError::Singular(self.unknowns.clone()));
            }
            if careful {
                self.shorten(values, scratch);
            }
        }
        Err(BlockError::Diverged(self.unknowns.clone()))
    }

    /// Moves unknowns on which an equation happens not to depend at this point by their usual size: in `m·|m| = dp` the flow
    /// cannot leave zero by a step of Newton's method. Whether there are any.
    fn leave_flat_places(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        jacobian: &Jacobian,
    ) -> bool {
        let mut any = false;
        for (column, &slot) in self.tears.iter().enumerate() {
            if jacobian
                .matrix
                .column(column)
                .any(|(_, slope)| slope == 0.0)
            {
                let size = scratch.nominal(slot);
                values[slot as usize] += if scratch.downwards { -size } else { size };
                any = true;
            }
        }
        scratch.flat_places += usize::from(any);
        any
    }

    /// Difference quotients instead of slopes that are infinite at a point, as that of a distance at zero. The
    /// residuals are in `scratch.step`.
    fn quotients(&self, values: &mut [f64], scratch: &mut Scratch, jacobian: &mut Jacobian) {
        for (column, &slot) in self.tears.iter().enumerate() {
            let value = values[slot as usize];
            let step = f64::EPSILON.sqrt() * value.abs().max(1.0);
            values[slot as usize] = value + step;
            self.residuals.run(values, &mut scratch.work);
            values[slot as usize] = value;
            for place in jacobian.matrix.starts[column]..jacobian.matrix.starts[column + 1] {
                let row = jacobian.matrix.rows[place];
                let there = self.residuals.output(&scratch.work, row);
                jacobian.set(place, (there - scratch.step[row]) / step);
            }
        }
    }

    /// The sizes of the rows' terms, in which their residuals are compared: forces on an area of 1e120 have a rounding of 1e100.
    fn scale(&self, values: &[f64], scratch: &mut Scratch, jacobian: &Jacobian) {
        let Scratch { scales, step, .. } = scratch;
        scales.clear();
        scales.resize(self.tears.len(), 0.0);
        for (column, &slot) in self.tears.iter().enumerate() {
            let size = 1.0 + values[slot as usize].abs();
            for (row, slope) in jacobian.matrix.column(column) {
                scales[row] = scales[row].max(slope.abs() * size);
            }
        }
        for scale in scales.iter_mut() {
            *scale = if *scale > 0.0 { scale.recip() } else { 1.0 };
        }
        let scaled = step
            .iter()
            .zip(&*scales)
            .map(|(r, scale)| (r * scale).abs());
        scratch.size = scaled.fold(0.0, f64::max);
    }

    /// Goes back along the last step, by halves, until the residuals are smaller than they were.
    fn shorten(&self, values: &mut [f64], scratch: &mut Scratch) {
        let n = self.tears.len();
        let size = scratch.size;
        let mut part = 1.0;
        for _ in 0..20 {
            self.residuals.run(values, &mut scratch.work);
            let now = (0..n).fold(0.0, |m: f64, i| {
                let r = self.residuals.output(&scratch.work, i).abs() * scratch.scales[i];
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
        }
    }
}

/// The Jacobian as a program, and the rows of its columns. O(unknowns · nodes).
fn written(graph: &mut Graph, outputs: Vec<Reg>, tears: &[u32]) -> (Slopes, Vec<Vec<usize>>) {
    let inputs: Vec<Reg> = tears.iter().map(|&slot| graph.input(slot)).collect();
    let jacobian = graph.derivatives(&outputs, &inputs);
    let mut regs = outputs;
    let mut columns = vec![Vec::new(); tears.len()];
    for (column, rows) in columns.iter_mut().enumerate() {
        for (row, entries) in jacobian.iter().enumerate() {
            if let Some(entry) = entries[column] {
                rows.push(row);
                regs.push(entry);
            }
        }
    }
    (Slopes::Written(Program::new(graph, &regs)), columns)
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}
