//! Event capturing: implicit Euler with constraints that are relaxed where modes meet.
//!
//! After Rocca, Acary and Brogliato (*On discontinuous DAE: concept of solutions, numerical simulations, and a
//! case study well-posedness*): each step of fixed size solves the equations of some mode at its end,
//! derivatives replaced by difference quotients, and the conditions of the mode must hold there. Where a
//! condition changes, the point may also lie *on* the switching surface `h = 0`, with an equation between the
//! two of the adjacent modes, `(1 − λ) g₁ + λ g₂ = 0`, `λ ∈ [0, 1]` (the multivalued step operator, MSO). Of all
//! solutions the one nearest to the last point is taken.

use crate::block::{Block, ModeValues};
use crate::failure::{Failure, FailureKind, Place};
use crate::layout::TIME;
use crate::predicates::with_flips;
use crate::result::{Remark, Simulation, Statistics};
use crate::run::{Options, Progress};
use crate::simulator::Simulator;
use crate::tape::{Functions, Graph, Program};
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{EquationKind, MDae, ModeDef, ModeId, Predicate};
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, incidence, substitute, variables};
use modeshift_restart::change::Role;
use modeshift_restart::modes::Mode;
use std::rc::Rc;

/// More conditions than this are not combined.
const MAX_CONDITIONS: usize = 8;

/// A symbol for `1/h`.
const RATE: VarRef = VarRef::now(VarId(u32::MAX - 0x10_0000), 0);
/// A symbol for `λ`.
const BETWEEN: VarRef = VarRef::now(VarId(u32::MAX - 0x10_0001), 0);

/// Where a step may end: in a mode, or on the surface between two.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Region {
    mode: Mode,
    /// The condition whose surface the point lies on; `mode` is the one in which it does not hold.
    on: Option<ModeId>,
}

/// A region with its equations compiled.
struct Step {
    block: Block,
    /// Derivatives that follow from the unknowns, in increasing order.
    derivatives: Vec<VarRef>,
    /// For surfaces: `g₁`, `g₂` with their gradients by the states, and the gradient of `h`.
    geometry: Option<Geometry>,
}

struct Geometry {
    program: Program,
    constraints: usize,
    states: usize,
}

/// Which relaxations of the switching constraint hold a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Relaxations {
    /// Both constraints hold: the switching constraint is connected.
    pub scc: bool,
    /// A combination of the constraints holds.
    pub mso: bool,
    /// The point is between the two constraints.
    pub cch: bool,
}

/// Simulates with steps of fixed size.
pub fn capture(
    mdae: &MDae,
    functions: &Functions,
    options: &Options,
    progress: Progress<'_>,
) -> Simulation {
    let mut simulator = Simulator::new(mdae, &options.params, functions, options.start);
    simulator.drive(&options.inputs);
    let mut simulation = Simulation {
        trajectory: simulator.new_trajectory(),
        events: Vec::new(),
        statistics: Statistics::default(),
        remarks: Vec::new(),
        solver: "capture",
        failure: None,
        blocks: Vec::new(),
    };
    let mut run = Capture {
        simulator,
        steps: FxHashMap::default(),
        step: options.interval,
    };
    simulation.failure = run.go(options, &mut simulation, progress).err();
    simulation.statistics.modes = run.steps.len();
    simulation
}

struct Capture<'m> {
    simulator: Simulator<'m>,
    steps: FxHashMap<Region, Option<Rc<Step>>>,
    step: f64,
}

