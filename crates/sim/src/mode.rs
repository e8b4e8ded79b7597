//! One mode as a simulator needs it: index-reduced equations in block triangular form, states chosen by
//! dummy derivatives.
//!
//! With the offsets `c`, `d` of the Sigma-method, stage `j` determines the derivatives `x^(d−j)` from the
//! equations `f^(c−j)`. Stage 0 is the leading system, which is square; the others have fewer equations than
//! unknowns, and as many unknowns as there are equations are *dummies*, computed; the rest are states. Within
//! a block of the triangular form the dummies of stage `j+1` are among those of stage `j` (Mattsson and
//! Söderlind, *Index reduction in differential-algebraic equations using dummy derivatives*, 1993).

use crate::block::{ModeValues, Scratch, compile};
use crate::layout::Layout;
use crate::plan::{Plan, Subsystem};
use crate::profile::BlockCost;
use crate::tape::{Functions, Graph, Program, Unsupported};
use modeshift_algebra::independent_columns;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{Expr, ParamId, VarId, VarRef, incidence, time_derivative, variables};
use modeshift_restart::change::{ModeEquation, Role};
use modeshift_structure::{self as structure, SigmaMatrix, sigma_method};
use std::rc::Rc;

/// What compiling a mode needs to know about the model.
pub struct Context<'a> {
    pub layout: &'a mut Layout,
    pub params: &'a FxHashMap<ParamId, f64>,
    pub functions: &'a Functions,
    pub truth: &'a [bool],
    /// By variable: how gladly it is a dummy.
    pub weight: &'a [f64],
    /// By variable.
    pub roles: &'a [Role],
}

impl Context<'_> {
    fn is_unknown(&self, var: VarId) -> bool {
        matches!(self.roles[var.0 as usize], Role::Unknown | Role::Discrete)
    }

    /// Whether the derivative is zero between events.
    fn is_constant(&self, var: VarId) -> bool {
        matches!(self.roles[var.0 as usize], Role::Held | Role::Discrete)
    }

    fn values(&mut self) -> ModeValues<'_> {
        ModeValues {
            layout: self.layout,
            params: self.params,
            truth: self.truth,
            local: FxHashMap::default(),
        }
    }
}

/// Why a mode cannot be simulated.
#[derive(Clone, PartialEq, Debug)]
pub enum ModeError {
    /// No square matched system: numbers of the equations in the model.
    Singular(Vec<usize>),
    Unsupported(Unsupported, usize),
    /// The constraints are dependent at the current values: no choice of states.
    NoStates(Vec<VarRef>),
}

/// A diagonal block of the leading system.
#[derive(Clone, Debug)]
struct Shape {
    rows: Vec<usize>,
    columns: Vec<VarId>,
    selection: Option<Selector>,
}

/// What decides which columns of a block are dummies.
#[derive(Clone, Debug)]
struct Selector {
    /// `∂f^(c)/∂x^(d)` for the rows with `c ≥ 1`.
    program: Program,
    pattern: Vec<(usize, usize)>,
    rows: Vec<usize>,
    columns: Vec<VarId>,
    constant: bool,
}

/// The dummies: by block and stage (from 1).
type Dummies = Vec<Vec<Vec<VarId>>>;

pub struct ModeProgram {
    /// Numbers of the equations in the model.
    sources: Vec<usize>,
    c: Vec<u32>,
    /// By variable that occurs.
    pub d: FxHashMap<VarId, u32>,
    /// In the order of the equations: occurring unknowns.
    pub unknowns: Vec<VarId>,
    /// By row, the derivatives `0..=c`.
    derivatives: Vec<Vec<Expr>>,
    shapes: Vec<Shape>,
    plans: FxHashMap<Dummies, Rc<Plan>>,
}

impl ModeProgram {
    /// What its blocks cost so far.
    pub fn costs(&self) -> Vec<BlockCost> {
        self.plans.values().flat_map(|plan| plan.costs()).collect()
    }

