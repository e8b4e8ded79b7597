//! Functions of the model where they are called.
//!
//! Small functions of straight-line code are written out: statements are followed with nodes of the graph as values,
//! branches whose condition is not known become selections. What remains is differentiated like everything else,
//! shares what is equal with its surroundings, and shows where equations are linear. All other functions become calls
//! (`call`). [`inline`] says which are which.

mod expression;
mod inline;

use super::call::{CallArg, Sites};
use super::{Binary, Graph, Reg, Unary, Unsupported};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_code::{Runtime, Shape};
use modeshift_flat::model::{
    FlatExp, FlatRef, Function, FunctionBody, FunctionDim, LocalRef, Statement, StatementKind,
};
use modeshift_inst::exp::{Exp, Subscript};
use modeshift_inst::ty::{Causality, Dim, RecordType, Type};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};

/// Statements followed in one call, all loops unrolled.
const MAX_STEPS: usize = 100_000;
/// Calls within calls.
const MAX_CALLS: usize = 40;
/// The elements of an array that is written out.
const MAX_ITEMS: usize = 100_000;

/// How many elements an array of these dimensions has, if it can be written out.
fn room(dims: impl IntoIterator<Item = usize>) -> Result<usize, Why> {
    let count = dims.into_iter().fold(1, usize::saturating_mul);
    match count <= MAX_ITEMS {
        true => Ok(count),
        false => Err("an array is too large"),
    }
}

/// The functions that equations may call.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    by_name: Arc<FxHashMap<String, Function>>,
    /// Those that are written out.
    inline: Arc<FxHashSet<String>>,
    pub(super) runtime: Arc<Runtime>,
    pub(super) sites: Arc<Mutex<Sites>>,
    pub(super) settled: Arc<Mutex<super::settled::Known>>,
    /// The number of the instant, for impure functions.
    pub(super) instant: Arc<AtomicU64>,
    pub(super) profiling: Arc<AtomicBool>,
    /// Every call site, for the costs.
    pub(super) all_sites: Arc<Mutex<Vec<std::sync::Weak<super::call::Bound>>>>,
}

/// An array of any number of dimensions; a scalar has none. Records are written out, field by field.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Array {
    dims: Vec<usize>,
    pub(super) items: Vec<Reg>,
    /// The type of the elements, if they are records.
    record: Option<Arc<RecordType>>,
}

/// How many numbers a value of this type is made of; `None` if that is not known.
fn width(ty: &Type) -> Option<usize> {
    match ty {
        Type::Record(record) => record.fields.iter().map(|(_, ty)| width(ty)).sum(),
        Type::Array(array) => {
            let sizes = array.dims.iter().map(|dim| match dim {
                Dim::Known(size) => usize::try_from(*size).ok(),
                _ => None,
            });
            Some(sizes.product::<Option<usize>>()? * width(&array.element)?)
        }
        _ => Some(1),
    }
}

fn record_of(ty: &Type) -> Option<Arc<RecordType>> {
    match ty {
        Type::Record(record) => Some(record.clone()),
        _ => None,
    }
}

impl Array {
    fn into_arg(self) -> CallArg {
        let shape = match &self.record {
            None => Shape::Leaf(self.dims),
            Some(record) => match Shape::of(&Type::Record(record.clone())) {
                Some(Shape::Record(_, fields)) => Shape::Record(self.dims, fields),
                _ => Shape::Leaf(self.dims),
            },
        };
        CallArg::Value(shape, self.items)
    }

    pub(super) fn from_arg(arg: &CallArg, ty: &Type) -> Option<Self> {
        let CallArg::Value(shape, regs) = arg else {
            return None;
        };
        let dims = match shape {
            Shape::Leaf(dims) | Shape::Record(dims, _) => dims.clone(),
        };
        Some(Self {
            dims,
            items: regs.clone(),
            record: record_of(ty),
        })
    }

    fn new(dims: Vec<usize>, items: Vec<Reg>) -> Self {
        Self {
            dims,
            items,
            record: None,
        }
    }

