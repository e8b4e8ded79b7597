//! Evaluation of expressions.

use super::cast::cast;
use super::{Eval, Fail, MAX_ELEMENTS, Value, World, builtin, interpret, op, spend};
use crate::exp::{BinaryOp, Callee, Cref, Exp, Range, Reduction, Subscript};
use crate::tree::ComponentId;
use crate::ty::{Dim, Type};
use modeshift_base::{FxHashMap, Name};
use std::sync::Arc;

/// The variables of a function that is being evaluated, and loop variables.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub(super) locals: FxHashMap<ComponentId, Value>,
    pub(super) iterators: Vec<(Name, Value)>,
    pub(super) depth: u32,
}

/// The value of an expression.
pub fn eval(world: &mut dyn World, exp: &Exp, frame: &mut Frame) -> Eval {
    spend(world, 0)?;
    match exp {
        Exp::Int(value) => Ok(Value::Int(*value)),
        Exp::Real(value) => Ok(Value::Real(*value)),
        Exp::Bool(value) => Ok(Value::Bool(*value)),
        Exp::Str(text) => Ok(Value::Str(text.clone())),
        Exp::Enum(ty, index) => Ok(Value::Enum(ty.clone(), *index)),
        Exp::Time => Err(Fail::new("`time` has no value before the simulation")),
        Exp::Ref(cref) => eval_cref(world, cref, frame),
        Exp::Iterator(name) => frame
            .iterators
            .iter()
            .rev()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.clone())
            .ok_or_else(|| Fail::new(format!("`{name}` has no value here"))),
        Exp::Array(items, ty) => {
            let items: Eval<Vec<Value>> =
                items.iter().map(|item| eval(world, item, frame)).collect();
            Ok(Value::array(items?, &ty.strip(1)))
        }
        Exp::Range(range) => eval_range(world, range, frame),
        Exp::Tuple(items) => {
            let items: Eval<Vec<Value>> = items
                .iter()
                .map(|item| match item {
                    Some(item) => eval(world, item, frame),
                    None => Err(Fail::new("an empty place in a tuple")),
                })
                .collect();
            Ok(Value::Tuple(items?))
        }
        Exp::Record(ty, fields) => {
            let Type::Record(record) = ty else {
                return Err(Fail::new("not a record"));
            };
            let fields: Eval<Vec<Value>> = fields
                .iter()
                .map(|field| eval(world, field, frame))
                .collect();
            Ok(Value::Record(record.clone(), Arc::new(fields?)))
        }
        Exp::Call(call) => {
            let mut args = Vec::with_capacity(call.args.len());
            if let Callee::Builtin(name) = &call.function
                && let Some(value) = builtin::lazy(world, *name, &call.args, frame)?
            {
                return Ok(value);
            }
            for arg in &call.args {
                args.push(eval(world, arg, frame)?);
            }
            match &call.function {
                Callee::Builtin(name) => {
                    spend(world, args.iter().map(Value::elements).sum())?;
                    builtin::call(*name, args, &call.ty)
                }
                Callee::User(name) => interpret::call(world, name, args, &call.ty, frame),
            }
        }
        Exp::Reduction(reduction) => eval_reduction(world, reduction, frame),
        Exp::Unary(op, operand) => op::unary(*op, eval(world, operand, frame)?),
        Exp::Binary(op, operands) => eval_binary(world, *op, &operands.0, &operands.1, frame),
        Exp::If(inner) => match eval(world, &inner.condition, frame)? {
            Value::Bool(true) => eval(world, &inner.then, frame),
            Value::Bool(false) => eval(world, &inner.else_, frame),
            _ => Err(Fail::new("a condition that is not Boolean")),
        },
        Exp::Cast(ty, inner) => Ok(cast(eval(world, inner, frame)?, ty)),
        Exp::Subscripted(base, subscripts) => {
            let base = eval(world, base, frame)?;
            let subscripts = eval_subscripts(world, subscripts, frame)?;
            index(&base, &subscripts)
        }
        Exp::TupleElement(base, index) => match eval(world, base, frame)? {
            Value::Tuple(items) => items
                .get((*index as usize).wrapping_sub(1))
                .cloned()
                .ok_or_else(|| Fail::new("an output that is not there")),
            other => Ok(other),
        },
        Exp::Field(base, name) => field(&eval(world, base, frame)?, *name),
        Exp::PartialFunction(name, bound, _) => {
            let bound: Eval<Vec<(Name, Value)>> = bound
                .iter()
                .map(|(input, exp)| Ok((*input, eval(world, exp, frame)?)))
                .collect();
            Ok(Value::Function(name.clone(), bound?))
        }
        Exp::Size(base, index) => eval_size(world, base, index.as_deref(), frame),
        Exp::TypeRange(dim) => type_range(dim),
        Exp::Error => Err(Fail::new("")),
    }
}

