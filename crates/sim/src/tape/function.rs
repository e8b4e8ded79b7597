//! Functions of the model, written out where they are called.
//!
//! Statements are followed with nodes of the graph as values: branches whose condition is not known become
//! selections, loops with known bounds are unrolled. What remains is straight-line code that is differentiated
//! like everything else.

mod expression;

use super::{Graph, Reg, Unsupported};
use modeshift_base::{FxHashMap, Name};
use modeshift_flat::model::{
    FlatExp, FlatRef, Function, FunctionBody, FunctionDim, LocalRef, Statement, StatementKind,
};
use modeshift_inst::exp::{Exp, Subscript};
use modeshift_inst::ty::Causality;

/// Statements followed in one call, all loops unrolled.
const MAX_STEPS: usize = 100_000;
/// Calls within calls.
const MAX_CALLS: usize = 40;

/// The functions that equations may call.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    by_name: FxHashMap<String, Function>,
}

/// An array of any number of dimensions; a scalar has none.
#[derive(Clone, PartialEq, Debug)]
struct Array {
    dims: Vec<usize>,
    items: Vec<Reg>,
}

impl Array {
    fn scalar(reg: Reg) -> Self {
        Self {
            dims: Vec::new(),
            items: vec![reg],
        }
    }

    fn position(&self, indices: &[usize]) -> Option<usize> {
        if indices.len() != self.dims.len() {
            return None;
        }
        let mut position = 0;
        for (&index, &dim) in indices.iter().zip(&self.dims) {
            if index == 0 || index > dim {
                return None;
            }
            position = position * dim + index - 1;
        }
        Some(position)
    }
}

type Why = &'static str;

impl Functions {
    pub fn new<'f>(functions: impl IntoIterator<Item = &'f Function>) -> Self {
        let by_name = functions
            .into_iter()
            .map(|function| (function.name.to_string(), function.clone()))
            .collect();
        Self { by_name }
    }

    /// The value of a call. `f.2` is the second output of `f`, `f[1,2]` an element of the first one.
    pub fn call(&self, graph: &mut Graph, name: Name, args: &[Reg]) -> Result<Reg, Unsupported> {
        self.component(graph, name.as_str(), args, 0)
            .map_err(|why| Unsupported::Function(name, why))
    }

    fn component(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[Reg],
        depth: usize,
    ) -> Result<Reg, Why> {
        let (stem, subscripts) = match name.strip_suffix(']').and_then(|n| n.split_once('[')) {
            Some((stem, subscripts)) => (stem, Some(subscripts)),
            None => (name, None),
        };
        let (function, output) = match self.by_name.get(stem) {
            Some(function) => (function, 0),
            None => {
                let (stem, output) = stem.rsplit_once('.').ok_or("it is not built in")?;
                let output: usize = output.parse().map_err(|_| "it is not built in")?;
                let function = self.by_name.get(stem).ok_or("it is not built in")?;
                (function, output.saturating_sub(1))
            }
        };
        let outputs = self.run(graph, function, args, depth)?;
        let value = outputs.get(output).ok_or("it has no such output")?;
        let position = match subscripts {
            None => 0,
            Some(text) => {
                let indices: Option<Vec<usize>> = text
                    .split(',')
                    .map(|index| index.trim().parse().ok())
                    .collect();
                let indices = indices.ok_or("an index of its result is no number")?;
                value
                    .position(&indices)
                    .ok_or("an index of its result is out of bounds")?
            }
        };
        value
            .items
            .get(position)
            .copied()
            .ok_or("its result is empty")
    }

    /// All outputs for arguments that are written out.
    fn run(
        &self,
        graph: &mut Graph,
        function: &Function,
        args: &[Reg],
        depth: usize,
    ) -> Result<Vec<Array>, Why> {
        if depth > MAX_CALLS {
            return Err("its calls are nested too deep");
        }
        let FunctionBody::Algorithm(statements) = &function.body else {
            return Err("it is external, or made by the compiler");
        };
        let mut frame = Frame {
            functions: self,
            graph,
            variables: FxHashMap::default(),
            iterators: Vec::new(),
            steps: 0,
            depth,
        };
        frame.bind(function, args)?;
        frame.statements(statements)?;
        let outputs = function
            .locals
            .iter()
            .filter(|local| local.causality == Some(Causality::Output));
        outputs
            .map(|local| {
                frame
                    .variables
                    .get(&local.name)
                    .cloned()
                    .ok_or("an output has no value")
            })
            .collect()
    }
}