    pub fn new(context: &mut Context<'_>, equations: &[ModeEquation]) -> Result<Self, ModeError> {
        let mut columns: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut unknowns = Vec::new();
        let mut entries = Vec::new();
        for (row, equation) in equations.iter().enumerate() {
            for (var, sigma) in incidence(&equation.residual) {
                if !context.is_unknown(var) {
                    continue;
                }
                let column = *columns.entry(var).or_insert_with(|| {
                    unknowns.push(var);
                    unknowns.len() - 1
                });
                let f = structure::EqId::new(row);
                entries.push((f, structure::VarId(column as u32), sigma as i32));
            }
        }
        let sources: Vec<usize> = equations.iter().map(|e| e.source).collect();
        let matrix = SigmaMatrix::from_entries(equations.len(), unknowns.len(), &entries);
        let Some(offsets) = (equations.len() == unknowns.len())
            .then(|| sigma_method(&matrix))
            .flatten()
        else {
            return Err(ModeError::Singular(sources));
        };
        let c: Vec<u32> = offsets.c.iter().map(|&c| c as u32).collect();
        let d: FxHashMap<VarId, u32> = unknowns
            .iter()
            .zip(&offsets.d)
            .map(|(&var, &d)| (var, d as u32))
            .collect();
        let derivatives = equations
            .iter()
            .zip(&c)
            .map(|(equation, &c)| derivatives(context, &equation.residual, c))
            .collect();
        let mut this = Self {
            sources,
            c,
            d,
            derivatives,
            shapes: Vec::new(),
            plans: FxHashMap::default(),
            unknowns,
        };
        for block in offsets.leading_blocks(&matrix).iter() {
            let rows: Vec<usize> = block.equations.iter().map(|f| f.index()).collect();
            let columns = block.variables.iter();
            let columns = columns.map(|x| this.unknowns[x.index()]).collect();
            let shape = this.shape(context, rows, columns)?;
            this.shapes.push(shape);
        }
        Ok(this)
    }