impl Capture<'_> {
    fn go(
        &mut self,
        options: &Options,
        simulation: &mut Simulation,
        progress: Progress<'_>,
    ) -> Result<(), Failure> {
        let not_long = |e: &modeshift_mdae::model::Equation| !matches!(e.kind, EquationKind::Long);
        if let Some(index) = self.simulator.mdae.equations.iter().position(not_long) {
            return Err(self.simulator.fail(FailureKind::NoCapture(index)));
        }
        self.simulator
            .start(options.start, &mut simulation.remarks)?;
        self.simulator.record(&mut simulation.trajectory);
        let mut region = Region {
            mode: self.simulator.mode.clone(),
            on: None,
        };
        let n = ((options.stop - options.start) / options.interval)
            .round()
            .max(1.0);
        self.step = (options.stop - options.start) / n;
        self.simulator.set_value(RATE, 1.0 / self.step);
        for k in 1..=n as usize {
            let time = options.start + k as f64 * self.step;
            let before = region.clone();
            region = self.advance(time, region)?;
            simulation.statistics.steps += 1;
            if let Some(on) = region.on
                && before.on != Some(on)
            {
                let relaxations = self.relaxations(&region);
                simulation.remarks.push(Remark::Relaxed {
                    time,
                    guard: on,
                    relaxations,
                });
            }
            self.simulator.mode = region.mode.clone();
            self.simulator.truth = self.simulator.mdae.conds.evaluate(&region.mode);
            self.simulator.record(&mut simulation.trajectory);
            progress(k as f64 / n);
        }
        Ok(())
    }

    /// One step: the nearest of all solutions.
    fn advance(&mut self, time: f64, from: Region) -> Result<Region, Failure> {
        let regions = self.regions(&from);
        // Compiling tells which left limits are needed.
        for region in &regions {
            self.compiled(region)?;
        }
        self.simulator.keep_left_limits();
        self.simulator.values[TIME as usize] = time;
        let start = self.simulator.values.clone();
        let mut best: Option<(f64, Vec<f64>, Region)> = None;
        for region in regions {
            self.simulator.values.clone_from(&start);
            self.simulator.grow();
            let Some(step) = self.compiled(&region)? else {
                continue;
            };
            if !self.solve(&step) || !self.fits(&region)? {
                continue;
            }
            let distance = self.distance(&step);
            // Of equally near solutions the one in the last region, which comes first.
            if best.as_ref().is_none_or(|b| distance < b.0 * (1.0 - 1e-9)) {
                best = Some((distance, self.simulator.values.clone(), region));
            }
        }
        match best {
            Some((_, values, region)) => {
                self.simulator.values = values;
                self.simulator.grow();
                Ok(region)
            }
            None => {
                self.simulator.values = start;
                let flipping = self.conditions();
                Err(self.simulator.fail(FailureKind::NoMode {
                    flipping,
                    rounds: 1,
                }))
            }
        }
    }

    /// The conditions that decide.
    fn conditions(&self) -> Vec<ModeId> {
        let predicates = self.simulator.mdae.modes.iter_enumerated();
        predicates
            .filter(|(_, m)| matches!(m.def, ModeDef::Predicate(_)))
            .map(|(id, _)| id)
            .take(MAX_CONDITIONS)
            .collect()
    }

    /// Where the step may end: all valuations of the conditions, and the surfaces between them; the region
    /// it comes from first.
    fn regions(&self, from: &Region) -> Vec<Region> {
        let conditions = self.conditions();
        let mut list = vec![from.clone()];
        for bits in 0..1_usize << conditions.len() {
            let flips: Vec<(ModeId, bool)> = conditions
                .iter()
                .enumerate()
                .map(|(i, &id)| (id, bits >> i & 1 == 1))
                .collect();
            let mut mode = with_flips(&from.mode, &flips);
            self.simulator.settle(&mut mode);
            let region = Region {
                mode: mode.clone(),
                on: None,
            };
            if !list.contains(&region) {
                list.push(region);
            }
            for &id in conditions.iter().filter(|id| !mode[id.index()]) {
                let on = Region {
                    mode: mode.clone(),
                    on: Some(id),
                };
                if !list.contains(&on) {
                    list.push(on);
                }
            }
        }
        list
    }

    fn predicate(&self, id: ModeId) -> Option<&Predicate> {
        match &self.simulator.mdae.modes[id].def {
            ModeDef::Predicate(predicate) => Some(predicate),
            _ => None,
        }
    }

    /// The residuals of a mode by the number of their equation.
    fn residuals(&mut self, mode: &Mode) -> Vec<(usize, Expr)> {
        let variants = self.simulator.modes.enabled(mode);
        let equations = self.simulator.modes.mode_equations(&variants);
        equations
            .into_iter()
            .map(|e| (e.source, e.residual))
            .collect()
    }

    fn compiled(&mut self, region: &Region) -> Result<Option<Rc<Step>>, Failure> {
        if let Some(known) = self.steps.get(region) {
            return Ok(known.clone());
        }
        let step = self.compile(region)?.map(Rc::new);
        self.steps.insert(region.clone(), step.clone());
        Ok(step)
    }

    /// `None` where the numbers of equations and unknowns of a mode differ, or where nothing changes at a surface.
    fn compile(&mut self, region: &Region) -> Result<Option<Step>, Failure> {
        let mut list = self.residuals(&region.mode);
        let mut changed = Vec::new();
        let mut surface = None;
        if let Some(id) = region.on {
            let mut other = with_flips(&region.mode, &[(id, true)]);
            self.simulator.settle(&mut other);
            let others = self.residuals(&other);
            let Some(function) = self.predicate(id).map(|p| p.lhs.sub(&p.rhs)) else {
                return Ok(None);
            };
            let function = self.simulator.modes.elimination.apply(&function);
            changed = combine(&mut list, &others);
            if changed.is_empty() || list.len() != others.len() {
                return Ok(None);
            }
            list.push((usize::MAX, function.clone()));
            surface = Some(function);
        }
        let roles = self.simulator.modes.roles.clone();
        let is_unknown = |var: VarId| {
            roles
                .get(var.0 as usize)
                .is_some_and(|role| matches!(role, Role::Unknown | Role::Discrete))
        };
        let mut orders: FxHashMap<VarId, u32> = FxHashMap::default();
        for (_, residual) in &list {
            for (var, order) in incidence(residual) {
                if is_unknown(var) {
                    let known = orders.entry(var).or_insert(0);
                    *known = (*known).max(order);
                }
            }
        }
        let mut unknowns: Vec<VarRef> = orders.keys().map(|&var| VarRef::now(var, 0)).collect();
        unknowns.sort_unstable();
        let mut derivatives: Vec<VarRef> = orders
            .iter()
            .flat_map(|(&var, &order)| (1..=order).map(move |m| VarRef::now(var, m)))
            .collect();
        derivatives.sort_unstable_by_key(|o| (o.order, o.var));
        if region.on.is_some() {
            unknowns.push(BETWEEN);
        }
        if unknowns.len() != list.len() {
            return Ok(None);
        }
        let residuals: Vec<Expr> = list
            .iter()
            .map(|(_, e)| discretised(e, &is_unknown))
            .collect();
        let truth = self.simulator.mdae.conds.evaluate(&region.mode);
        let mut values = ModeValues {
            layout: &mut self.simulator.layout,
            params: &self.simulator.params,
            truth: &truth,
            local: FxHashMap::default(),
        };
        for &o in &derivatives {
            values.layout.slot(o);
            values.layout.slot(VarRef {
                order: o.order - 1,
                at: At::Left,
                ..o
            });
        }
        let functions = self.simulator.functions;
        let block = Block::new(functions, &mut values, &residuals, &unknowns);
        let geometry = match &surface {
            Some(function) => geometry(functions, &mut values, &changed, function, &derivatives),
            None => Ok(None),
        };
        self.simulator.grow();
        let failed = |what| {
            let place = Place::Equation(list.first().map_or(0, |(source, _)| *source));
            self.simulator.fail(FailureKind::Unsupported(what, place))
        };
        let (block, geometry) = (block.map_err(failed)?, geometry.map_err(failed)?);
        Ok(Some(Step {
            block,
            derivatives,
            geometry,
        }))
    }

    fn solve(&mut self, step: &Step) -> bool {
        self.simulator.set_value(BETWEEN, 0.5);
        let mut scratch = std::mem::take(&mut self.simulator.scratch);
        let solved = step
            .block
            .solve(&mut self.simulator.values, &mut scratch)
            .is_ok();
        self.simulator.scratch = scratch;
        if solved {
            for &o in &step.derivatives {
                let lower = VarRef {
                    order: o.order - 1,
                    ..o
                };
                let left = VarRef {
                    at: At::Left,
                    ..lower
                };
                let slope = (self.simulator.value(lower) - self.simulator.value(left)) / self.step;
                self.simulator.set_value(o, slope);
            }
        }
        solved
    }

    /// Whether the conditions of the region hold at the end of the step.
    fn fits(&mut self, region: &Region) -> Result<bool, Failure> {
        if region.on.is_some() {
            let between = self.simulator.value(BETWEEN);
            if !(-1e-9..=1.0 + 1e-9).contains(&between) {
                return Ok(false);
            }
        }
        self.simulator.mode = region.mode.clone();
        let compiled = self.simulator.watched_only()?;
        let mut excess = Vec::new();
        self.simulator.excesses(&compiled, &mut excess);
        Ok((0..excess.len()).all(|i| excess[i] <= 0.0 || Some(compiled.mode(i)) == region.on))
    }

    /// How far the differentiated variables moved.
    fn distance(&self, step: &Step) -> f64 {
        let mut sum = 0.0;
        for o in step.derivatives.iter().filter(|o| o.order == 1) {
            let slope = self.simulator.value(*o) * self.step;
            sum += slope * slope;
        }
        sum.sqrt()
    }

    /// Which relaxations hold the point that was reached.
    fn relaxations(&mut self, region: &Region) -> Relaxations {
        let Ok(Some(step)) = self.compiled(region) else {
            return Relaxations::default();
        };
        let Some(geometry) = &step.geometry else {
            return Relaxations::default();
        };
        geometry.relaxations(&self.simulator.values, &mut self.simulator.scratch.work)
    }
}