/// Whether the statements after this one are still reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Break,
    Return,
}

struct Frame<'a> {
    functions: &'a Functions,
    graph: &'a mut Graph,
    variables: FxHashMap<Name, Array>,
    iterators: Vec<(Name, Reg)>,
    steps: usize,
    depth: usize,
}

impl Frame<'_> {
    fn bind(&mut self, function: &Function, args: &[Reg]) -> Result<(), Why> {
        let inputs = || {
            let locals = function.locals.iter();
            locals.filter(|local| local.causality == Some(Causality::Input))
        };
        let flexible = inputs()
            .flat_map(|local| &local.dims)
            .filter(|dim| matches!(dim, FunctionDim::Flexible))
            .count();
        if flexible > 1 {
            return Err("the sizes of its arguments are not known");
        }
        let mut rest = args;
        let fixed: usize = inputs()
            .filter(|local| {
                !local
                    .dims
                    .iter()
                    .any(|d| matches!(d, FunctionDim::Flexible))
            })
            .map(|local| {
                local
                    .dims
                    .iter()
                    .map(known_dim)
                    .product::<Option<usize>>()
                    .unwrap_or(1)
            })
            .sum();
        for local in inputs() {
            let mut dims = Vec::new();
            for dim in &local.dims {
                dims.push(match dim {
                    FunctionDim::Flexible => {
                        let others: usize = local.dims.iter().filter_map(known_dim).product();
                        args.len().saturating_sub(fixed) / others.max(1)
                    }
                    other => self.dim(other)?,
                });
            }
            let count: usize = dims.iter().product();
            if rest.len() < count {
                return Err("it is called with fewer arguments than it has");
            }
            let (items, left) = rest.split_at(count);
            rest = left;
            let items = items.to_vec();
            self.variables.insert(local.name, Array { dims, items });
        }
        if !rest.is_empty() {
            return Err("the sizes of its arguments are not known");
        }
        for local in function
            .locals
            .iter()
            .filter(|l| l.causality != Some(Causality::Input))
        {
            let value = match &local.binding {
                Some(binding) => self.exp(binding)?,
                None => {
                    let dims: Vec<usize> = local
                        .dims
                        .iter()
                        .map(|dim| self.dim(dim))
                        .collect::<Result<_, _>>()?;
                    let zero = self.graph.constant(0.0);
                    let items = vec![zero; dims.iter().product()];
                    Array { dims, items }
                }
            };
            self.variables.insert(local.name, value);
        }
        Ok(())
    }

    fn dim(&mut self, dim: &FunctionDim) -> Result<usize, Why> {
        match dim {
            FunctionDim::Given(exp) => {
                let size = self.integer(exp)?;
                usize::try_from(size).map_err(|_| "an array has a negative size")
            }
            other => known_dim(other).ok_or("the sizes of its arrays are not known"),
        }
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Flow, Why> {
        for statement in statements {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err("it takes too many steps");
            }
            let flow = self.statement(statement)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Why> {
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => self.assign(target, value)?,
            StatementKind::If { branches, else_ } => return self.branch(branches, else_),
            StatementKind::For {
                iterator,
                range,
                body,
            } => {
                let range = range.as_ref().ok_or("the range of a loop is not known")?;
                for item in self.exp(range)?.items {
                    self.iterators.push((*iterator, item));
                    let flow = self.statements(body);
                    self.iterators.pop();
                    match flow? {
                        Flow::On => {}
                        Flow::Break => break,
                        Flow::Return => return Ok(Flow::Return),
                    }
                }
            }
            StatementKind::While { condition, body } => loop {
                let condition = self.scalar(condition)?;
                let Some(holds) = self.graph.value(condition) else {
                    return Err("a `while` loop depends on values that are not known");
                };
                if holds == 0.0 {
                    break;
                }
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return Err("it takes too many steps");
                }
                match self.statements(body)? {
                    Flow::On => {}
                    Flow::Break => break,
                    Flow::Return => return Ok(Flow::Return),
                }
            },
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Return => return Ok(Flow::Return),
            StatementKind::Assert { .. } => {}
            StatementKind::When { .. }
            | StatementKind::Terminate { .. }
            | StatementKind::Reinit { .. }
            | StatementKind::Call(_) => return Err("it calls something only for its effect"),
        }
        Ok(Flow::On)
    }

    fn branch(
        &mut self,
        branches: &[(FlatExp, Vec<Statement>)],
        else_: &[Statement],
    ) -> Result<Flow, Why> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.statements(else_);
        };
        let condition = self.scalar(condition)?;
        if let Some(holds) = self.graph.value(condition) {
            return if holds != 0.0 {
                self.statements(body)
            } else {
                self.branch(rest, else_)
            };
        }
        let before = self.variables.clone();
        let flow = self.statements(body)?;
        let then = std::mem::replace(&mut self.variables, before);
        let other = self.branch(rest, else_)?;
        if flow != Flow::On || other != Flow::On {
            return Err("it leaves a loop or itself under a condition that is not known");
        }
        for (name, value) in then {
            let Some(other) = self.variables.get_mut(&name) else {
                continue;
            };
            if other.dims != value.dims {
                return Err("a size depends on a condition that is not known");
            }
            for (b, a) in other.items.iter_mut().zip(value.items) {
                *b = self.graph.select(condition, a, *b);
            }
        }
        Ok(Flow::On)
    }

    fn assign(&mut self, target: &FlatExp, value: &FlatExp) -> Result<(), Why> {
        if let Exp::Tuple(targets) = target {
            let Exp::Call(call) = value else {
                return Err("several values are assigned at once");
            };
            let outputs = self.user_call(call)?;
            for (target, value) in targets.iter().zip(outputs) {
                if let Some(target) = target {
                    self.put(target, value)?;
                }
            }
            return Ok(());
        }
        let value = self.exp(value)?;
        self.put(target, value)
    }

    fn put(&mut self, target: &FlatExp, value: Array) -> Result<(), Why> {
        let Exp::Ref(FlatRef::Local(local)) = target else {
            return Err("it assigns something that is no variable of its own");
        };
        let (name, subscripts) = single(local)?;
        if subscripts.is_empty() {
            self.variables.insert(name, value);
            return Ok(());
        }
        let whole = self
            .variables
            .get(&name)
            .ok_or("a variable has no value")?
            .clone();
        let (positions, _) = self.positions(&whole, subscripts)?;
        if positions.len() != value.items.len() {
            return Err("an assignment has sides of different size");
        }
        if let Some(whole) = self.variables.get_mut(&name) {
            for (position, item) in positions.into_iter().zip(value.items) {
                whole.items[position] = item;
            }
        }
        Ok(())
    }
}

fn known_dim(dim: &FunctionDim) -> Option<usize> {
    match dim {
        FunctionDim::Known(size) => usize::try_from(*size).ok(),
        FunctionDim::Boolean => Some(2),
        FunctionDim::Enumeration(ty) => Some(ty.literals.len()),
        FunctionDim::Flexible | FunctionDim::Given(_) => None,
    }
}

/// The name and subscripts of a variable that is no record.
fn single(local: &LocalRef) -> Result<(Name, &[Subscript<FlatRef>]), Why> {
    match &local.parts[..] {
        [(name, subscripts)] => Ok((*name, subscripts)),
        _ => Err("it uses records"),
    }
}