    fn scalar(reg: Reg) -> Self {
        Self::new(Vec::new(), vec![reg])
    }

    /// How many numbers an element is.
    fn width(&self) -> usize {
        self.items.len() / self.dims.iter().product::<usize>().max(1)
    }

    /// A field of every element.
    fn field(&self, name: Name) -> Result<Self, Why> {
        const UNKNOWN: Why = "it uses a field that is not known";
        let record = self.record.as_ref().ok_or(UNKNOWN)?;
        let mut first = 0;
        for (field, ty) in &record.fields {
            let size = width(ty).ok_or("it uses a record with a field of unknown size")?;
            if *field == name {
                let elements = self.items.chunks(self.width().max(1));
                let items = elements.flat_map(|e| &e[first..first + size]).copied();
                let (inner, element) = match ty {
                    Type::Array(array) => (array.dims.as_slice(), &array.element),
                    other => (&[][..], other),
                };
                let inner = inner.iter().filter_map(|dim| match dim {
                    Dim::Known(size) => usize::try_from(*size).ok(),
                    _ => None,
                });
                return Ok(Self {
                    items: items.collect(),
                    dims: self.dims.iter().copied().chain(inner).collect(),
                    record: record_of(element),
                });
            }
            first += size;
        }
        Err(UNKNOWN)
    }

    /// The element at indices written as `1,2`.
    fn element(&self, indices: &str) -> Result<Self, Why> {
        const BOUNDS: Why = "an index of its result is out of bounds";
        let indices = indices
            .split(',')
            .map(|index| index.trim().parse::<usize>());
        let mut position = 0;
        let mut count = 0;
        for index in indices {
            let index = index.map_err(|_| "an index of its result is no number")?;
            let dim = *self.dims.get(count).ok_or(BOUNDS)?;
            if index == 0 || index > dim {
                return Err(BOUNDS);
            }
            position = position * dim + index - 1;
            count += 1;
        }
        if count != self.dims.len() {
            return Err(BOUNDS);
        }
        let (first, width) = (position * self.width(), self.width());
        Ok(Self {
            dims: Vec::new(),
            items: self.items[first..first + width].to_vec(),
            record: self.record.clone(),
        })
    }
}

/// Shape, sizes and record of an output.
type OutputShape = (Shape, Vec<usize>, Option<Arc<RecordType>>);

pub(super) type Why = &'static str;