/// Replaces residuals that differ by their combination; the pairs that differ.
fn combine(list: &mut [(usize, Expr)], others: &[(usize, Expr)]) -> Vec<(Expr, Expr)> {
    // Equations of the two modes that have no counterpart are taken in their order.
    let common: Vec<&(usize, Expr)> = others.iter().filter(|o| list.contains(o)).collect();
    let mut rest = others.iter().filter(|o| !common.contains(o));
    let mut changed = Vec::new();
    for entry in list.iter_mut() {
        if others.contains(entry) {
            continue;
        }
        let Some((_, other)) = rest.next() else {
            return Vec::new();
        };
        let between = Expr::var_ref(BETWEEN);
        let first = Expr::one().sub(&between).mul(&entry.1);
        let combined = first.add(&between.mul(other));
        changed.push((entry.1.clone(), other.clone()));
        entry.1 = combined;
    }
    changed
}

/// `x^(m)` at the end of the step as a difference quotient; `x^(m)` at its start is the left limit.
fn discretised(residual: &Expr, is_unknown: &dyn Fn(VarId) -> bool) -> Expr {
    fn quotient(var: VarId, order: u32) -> Expr {
        if order == 0 {
            return Expr::var(var);
        }
        let left = Expr::var_ref(VarRef::left(var, order - 1));
        quotient(var, order - 1)
            .sub(&left)
            .mul(&Expr::var_ref(RATE))
    }
    substitute(residual, &mut |o| {
        (o.at == At::Now && o.order > 0 && is_unknown(o.var)).then(|| quotient(o.var, o.order))
    })
}

