//! The order of computation in one mode with one choice of states.

use crate::block::{Block, BlockError, ModeValues, Scratch, solved_for};
use crate::branches::Branches;
use crate::jacobian::Coloured;
use crate::profile::{At, BlockCost, Cost};
use crate::tape::{Functions, Graph, Program, Reg, Unsupported};
use modeshift_mdae::sym::{Expr, VarRef};

/// Some equations with as many unknowns.
#[derive(Clone, Debug)]
pub struct Subsystem {
    pub residuals: Vec<Expr>,
    pub unknowns: Vec<VarRef>,
}

/// What a value must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Anything: nobody reads it.
    Nothing,
    /// A start value for what is solved next, if it is a number.
    Guess,
    Number,
    /// A Boolean, Integer or enumeration, which are exact up to [`WHOLE`].
    Whole,
}

/// Integers up to this size are told apart.
pub const WHOLE: f64 = 9_007_199_254_740_992.0;

impl Need {
    /// `failed`: a function that was called has no value.
    fn check(self, value: f64, failed: bool, unknown: VarRef) -> Result<(), BlockError> {
        if self == Self::Whole {
            // Neither is a number that is not there.
            if value.abs() <= WHOLE {
                return Ok(());
            }
            return Err(BlockError::Discrete(unknown, value));
        }
        // What a failed function leaves is an error even if nobody reads it.
        if !value.is_finite() && (self == Self::Number || failed) {
            return Err(BlockError::Undefined(vec![unknown]));
        }
        Ok(())
    }
}

/// A step of the computation.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "most steps are assignments")]
pub enum Task {
    /// Explicit assignments, one after the other.
    Assign {
        program: Program,
        slots: Vec<u32>,
        unknowns: Vec<VarRef>,
        needs: Vec<Need>,
        cost: Cost,
    },
    Solve(Box<Block>),
}

impl Task {
    pub(crate) fn run(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        match self {
            Self::Assign {
                program,
                slots,
                unknowns,
                needs,
                cost,
            } => cost.of(scratch.profiling, || {
                program.run(values, &mut scratch.work);
                for (i, &slot) in slots.iter().enumerate() {
                    let value = program.output(&scratch.work, i);
                    if needs[i] == Need::Guess && !value.is_finite() {
                        program.forget_trouble();
                        continue;
                    }
                    needs[i].check(value, scratch.work.call_failed(), unknowns[i])?;
                    values[slot as usize] = value;
                }
                Ok(())
            }),
            Self::Solve(block) => block.solve(values, scratch),
        }
    }

    /// Marks the slots that change when those that are marked do.
    pub(crate) fn spread(&self, moving: &mut [bool]) {
        match self {
            Self::Assign { program, slots, .. } => {
                let moved: Vec<bool> = slots.iter().map(|&slot| moving[slot as usize]).collect();
                let reached = program.reached(&|slot| moving[slot as usize], &moved);
                for (&slot, reached) in slots.iter().zip(reached) {
                    moving[slot as usize] |= reached;
                }
            }
            Self::Solve(block) => {
                let mut coupled = block.inputs().chain(block.outputs());
                if coupled.any(|slot| moving[slot as usize]) {
                    block
                        .outputs()
                        .for_each(|slot| moving[slot as usize] = true);
                }
            }
        }
    }

    /// What it cost so far.
    pub(crate) fn cost(&self, at: At) -> BlockCost {
        let (unknowns, iterated, cost) = match self {
            Self::Assign { unknowns, cost, .. } => (unknowns, None, cost),
            Self::Solve(block) => (&block.unknowns, Some(block.n_tears()), block.cost()),
        };
        BlockCost {
            at,
            unknowns: unknowns.clone(),
            iterated,
            runs: cost.runs(),
            iterations: cost.iterations(),
            time: cost.time(),
        }
    }
}

/// How all variables follow from time, states and what is held.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub(crate) tasks: Vec<Task>,
    /// The variables that are integrated, with the slots of their values and of their derivatives.
    pub states: Vec<VarRef>,
    pub state_slots: Vec<u32>,
    pub derivative_slots: Vec<u32>,
    pub n_slots: usize,
    /// Found when it is first needed.
    coloured: std::cell::OnceCell<Coloured>,
}