impl Functions {
    pub fn new<'f>(functions: impl IntoIterator<Item = &'f Function>) -> Self {
        let functions: Vec<Function> = functions.into_iter().cloned().collect();
        let runtime = Arc::new(Runtime::new(&functions));
        let functions = functions.into_iter();
        let by_name: FxHashMap<String, Function> = functions
            .map(|function| (function.name.to_string(), function))
            .collect();
        Self {
            instant: Arc::default(),
            profiling: Arc::default(),
            all_sites: Arc::default(),
            inline: Arc::new(inline::small(&by_name)),
            by_name: Arc::new(by_name),
            runtime,
            sites: Arc::default(),
            settled: Arc::default(),
        }
    }

    pub(super) fn function(&self, name: &str) -> Option<&Function> {
        self.by_name.get(name)
    }

    /// Stands for an argument that is no number.
    pub(super) const NO_NUMBER: f64 = f64::NAN;

    /// The value of a call. `f.2` is the second output of `f`, `f[1,2]` an element of the first one.
    pub fn call(&self, graph: &mut Graph, name: Name, args: &[Reg]) -> Result<Reg, Unsupported> {
        self.component(graph, name.as_str(), args)
            .map_err(|why| Unsupported::Function(name, why))
    }

    fn component(&self, graph: &mut Graph, name: &str, args: &[Reg]) -> Result<Reg, Arc<str>> {
        let ends = name.char_indices().filter(|(_, c)| matches!(c, '.' | '['));
        let mut ends: Vec<usize> = ends.map(|(i, _)| i).collect();
        ends.push(name.len());
        let known = |end: &&usize| self.by_name.contains_key(&name[..**end]);
        let end = *ends.iter().rev().find(known).ok_or("it is not built in")?;
        let function = self.by_name.get(&name[..end]).ok_or("it is not built in")?;
        let parts = name[end..].split_inclusive(['.', '[', ']']);
        let mut parts = parts.map(|part| part.trim_matches(['.', '[', ']']));
        let mut parts = parts.by_ref().filter(|part| !part.is_empty()).peekable();
        let output = parts.peek().and_then(|part| part.parse::<usize>().ok());
        let output = output.filter(|_| name[end..].starts_with('.'));
        if output.is_some() {
            parts.next();
        }
        let args = Frame::new(self, graph, 0).split(function, args)?;
        let mut outputs = match self.inline.contains(&name[..end]) {
            true => self
                .run(graph, function, args.clone(), 0)
                .or_else(|_| self.called(graph, function, args))?,
            false => self.called(graph, function, args)?,
        };
        let output = output.map_or(0, |number| number.saturating_sub(1));
        if output >= outputs.len() {
            return Err("it has no such output".into());
        }
        let mut value = outputs.swap_remove(output);
        for part in parts {
            value = match value.record.is_some() && value.dims.is_empty() {
                true => value.field(part.into())?,
                false => value.element(part)?,
            };
        }
        match value.items[..] {
            [item] => Ok(item),
            _ => Err("its result is no single number".into()),
        }
    }

    /// All outputs by a call.
    fn called(
        &self,
        graph: &mut Graph,
        function: &Function,
        args: Vec<Array>,
    ) -> Result<Vec<Array>, Arc<str>> {
        let no_number = |reg: &Reg| graph.value(*reg).is_some_and(f64::is_nan);
        if args.iter().flat_map(|arg| &arg.items).any(no_number) {
            return Err("strings and functions among its arguments are not known here".into());
        }
        let mut frame = Frame::new(self, graph, 0);
        frame.bind(function, args.clone())?;
        let shapes = frame.output_shapes(function)?;
        let args: Vec<CallArg> = args.into_iter().map(Array::into_arg).collect();
        let results: Vec<Shape> = shapes.iter().map(|(shape, ..)| shape.clone()).collect();
        let regs = self
            .call_site(graph, &function.name, &args, &results, None)
            .map_err(|unsupported| match unsupported {
                Unsupported::Function(_, why) => why,
                _ => "it cannot be called".into(),
            })?;
        let mut regs = regs.into_iter();
        let outputs = shapes.into_iter().map(|(shape, dims, record)| Array {
            items: regs.by_ref().take(shape.width()).collect(),
            dims,
            record,
        });
        Ok(outputs.collect())
    }

    /// The shapes of all outputs for arguments of known shape, where they follow from them.
    pub fn result_shapes(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
    ) -> Option<Vec<Shape>> {
        let function = self.by_name.get(name)?;
        let mut frame = Frame::new(self, graph, 0);
        let inputs = function.locals.iter();
        let inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        let args = args
            .iter()
            .zip(inputs)
            .map(|(arg, local)| Array::from_arg(arg, &local.ty));
        frame.bind(function, args.collect::<Option<_>>()?).ok()?;
        let shapes = frame.output_shapes(function).ok()?;
        Some(shapes.into_iter().map(|(shape, ..)| shape).collect())
    }

    /// The results of a small function, written out.
    pub(super) fn inlined(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
        results: &[Shape],
    ) -> Option<Vec<Reg>> {
        if !self.inline.contains(name) {
            return None;
        }
        let function = self.by_name.get(name)?;
        let inputs = function.locals.iter();
        let inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        let args = args
            .iter()
            .zip(inputs)
            .map(|(arg, local)| Array::from_arg(arg, &local.ty));
        let outputs = self
            .run(graph, function, args.collect::<Option<_>>()?, 0)
            .ok()?;
        let mut regs = Vec::new();
        for (shape, output) in results.iter().zip(outputs) {
            if shape.width() != output.items.len() {
                return None;
            }
            regs.extend(output.items);
        }
        Some(regs)
    }

    /// All outputs for arguments that are written out.
    pub(super) fn run(
        &self,
        graph: &mut Graph,
        function: &Function,
        args: Vec<Array>,
        depth: usize,
    ) -> Result<Vec<Array>, Why> {
        if depth > MAX_CALLS {
            return Err("its calls are nested too deeply");
        }
        let statements = match &function.body {
            FunctionBody::Algorithm(statements) => statements,
            FunctionBody::External { name, .. } => {
                let args: Vec<Reg> = args.iter().flat_map(|arg| arg.items.clone()).collect();
                return external(graph, name, &args).map(|reg| vec![Array::scalar(reg)]);
            }
            FunctionBody::RecordConstructor => {
                let args: Vec<Reg> = args.iter().flat_map(|arg| arg.items.clone()).collect();
                return constructed(function, &args);
            }
            FunctionBody::Derivative { .. } => return Err("it is a derivative of a function"),
            FunctionBody::Partial => return Err("it is partial"),
        };
        let mut frame = Frame::new(self, graph, depth);
        frame.bind(function, args)?;
        frame.declare(function)?;
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

/// The functions of C that are built in. The arguments are expected in the order of the declaration.
fn external(graph: &mut Graph, name: &str, args: &[Reg]) -> Result<Reg, Why> {
    let name = match name {
        "fabs" => "abs",
        "pow" => "^",
        "fmin" => "min",
        "fmax" => "max",
        "fmod" => "rem",
        other => other,
    };
    let known = match *args {
        [a] => Unary::named(name).map(|op| graph.unary(op, a)),
        [a, b] => Binary::named(name).map(|op| graph.binary(op, a, b)),
        _ => None,
    };
    known.ok_or("it is external, and no function of C that is built in")
}

/// The value of a record constructor made by the compiler: its arguments.
fn constructed(function: &Function, args: &[Reg]) -> Result<Vec<Array>, Why> {
    let mut outputs = function.locals.iter();
    let output = outputs.find(|local| local.causality == Some(Causality::Output));
    let record = output.and_then(|local| record_of(&local.ty));
    let fields = || {
        let inputs = function.locals.iter();
        let inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        inputs.map(|local| (local.name, local.ty.clone())).collect()
    };
    let record = record.unwrap_or_else(|| {
        Arc::new(RecordType {
            path: function.name.as_ref().into(),
            fields: fields(),
        })
    });
    let value = Array {
        dims: Vec::new(),
        items: args.to_vec(),
        record: Some(record),
    };
    Ok(vec![value])
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

impl<'a> Frame<'a> {
    fn new(functions: &'a Functions, graph: &'a mut Graph, depth: usize) -> Self {
        Self {
            functions,
            graph,
            variables: FxHashMap::default(),
            iterators: Vec::new(),
            steps: 0,
            depth,
        }
    }

    /// Arguments that stand one after the other, as the declarations tell them apart.
    fn split(&mut self, function: &Function, args: &[Reg]) -> Result<Vec<Array>, Why> {
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
                let sizes = local.dims.iter().map(known_dim);
                let count = sizes.product::<Option<usize>>().unwrap_or(1);
                count * width(&local.ty).unwrap_or(1)
            })
            .sum();
        let mut arrays = Vec::new();
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
            let each = width(&local.ty).ok_or("a record among its arguments has no known size")?;
            let count = dims.iter().product::<usize>() * each;
            if rest.len() < count {
                return Err("it is called with fewer arguments than it has");
            }
            let (items, left) = rest.split_at(count);
            rest = left;
            let value = Array {
                dims,
                items: items.to_vec(),
                record: record_of(&local.ty),
            };
            // Sizes of later arguments may ask for it.
            self.variables.insert(local.name, value.clone());
            arrays.push(value);
        }
        if !rest.is_empty() {
            return Err("the sizes of its arguments are not known");
        }
        Ok(arrays)
    }

    fn bind(&mut self, function: &Function, args: Vec<Array>) -> Result<(), Why> {
        let inputs = function.locals.iter();
        let mut inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        for arg in args {
            let local = inputs
                .next()
                .ok_or("it is called with more arguments than it has")?;
            if local.dims.len() > arg.dims.len() {
                return Err("an argument has too few dimensions");
            }
            self.variables.insert(local.name, arg);
        }
        match inputs.next() {
            Some(_) => Err("it is called with fewer arguments than it has"),
            None => Ok(()),
        }
    }

    /// Shape, sizes and record of each output.
    fn output_shapes(&mut self, function: &Function) -> Result<Vec<OutputShape>, Why> {
        let outputs = function.locals.iter();
        let outputs = outputs.filter(|local| local.causality == Some(Causality::Output));
        let mut shapes = Vec::new();
        for local in outputs {
            let dims = local.dims.iter().map(|dim| self.dim(dim));
            let dims: Vec<usize> = dims.collect::<Result<_, _>>()?;
            let element = Shape::of(&local.ty).ok_or("the size of its result is not known")?;
            let shape = match element {
                Shape::Leaf(inner) => Shape::Leaf(dims.iter().copied().chain(inner).collect()),
                Shape::Record(inner, fields) => {
                    Shape::Record(dims.iter().copied().chain(inner).collect(), fields)
                }
            };
            shapes.push((shape, dims, record_of(&local.ty)));
        }
        Ok(shapes)
    }

    /// Variables that are no inputs.
    fn declare(&mut self, function: &Function) -> Result<(), Why> {
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
                    let each = width(&local.ty).ok_or("a record has no known size")?;
                    Array {
                        items: vec![zero; room(dims.iter().copied().chain([each]))?],
                        dims,
                        record: record_of(&local.ty),
                    }
                }
            };
            self.variables.insert(local.name, value);
            for (field, default) in &local.defaults {
                let value = self.exp(default)?;
                let target = LocalRef {
                    parts: vec![(local.name, Vec::new()), (*field, Vec::new())],
                    ty: Type::Unknown,
                };
                self.put(&Exp::Ref(FlatRef::Local(Arc::new(target))), value)?;
            }
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
            if self.steps > MAX_STEPS || !self.graph.spend() {
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
                if self.steps > MAX_STEPS || !self.graph.spend() {
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
            StatementKind::Assert { .. } => self.graph.asserts(),
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
        if let [(name, subscripts)] = &local.parts[..]
            && subscripts.is_empty()
        {
            self.variables.insert(*name, value);
            return Ok(());
        }
        let (name, _) = local.parts.first().ok_or("a variable has no name")?;
        // The same way through an array of places leads to the places that are meant.
        let mut places = self.variable(*name)?;
        for (place, item) in places.items.iter_mut().enumerate() {
            *item = place as Reg;
        }
        let places = self.follow(places, local)?.items;
        if places.len() != value.items.len() {
            return Err("an assignment has sides of different size");
        }
        if let Some(whole) = self.variables.get_mut(name) {
            for (place, item) in places.into_iter().zip(value.items) {
                whole.items[place as usize] = item;
            }
        }
        Ok(())
    }

    fn variable(&self, name: Name) -> Result<Array, Why> {
        let known = self.variables.get(&name);
        known.cloned().ok_or("a variable has no value")
    }

    /// Subscripts and fields, from left to right.
    fn follow(&mut self, whole: Array, local: &LocalRef) -> Result<Array, Why> {
        let mut value = whole;
        for (i, (name, subscripts)) in local.parts.iter().enumerate() {
            if i > 0 {
                value = value.field(*name)?;
            }
            if !subscripts.is_empty() {
                value = self.select(&value, subscripts)?;
            }
        }
        Ok(value)
    }

    fn select(&mut self, whole: &Array, subscripts: &[Subscript<FlatRef>]) -> Result<Array, Why> {
        let (positions, dims) = self.positions(whole, subscripts)?;
        let width = whole.width();
        let items = positions
            .into_iter()
            .flat_map(|i| &whole.items[i * width..(i + 1) * width]);
        Ok(Array {
            items: items.copied().collect(),
            dims,
            record: whole.record.clone(),
        })
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