fn geometry(
    functions: &Functions,
    values: &mut ModeValues<'_>,
    changed: &[(Expr, Expr)],
    surface: &Expr,
    derivatives: &[VarRef],
) -> Result<Option<Geometry>, crate::tape::Unsupported> {
    let reads_states_only = |e: &Expr| variables(e).iter().all(|o| o.order == 0);
    let only = changed
        .iter()
        .all(|(a, b)| reads_states_only(a) && reads_states_only(b));
    if !only || !reads_states_only(surface) {
        return Ok(None);
    }
    let mut exprs = Vec::new();
    for (a, b) in changed {
        exprs.extend([a.clone(), b.clone()]);
    }
    exprs.push(surface.clone());
    let mut graph = Graph::default();
    let regs = crate::block::compile(&mut graph, functions, values, &exprs)?;
    let states: Vec<u32> = derivatives
        .iter()
        .filter(|o| o.order == 1)
        .map(|o| graph.input(values.layout.slot(VarRef::now(o.var, 0))))
        .collect();
    let zero = graph.constant(0.0);
    let mut outputs = regs.clone();
    for row in graph.derivatives(&regs, &states) {
        outputs.extend(row.into_iter().map(|entry| entry.unwrap_or(zero)));
    }
    Ok(Some(Geometry {
        program: Program::new(&graph, &outputs),
        constraints: changed.len(),
        states: states.len(),
    }))
}