impl Plan {
    /// Compiles subsystems that are solved in the given order.
    pub fn new(
        functions: &Functions,
        values: &mut ModeValues<'_>,
        subsystems: &[Subsystem],
        states: Vec<VarRef>,
    ) -> Result<Self, Unsupported> {
        let mut builder = Builder::default();
        for subsystem in subsystems {
            builder.add(functions, values, subsystem)?;
        }
        builder.flush(values);
        let state_slots = states.iter().map(|&x| values.layout.slot(x)).collect();
        let derivative = |x: &VarRef| VarRef {
            order: x.order + 1,
            ..*x
        };
        let derivative_slots = states
            .iter()
            .map(|x| values.layout.slot(derivative(x)))
            .collect();
        Ok(Self {
            tasks: builder.tasks,
            states,
            state_slots,
            derivative_slots,
            n_slots: values.layout.len(),
            coloured: std::cell::OnceCell::new(),
        })
    }

    /// The branches of blocks that may have several solutions.
    pub(crate) fn branches(&self) -> impl Iterator<Item = &Branches> {
        self.tasks.iter().filter_map(|task| match task {
            Task::Assign { .. } => None,
            Task::Solve(block) => block.branches(),
        })
    }

    /// A plan of tasks that are there already. `states` come with the slots of values and derivatives.
    pub(crate) fn from_tasks(
        tasks: Vec<Task>,
        states: Vec<VarRef>,
        state_slots: Vec<u32>,
        derivative_slots: Vec<u32>,
        n_slots: usize,
    ) -> Self {
        Self {
            tasks,
            states,
            state_slots,
            derivative_slots,
            n_slots,
            coloured: std::cell::OnceCell::new(),
        }
    }

    /// Computes everything from the states in `values`.
    pub fn run(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        self.tasks
            .iter()
            .try_for_each(|task| task.run(values, scratch))
    }

    /// What its tasks cost so far.
    pub(crate) fn costs(&self) -> impl Iterator<Item = BlockCost> + '_ {
        self.tasks.iter().map(|task| task.cost(At::Steps))
    }

    /// The pattern of the Jacobian of the right-hand side.
    pub fn coloured(&self) -> &Coloured {
        self.coloured.get_or_init(|| Coloured::new(self))
    }

    /// Sizes of the systems that Newton's method solves.
    pub fn block_sizes(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.tasks.iter().filter_map(|task| match task {
            Task::Assign { .. } => None,
            Task::Solve(block) => Some((block.unknowns.len(), block.n_tears())),
        })
    }

    pub fn n_instructions(&self) -> usize {
        let size = |task: &Task| match task {
            Task::Assign { program, .. } => program.n_instructions(),
            Task::Solve(block) => block.n_instructions(),
        };
        self.tasks.iter().map(size).sum()
    }
}

#[derive(Default)]
struct Builder {
    tasks: Vec<Task>,
    graph: Graph,
    assigned: Vec<(VarRef, Reg)>,
}

impl Builder {
    fn add(
        &mut self,
        functions: &Functions,
        values: &mut ModeValues<'_>,
        subsystem: &Subsystem,
    ) -> Result<(), Unsupported> {
        if let ([residual], [x]) = (&subsystem.residuals[..], &subsystem.unknowns[..])
            && let Some(reg) = solved_for(&mut self.graph, functions, values, residual, *x, false)?
        {
            values.local.insert(*x, reg);
            self.assigned.push((*x, reg));
            return Ok(());
        }
        self.flush(values);
        let block = Block::new(functions, values, &subsystem.residuals, &subsystem.unknowns)?;
        self.tasks.push(Task::Solve(Box::new(block)));
        Ok(())
    }

    fn flush(&mut self, values: &mut ModeValues<'_>) {
        if self.assigned.is_empty() {
            return;
        }
        let regs: Vec<Reg> = self.assigned.iter().map(|(_, reg)| *reg).collect();
        let unknowns: Vec<VarRef> = self.assigned.drain(..).map(|(x, _)| x).collect();
        values.local.clear();
        self.tasks.push(Task::Assign {
            program: Program::new(&self.graph, &regs),
            slots: unknowns.iter().map(|&x| values.layout.slot(x)).collect(),
            needs: vec![Need::Number; unknowns.len()],
            cost: Cost::default(),
            unknowns,
        });
        self.graph = Graph::default();
    }
}