fn eval_binary(world: &mut dyn World, op: BinaryOp, a: &Exp, b: &Exp, frame: &mut Frame) -> Eval {
    let left = eval(world, a, frame)?;
    // The other operand may make no sense when this one decides.
    match (op, &left) {
        (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => return Ok(left),
        _ => {}
    }
    let right = eval(world, b, frame)?;
    spend(world, op::work(op, &left, &right)?)?;
    op::binary(op, &left, &right)
}

fn eval_range(world: &mut dyn World, range: &Range, frame: &mut Frame) -> Eval {
    let start = eval(world, &range.start, frame)?;
    let stop = eval(world, &range.stop, frame)?;
    let step = match &range.step {
        Some(step) => Some(eval(world, step, frame)?),
        None => None,
    };
    range_values(&start, step.as_ref(), &stop, range.ty.element())
}

/// The values of a range.
pub(super) fn range_values(
    start: &Value,
    step: Option<&Value>,
    stop: &Value,
    element: &Type,
) -> Eval {
    let count =
        super::range_length(start, step, stop).ok_or_else(|| Fail::new("a range without end"))?;
    if count as usize > MAX_ELEMENTS {
        return Err(Fail::new("a range with too many values"));
    }
    let item = |index: i64| -> Value {
        match start {
            Value::Real(start) => {
                let step = step.and_then(Value::as_real).unwrap_or(1.0);
                Value::Real(start + index as f64 * step)
            }
            Value::Enum(ty, start) => Value::Enum(ty.clone(), (i64::from(*start) + index) as u32),
            Value::Bool(start) => Value::Bool(*start || index > 0),
            Value::Int(start) => match step {
                Some(Value::Real(step)) => Value::Real(*start as f64 + index as f64 * step),
                step => Value::Int(start + index * step.and_then(Value::as_index).unwrap_or(1)),
            },
            other => other.clone(),
        }
    };
    Ok(Value::array((0..count).map(item).collect(), element))
}

fn type_range(dim: &Dim) -> Eval {
    match dim {
        Dim::Boolean => Ok(Value::array(
            vec![Value::Bool(false), Value::Bool(true)],
            &Type::Boolean,
        )),
        Dim::Enumeration(ty) => {
            let items = (1..=ty.literals.len() as u32)
                .map(|index| Value::Enum(ty.clone(), index))
                .collect();
            Ok(Value::array(items, &Type::Enumeration(ty.clone())))
        }
        _ => Err(Fail::new("not a range")),
    }
}

fn eval_size(world: &mut dyn World, base: &Exp, index: Option<&Exp>, frame: &mut Frame) -> Eval {
    let dims: Vec<i64> = match static_size(base, frame) {
        Some(dims) => dims,
        None => {
            let ty = eval(world, base, frame)?.ty();
            let dims: Option<Vec<i64>> = ty.dims().iter().map(Dim::known).collect();
            dims.ok_or_else(|| Fail::new("a size that is not known"))?
        }
    };
    match index {
        None => Ok(Value::array(
            dims.into_iter().map(Value::Int).collect(),
            &Type::Integer,
        )),
        Some(index) => match eval(world, index, frame)? {
            Value::Int(at) => dims
                .get((at - 1) as usize)
                .map(|size| Value::Int(*size))
                .ok_or_else(|| Fail::new("a dimension that is not there")),
            _ => Err(Fail::new("a dimension that is not an Integer")),
        },
    }
}

/// The size of something whose value may not be known: that of its type. Variables of a running function have the size
/// of what they hold.
fn static_size(exp: &Exp, frame: &Frame) -> Option<Vec<i64>> {
    let mut local = false;
    crate::exp::visit_refs(exp, &mut |cref: &Cref| {
        let first = cref.parts.first().map(|part| part.component);
        local |= first.is_some_and(|first| frame.locals.contains_key(&first));
    });
    if local || !crate::exp::tells_dims(exp) {
        return None;
    }
    let dims = crate::exp::dims(exp);
    dims.iter().map(Dim::known).collect()
}

fn eval_reduction(world: &mut dyn World, reduction: &Reduction, frame: &mut Frame) -> Eval {
    let Callee::Builtin(function) = &reduction.function else {
        return Err(Fail::new("an unknown reduction"));
    };
    let function = function.as_str();
    // The last iterator is the outermost.
    let outermost = reduction.iterators.len();
    let value = reduce(world, reduction, outermost, frame)?;
    if function == "array" {
        return Ok(value);
    }
    let mut scalars = Vec::new();
    flatten_levels(&value, outermost, &mut scalars);
    builtin::fold(function, scalars, &reduction.ty)
}

fn flatten_levels(value: &Value, levels: usize, into: &mut Vec<Value>) {
    match value {
        Value::Array(items, _) if levels > 0 => items
            .iter()
            .for_each(|item| flatten_levels(item, levels - 1, into)),
        other => into.push(other.clone()),
    }
}

fn reduce(world: &mut dyn World, reduction: &Reduction, level: usize, frame: &mut Frame) -> Eval {
    let Some(at) = level.checked_sub(1) else {
        return eval(world, &reduction.body, frame);
    };
    let (name, range) = &reduction.iterators[at];
    let range = eval(world, range, frame)?;
    let items = range.items().ok_or_else(|| Fail::new("not a vector"))?;
    let mut results = Vec::with_capacity(items.len());
    for item in items {
        frame.iterators.push((*name, item.clone()));
        let result = reduce(world, reduction, at, frame);
        frame.iterators.pop();
        results.push(result?);
    }
    let inner = reduction.ty.strip(1);
    Ok(Value::array(results, &inner))
}

/// An evaluated subscript.
#[derive(Clone, Debug)]
pub(super) enum Select {
    All,
    One(i64),
    Many(Vec<i64>),
}

pub(super) fn eval_subscripts(
    world: &mut dyn World,
    subscripts: &[Subscript],
    frame: &mut Frame,
) -> Eval<Vec<Select>> {
    subscripts
        .iter()
        .map(|subscript| match subscript {
            Subscript::All => Ok(Select::All),
            Subscript::Index(exp) | Subscript::Slice(exp) => match eval(world, exp, frame)? {
                Value::Array(items, _) => {
                    let items: Option<Vec<i64>> = items.iter().map(Value::as_index).collect();
                    items
                        .map(Select::Many)
                        .ok_or_else(|| Fail::new("a subscript that is not an Integer"))
                }
                value => value
                    .as_index()
                    .map(Select::One)
                    .ok_or_else(|| Fail::new("a subscript that is not an Integer")),
            },
        })
        .collect()
}

/// `value[subscripts]`
pub(super) fn index(value: &Value, subscripts: &[Select]) -> Eval {
    let Some((first, rest)) = subscripts.split_first() else {
        return Ok(value.clone());
    };
    let Value::Array(items, ty) = value else {
        return Err(Fail::new("subscripts on a scalar"));
    };
    let at = |position: i64| {
        items
            .get((position - 1) as usize)
            .filter(|_| position >= 1)
            .ok_or_else(|| {
                Fail::wrong(format!(
                    "subscript {position} is out of bounds: the dimension has size {}",
                    items.len()
                ))
            })
    };
    match first {
        Select::One(position) => index(at(*position)?, rest),
        Select::All => {
            let selected: Eval<Vec<Value>> = items.iter().map(|item| index(item, rest)).collect();
            Ok(Value::array(selected?, &ty.strip(1)))
        }
        Select::Many(positions) => {
            let selected: Eval<Vec<Value>> = positions
                .iter()
                .map(|position| index(at(*position)?, rest))
                .collect();
            Ok(Value::array(selected?, &ty.strip(1)))
        }
    }
}

/// `value.name`, for arrays of records the array of fields.
pub(super) fn field(value: &Value, name: Name) -> Eval {
    match value {
        Value::Record(ty, fields) => {
            let at = ty.fields.iter().position(|(field, _)| *field == name);
            at.and_then(|at| fields.get(at))
                .cloned()
                .ok_or_else(|| Fail::new(format!("no field `{name}`")))
        }
        Value::Array(items, ty) => {
            let items: Eval<Vec<Value>> = items.iter().map(|item| field(item, name)).collect();
            Ok(Value::array(items?, &ty.strip(1)))
        }
        _ => Err(Fail::new(format!("no field `{name}`"))),
    }
}

fn eval_cref(world: &mut dyn World, cref: &Cref, frame: &mut Frame) -> Eval {
    let Some(first) = cref.parts.first() else {
        return Err(Fail::new("an empty reference"));
    };
    if let Some(local) = frame.locals.get(&first.component).cloned() {
        let mut value = local;
        for (position, part) in cref.parts.iter().enumerate() {
            if position > 0 {
                value = field(&value, world.components()[part.component].name)?;
            }
            if !part.subscripts.is_empty() {
                let subscripts = eval_subscripts(world, &part.subscripts, frame)?;
                value = index_fields(&value, &subscripts)?;
            }
        }
        return Ok(value);
    }
    let mut selects = Vec::with_capacity(cref.parts.len());
    for part in &cref.parts {
        selects.push((
            part.component,
            eval_subscripts(world, &part.subscripts, frame)?,
        ));
    }
    global(world, &mut selects)
}

fn index_fields(value: &Value, subscripts: &[Select]) -> Eval {
    index(value, subscripts)
}

/// The value of a component of the model. Array components on the path without an index give arrays.
fn global(world: &mut dyn World, selects: &mut [(ComponentId, Vec<Select>)]) -> Eval {
    // Enumerate the elements of the first array on the path, before the last part, that is not indexed.
    let last = selects.len().saturating_sub(1);
    for at in 0..last {
        let (id, subscripts) = selects[at].clone();
        let dims = world.components()[id].dims.clone();
        let open =
            (0..dims.len()).find(|dim| !matches!(subscripts.get(*dim), Some(Select::One(_))));
        let Some(dim) = open else { continue };
        let positions: Vec<i64> = match subscripts.get(dim) {
            Some(Select::Many(positions)) => positions.clone(),
            _ => {
                let size = dims[dim]
                    .known()
                    .ok_or_else(|| Fail::new("a size that is not known"))?;
                (1..=size).collect()
            }
        };
        let mut items = Vec::with_capacity(positions.len());
        for position in positions {
            let slot = &mut selects[at].1;
            slot.resize(dims.len(), Select::All);
            slot[dim] = Select::One(position);
            items.push(global(world, selects)?);
        }
        selects[at].1 = subscripts;
        return Ok(Value::array(items, &Type::Unknown));
    }
    let Some((id, own)) = selects.last().cloned() else {
        return Err(Fail::new("an empty reference"));
    };
    let (value, chain) = world.value_of(id)?;
    let mut subscripts = Vec::new();
    let mut value = value;
    for array in chain {
        let rank = world.components()[array].dims.len();
        match selects.iter().find(|(component, _)| *component == array) {
            Some((_, given)) if given.len() == rank => subscripts.extend(given.iter().cloned()),
            Some(_) => subscripts.extend(std::iter::repeat_n(Select::All, rank)),
            None => {
                value = match uniform(value, rank) {
                    Some(value) => value,
                    None => {
                        world.differs(array);
                        let name = world.components()[array].name;
                        return Err(Fail::new(format!("the elements of `{name}` differ")));
                    }
                };
            }
        }
    }
    subscripts.extend(own);
    index(&value, &subscripts)
}

/// The one element that all are equal to.
fn uniform(value: Value, levels: usize) -> Option<Value> {
    if levels == 0 {
        return Some(value);
    }
    let items = value.items()?;
    let first = items.first()?;
    items
        .iter()
        .all(|item| item == first)
        .then(|| uniform(first.clone(), levels - 1))?
}