impl Geometry {
    fn relaxations(&self, values: &[f64], work: &mut crate::tape::Work) -> Relaxations {
        self.program.run(values, work);
        let out = |i: usize| self.program.output(work, i);
        let n = self.states;
        let rows = 2 * self.constraints + 1;
        let gradient =
            |row: usize| -> Vec<f64> { (0..n).map(|k| out(rows + row * n + k)).collect() };
        let normal = gradient(rows - 1);
        let scc = (0..rows - 1).all(|i| out(i).abs() < 1e-9);
        let cch = (0..self.constraints).all(|i| {
            let along = [gradient(2 * i), gradient(2 * i + 1)].map(|g| tangential(&g, &normal));
            between(&along, [out(2 * i), out(2 * i + 1)])
        });
        Relaxations {
            scc,
            mso: true,
            cch,
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The part of a gradient that lies in the surface.
fn tangential(gradient: &[f64], normal: &[f64]) -> Vec<f64> {
    let size = dot(normal, normal);
    if size == 0.0 {
        return gradient.to_vec();
    }
    let factor = dot(gradient, normal) / size;
    gradient
        .iter()
        .zip(normal)
        .map(|(g, n)| g - factor * n)
        .collect()
}

/// Whether a point of the surface is in the convex hull of the two constraints there: between them if they are
/// parallel, always if they cross.
fn between(gradients: &[Vec<f64>; 2], values: [f64; 2]) -> bool {
    let [a, b] = gradients;
    let (na, nb) = (dot(a, a).sqrt(), dot(b, b).sqrt());
    if na < 1e-12 || nb < 1e-12 {
        return values.iter().any(|v| v.abs() < 1e-9);
    }
    let cosine = dot(a, b) / (na * nb);
    if cosine.abs() < 1.0 - 1e-9 {
        return true;
    }
    // Distances along one direction.
    let (first, second) = (values[0] / na, values[1] / nb * cosine.signum());
    first * second <= 1e-12
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn a_point_between_parallel_constraints_is_in_their_hull() {
        // x2 = −1 and x2 = 1, written as −1 − x2 and 1 − x2, at x2 = 0.5 and at x2 = 2.
        let gradients = [vec![0.0, -1.0], vec![0.0, -1.0]];
        assert!(between(&gradients, [-1.5, 0.5]));
        assert!(!between(&gradients, [-3.0, -1.0]));
        // The sign in which a constraint is written does not matter.
        let turned = [vec![0.0, 1.0], vec![0.0, -1.0]];
        assert!(between(&turned, [1.5, 0.5]));
    }

    #[test]
    fn constraints_that_cross_span_the_whole_surface() {
        assert!(between(&[vec![1.0, 0.0], vec![1.0, 1.0]], [5.0, 7.0]));
    }
}
