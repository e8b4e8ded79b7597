//! Restart systems as compiled code: what a simulation hands to the one solver of restarts.

use crate::block::{ModeValues, compile};
use crate::failure::{Failure, FailureKind, Place};
use crate::result::Impulse;
use crate::simulator::Simulator;
use crate::tape::{Graph, Program, Unsupported, Work};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{EvalError, Expr, VarId, VarRef, substitute};
use modeshift_restart::names::order_text;
use modeshift_restart::newton::{Evaluator, SolveError, Solver};
use modeshift_restart::parts::{Part, PartKey};
use modeshift_restart::verdict::Analysis;
use std::rc::Rc;

/// Restart systems that were needed so far.
#[derive(Default)]
pub struct RestartCache {
    pub parts: FxHashMap<PartKey, Rc<Prepared>>,
}

/// The restart of one part, compiled.
pub struct Prepared {
    pub part: Part,
    pub analysis: Analysis,
    solver: Solver,
    /// Gives the residuals, then the entries of the Jacobian by rows.
    program: Program,
    /// The slots of the unknowns.
    slots: Vec<u32>,
    /// The other slots that the program reads.
    given: Vec<u32>,
}

/// A symbol for an unknown of a restart system, which is no variable of the model.
fn unknown_symbol(index: usize) -> VarRef {
    VarRef::now(VarId(u32::MAX - index as u32), 0)
}

impl Prepared {
    /// Compiles the restart system of a part.
    pub fn new(
        simulator: &mut Simulator<'_>,
        part: Part,
        analysis: Analysis,
    ) -> Result<Self, Failure> {
        let solver = Solver::new(&analysis.system);
        let compiled = Self::compiled(simulator, &part, &analysis, &solver);
        let (program, slots) = compiled.map_err(|what| {
            let equation = part.sources.first().map_or(0, |id| id.index());
            simulator.fail(FailureKind::Unsupported(what, Place::Equation(equation)))
        })?;
        simulator.grow();
        let own: FxHashSet<u32> = slots.iter().copied().collect();
        let given = program.inputs().iter().copied();
        Ok(Self {
            given: given.filter(|slot| !own.contains(slot)).collect(),
            part,
            analysis,
            solver,
            program,
            slots,
        })
    }

    fn compiled(
        simulator: &mut Simulator<'_>,
        part: &Part,
        analysis: &Analysis,
        solver: &Solver,
    ) -> Result<(Program, Vec<u32>), Unsupported> {
        let system = &analysis.system;
        let in_model = |o: VarRef| match o.var.0.checked_sub(system.base) {
            Some(index) => unknown_symbol(index as usize),
            None => VarRef {
                var: part.vars[o.var.0 as usize],
                ..o
            },
        };
        let equations = system.equations.iter();
        let residuals: Vec<Expr> = equations
            .map(|e| substitute(&e.residual, &mut |o| Some(Expr::var_ref(in_model(o)))))
            .collect();
        let unknowns = 0..system.unknowns.len();
        let layout = &mut simulator.layout;
        let slots: Vec<u32> = unknowns.map(|i| layout.slot(unknown_symbol(i))).collect();
        let mut values = ModeValues {
            layout,
            params: &simulator.params,
            truth: &simulator.truth,
            local: FxHashMap::default(),
        };
        let mut graph = Graph::default();
        let mut outputs = compile(&mut graph, simulator.functions, &mut values, &residuals)?;
        let by: Vec<_> = slots.iter().map(|&slot| graph.input(slot)).collect();
        let slopes = graph.derivatives(&outputs, &by);
        let zero = graph.constant(0.0);
        for (row, entries) in solver.jacobian().iter().zip(&slopes) {
            outputs.extend(
                row.iter()
                    .map(|(column, _)| entries[*column].unwrap_or(zero)),
            );
        }
        Ok((Program::new(&graph, &outputs), slots))
    }

    /// Solves the restart for the left limits in the simulator's slots, and puts right limits in their place.
    pub fn solve(&self, simulator: &mut Simulator<'_>, impulses: &mut Vec<Impulse>) -> bool {
        let system = &self.analysis.system;
        if system.unknowns.is_empty() {
            return true;
        }
        let in_model = |o: VarRef| VarRef::now(self.part.vars[o.var.0 as usize], o.order);
        let starts: FxHashMap<VarRef, f64> = system
            .unknowns
            .iter()
            .map(|unknown| {
                let left = VarRef::left(unknown.cell.var, unknown.cell.order);
                (left, simulator.value(in_model(left)))
            })
            .collect();
        let given = self.given.iter();
        let given = given.map(|&slot| simulator.values[slot as usize].abs());
        let scale = given.fold(0.0, f64::max);
        let mut compiled = Compiled {
            prepared: self,
            values: &mut simulator.values,
            work: &mut simulator.scratch.work,
        };
        let left = |o: VarRef| starts.get(&o).copied();
        let Ok(solution) = self.solver.solve(&mut compiled, left, scale) else {
            return false;
        };
        let told = system.told(&self.analysis.impulsive, &solution.values);
        for (o, value) in told.right {
            simulator.set_value(in_model(o), value);
        }
        impulses.extend(told.weights.into_iter().map(|(o, weight)| Impulse {
            variable: in_model(o),
            order: order_text(weight.order),
            degree: *weight.order.numer() as f64 / *weight.order.denom() as f64,
            weight: weight.value,
        }));
        true
    }
}

/// The program of a restart on the values of a run.
struct Compiled<'a> {
    prepared: &'a Prepared,
    values: &'a mut Vec<f64>,
    work: &'a mut Work,
}

impl Compiled<'_> {
    fn run(&mut self, x: &[f64]) -> Result<(), SolveError> {
        for (&slot, value) in self.prepared.slots.iter().zip(x) {
            self.values[slot as usize] = *value;
        }
        self.prepared.program.run(self.values, self.work);
        match self.work.call_failed() {
            true => Err(SolveError::Evaluate(EvalError::Undefined)),
            false => Ok(()),
        }
    }

    fn outputs(&self, range: std::ops::Range<usize>) -> Result<Vec<f64>, SolveError> {
        let program = &self.prepared.program;
        let values: Vec<f64> = range.map(|i| program.output(self.work, i)).collect();
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(SolveError::Evaluate(EvalError::Undefined)),
        }
    }
}

impl Evaluator for Compiled<'_> {
    fn residuals(&mut self, x: &[f64]) -> Result<Vec<f64>, SolveError> {
        self.run(x)?;
        self.outputs(0..x.len())
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Vec<Vec<f64>>, SolveError> {
        self.run(x)?;
        let mut from = x.len();
        let rows = self.prepared.solver.jacobian().iter();
        rows.map(|row| {
            let range = from..from + row.len();
            from = range.end;
            self.outputs(range)
        })
        .collect()
    }
}