    fn shape(
        &self,
        context: &mut Context<'_>,
        rows: Vec<usize>,
        columns: Vec<VarId>,
    ) -> Result<Shape, ModeError> {
        let latent: Vec<usize> = rows.iter().copied().filter(|&f| self.c[f] > 0).collect();
        if latent.is_empty() {
            return Ok(Shape {
                rows,
                columns,
                selection: None,
            });
        }
        let candidates: Vec<VarId> = columns.iter().copied().filter(|x| self.d[x] > 0).collect();
        let exprs: Vec<Expr> = latent
            .iter()
            .map(|&f| self.derivatives[f][self.c[f] as usize].clone())
            .collect();
        let mut graph = Graph::default();
        let functions = context.functions;
        let mut values = context.values();
        let regs = compile(&mut graph, functions, &mut values, &exprs)
            .map_err(|what| ModeError::Unsupported(what, self.sources[latent[0]]))?;
        let inputs: Vec<u32> = candidates
            .iter()
            .map(|&x| graph.input(values.layout.slot(VarRef::now(x, self.d[&x]))))
            .collect();
        let mut pattern = Vec::new();
        let mut outputs = Vec::new();
        for (row, entries) in graph.derivatives(&regs, &inputs).iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                if let Some(entry) = *entry {
                    pattern.push((row, column));
                    outputs.push(entry);
                }
            }
        }
        let constant = outputs.iter().all(|&reg| graph.value(reg).is_some());
        let selector = Selector {
            program: Program::new(&graph, &outputs),
            pattern,
            rows: latent,
            columns: candidates,
            constant,
        };
        Ok(Shape {
            rows,
            columns,
            selection: Some(selector),
        })
    }

    /// The occurrences that a mode determines: `x^(0..=d)`.
    pub fn occurrences(&self) -> impl Iterator<Item = VarRef> + '_ {
        self.unknowns
            .iter()
            .flat_map(|&x| (0..=self.d[&x]).map(move |order| VarRef::now(x, order)))
    }

    /// The consistency equations `f^(k), k < c`, with the number of their equation.
    pub fn constraints(&self) -> impl Iterator<Item = (usize, &Expr)> + '_ {
        (0..self.c.len()).flat_map(move |f| {
            let list = &self.derivatives[f][..self.c[f] as usize];
            list.iter().map(move |expr| (self.sources[f], expr))
        })
    }

    /// All equations with their derivatives up to `c`.
    pub fn completion(&self) -> impl Iterator<Item = &Expr> + '_ {
        self.derivatives.iter().flatten()
    }

    pub fn degrees_of_freedom(&self) -> usize {
        let d: u32 = self.unknowns.iter().map(|x| self.d[x]).sum();
        (d - self.c.iter().sum::<u32>()) as usize
    }

    /// The dummies that are best at the current values, and how much worse the current ones are: the ratio of
    /// their smallest pivots, 1 for the best choice.
    fn choose(
        &self,
        context_weight: &[f64],
        values: &[f64],
        scratch: &mut Scratch,
    ) -> Result<Dummies, ModeError> {
        let mut all = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            all.push(match &shape.selection {
                None => Vec::new(),
                Some(selector) => self.choose_block(selector, context_weight, values, scratch)?,
            });
        }
        Ok(all)
    }

    fn choose_block(
        &self,
        selector: &Selector,
        weight: &[f64],
        values: &[f64],
        scratch: &mut Scratch,
    ) -> Result<Vec<Vec<VarId>>, ModeError> {
        let matrix = selector.matrix(values, scratch);
        let mut columns: Vec<usize> = (0..selector.columns.len()).collect();
        let mut stages = Vec::new();
        for stage in 1.. {
            let rows: Vec<usize> = (0..selector.rows.len())
                .filter(|&row| self.c[selector.rows[row]] >= stage)
                .collect();
            if rows.is_empty() {
                break;
            }
            columns.retain(|&x| self.d[&selector.columns[x]] >= stage);
            let part: Vec<Vec<f64>> = rows
                .iter()
                .map(|&row| columns.iter().map(|&x| matrix[row][x]).collect())
                .collect();
            let weights: Vec<f64> = columns
                .iter()
                .map(|&x| weight[selector.columns[x].0 as usize])
                .collect();
            let Some((chosen, _)) = independent_columns(&part, &weights) else {
                let stuck = selector
                    .columns
                    .iter()
                    .map(|&x| VarRef::now(x, self.d[&x] - 1));
                return Err(ModeError::NoStates(stuck.collect()));
            };
            columns = chosen.into_iter().map(|i| columns[i]).collect();
            columns.sort_unstable();
            stages.push(columns.iter().map(|&x| selector.columns[x]).collect());
        }
        Ok(stages)
    }

    /// Whether the dummies of a plan are still a good choice.
    pub fn is_good(&self, dummies: &Dummies, values: &[f64], scratch: &mut Scratch) -> bool {
        self.shapes.iter().zip(dummies).all(|(shape, stages)| {
            let Some(selector) = &shape.selection else {
                return true;
            };
            if selector.constant {
                return true;
            }
            let matrix = selector.matrix(values, scratch);
            stages.iter().enumerate().all(|(stage, dummies)| {
                let rows = || {
                    let rows = (0..selector.rows.len()).map(|i| (i, selector.rows[i]));
                    rows.filter(|&(_, f)| self.c[f] as usize > stage)
                };
                let smallest = |allowed: &dyn Fn(VarId) -> bool| {
                    let columns: Vec<usize> = (0..selector.columns.len())
                        .filter(|&x| allowed(selector.columns[x]))
                        .collect();
                    let part: Vec<Vec<f64>> = rows()
                        .map(|(row, _)| columns.iter().map(|&x| matrix[row][x]).collect())
                        .collect();
                    independent_columns(&part, &vec![1.0; columns.len()]).map_or(0.0, |r| r.1)
                };
                let best = smallest(&|x| self.d[&x] as usize > stage);
                smallest(&|x| dummies.contains(&x)) >= 0.25 * best
            })
        })
    }

    /// Whether the choice of states can ever become a bad one.
    pub fn needs_watching(&self) -> bool {
        let moving = |shape: &Shape| shape.selection.as_ref().is_some_and(|s| !s.constant);
        self.shapes.iter().any(moving)
    }

    /// The plan for the states that are best at `values`.
    pub fn plan(
        &mut self,
        context: &mut Context<'_>,
        values: &[f64],
        scratch: &mut Scratch,
    ) -> Result<(Rc<Plan>, Dummies), ModeError> {
        let dummies = self.choose(context.weight, values, scratch)?;
        if let Some(plan) = self.plans.get(&dummies) {
            return Ok((plan.clone(), dummies));
        }
        let plan = Rc::new(self.build(context, &dummies)?);
        self.plans.insert(dummies.clone(), plan.clone());
        Ok((plan, dummies))
    }

    fn build(&self, context: &mut Context<'_>, dummies: &Dummies) -> Result<Plan, ModeError> {
        let deepest = self.c.iter().copied().max().unwrap_or(0);
        let mut subsystems = Vec::new();
        for stage in (0..=deepest).rev() {
            for (shape, stages) in self.shapes.iter().zip(dummies) {
                let rows = shape.rows.iter().filter(|&&f| self.c[f] >= stage);
                let residuals: Vec<Expr> = rows
                    .map(|&f| self.derivatives[f][(self.c[f] - stage) as usize].clone())
                    .collect();
                if residuals.is_empty() {
                    continue;
                }
                let columns: &[VarId] = match stage {
                    0 => &shape.columns,
                    _ => stages.get(stage as usize - 1).map_or(&[], Vec::as_slice),
                };
                let unknowns = columns
                    .iter()
                    .map(|&x| VarRef::now(x, self.d[&x] - stage))
                    .collect();
                subsystems.push(Subsystem {
                    residuals,
                    unknowns,
                });
            }
        }
        let mut computed: FxHashSet<(VarId, u32)> = FxHashSet::default();
        for (i, list) in dummies.iter().flat_map(|stages| stages.iter().enumerate()) {
            computed.extend(list.iter().map(|&x| (x, self.d[&x] - i as u32 - 1)));
        }
        let is_dummy = |x: VarId, order: u32| computed.contains(&(x, order));
        let states = self
            .unknowns
            .iter()
            .flat_map(|&x| (0..self.d[&x]).map(move |order| (x, order)))
            .filter(|&(x, order)| !is_dummy(x, order))
            .map(|(x, order)| VarRef::now(x, order))
            .collect();
        let functions = context.functions;
        let mut values = context.values();
        Plan::new(functions, &mut values, &subsystems, states).map_err(|what| {
            ModeError::Unsupported(what, self.sources.first().copied().unwrap_or(0))
        })
    }

    /// Which equation reads something that cannot be computed.
    pub fn reads(&self, occurrence: VarRef) -> Option<usize> {
        let reads = |f: &usize| {
            let mut list = self.derivatives[*f].iter();
            list.any(|expr| variables(expr).contains(&occurrence))
        };
        (0..self.sources.len()).find(reads).map(|f| self.sources[f])
    }
}

impl Selector {
    fn matrix(&self, values: &[f64], scratch: &mut Scratch) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.columns.len()]; self.rows.len()];
        self.program.run(values, &mut scratch.work);
        for (i, &(row, column)) in self.pattern.iter().enumerate() {
            matrix[row][column] = self.program.output(&scratch.work, i);
        }
        matrix
    }
}

/// `f, f', …, f^(c)`.
fn derivatives(context: &Context<'_>, residual: &Expr, c: u32) -> Vec<Expr> {
    let mut list = vec![residual.clone()];
    for _ in 0..c {
        let last = list.last().unwrap_or(residual);
        let next = time_derivative(last, &mut |var| context.is_constant(var));
        list.push(next);
    }
    list
}
