//! Functions with algorithms, run on values.

use super::cast::cast;
use super::eval::{Frame, Select, eval, eval_subscripts};
use super::{Eval, Fail, MAX_CALLS, Value, World, spend};
use crate::exp::{Cref, Exp};
use crate::tree::{ComponentId, Function, FunctionBody, Statement, StatementKind};
use crate::ty::{Causality, Dim, Type, Variability};
use modeshift_base::Name;
use std::sync::Arc;

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Return,
}

/// A call of a user's function.
pub(super) fn call(
    world: &mut dyn World,
    name: &str,
    args: Vec<Value>,
    ty: &Type,
    frame: &Frame,
) -> Eval {
    if frame.depth >= MAX_CALLS {
        return Err(Fail::wrong(format!("`{name}` calls itself too often")));
    }
    if let Type::Enumeration(enumeration) = ty
        && *enumeration.path == *name
        && let [Value::Int(index)] = args.as_slice()
    {
        let ok = *index >= 1 && *index as usize <= enumeration.literals.len();
        return if ok {
            Ok(Value::Enum(enumeration.clone(), *index as u32))
        } else {
            Err(Fail::new("no such literal"))
        };
    }
    if let Some(Value::Function(target, bound)) = local_function(world, name, frame) {
        return call_bound(world, &target, &bound, args, ty, frame);
    }
    let Some(function) = world.function(name) else {
        return Err(Fail::new(format!("`{name}` cannot be evaluated")));
    };
    run(world, &function, args, ty, frame.depth)
}

/// A function that came in as an argument of the running one.
fn local_function(world: &dyn World, name: &str, frame: &Frame) -> Option<Value> {
    let components = world.components();
    frame
        .locals
        .iter()
        .find(|(id, value)| {
            matches!(value, Value::Function(..)) && components[**id].name.as_str() == name
        })
        .map(|(_, value)| value.clone())
}

fn call_bound(
    world: &mut dyn World,
    name: &str,
    bound: &[(Name, Value)],
    args: Vec<Value>,
    ty: &Type,
    frame: &Frame,
) -> Eval {
    let Some(function) = world.function(name) else {
        return Err(Fail::new(format!("`{name}` cannot be evaluated")));
    };
    let mut args = args.into_iter();
    let mut all = Vec::new();
    for &id in &function.variables {
        let component = &world.components()[id];
        if component.causality != Some(Causality::Input) {
            continue;
        }
        let own = component.name;
        match bound.iter().find(|(input, _)| *input == own) {
            Some((_, value)) => all.push(value.clone()),
            None => match args.next() {
                Some(value) => all.push(value),
                None => break,
            },
        }
    }
    run(world, &function, all, ty, frame.depth)
}

fn run(
    world: &mut dyn World,
    function: &Arc<Function>,
    args: Vec<Value>,
    ty: &Type,
    depth: u32,
) -> Eval {
    if let FunctionBody::RecordConstructor = function.body {
        return construct(world, function, args, ty, depth);
    }
    if let FunctionBody::External { name, .. } = &function.body {
        let value = external(name, &args).map(|value| of_output(world, function, value));
        return value
            .ok_or_else(|| Fail::new(format!("`{}` {}", function.name, super::store::FOREIGN)));
    }
    let statements: &[Statement] = match &function.body {
        FunctionBody::Algorithm(statements) => statements,
        // The declarations of the outputs say all there is to compute.
        FunctionBody::Partial if outputs_are_bound(world, function) => &[],
        _ => {
            return Err(Fail::lacking(format!(
                "`{}` has no algorithm",
                function.name
            )));
        }
    };
    let mut frame = Frame {
        depth: depth + 1,
        ..Frame::default()
    };
    let mut args = args.into_iter();
    for &id in &function.variables {
        let component = &world.components()[id];
        let own = Type::array(component.ty.clone(), component.dims.clone());
        if component.causality == Some(Causality::Input)
            && let Some(value) = args.next()
        {
            frame.locals.insert(id, cast(value, &own));
            continue;
        }
        let binding = component
            .binding
            .as_ref()
            .map(|binding| binding.exp.clone());
        let value = match binding {
            Some(exp) => Some(cast(eval(world, &exp, &mut frame)?, &own)),
            None => initial_value(world, id, &own, &mut frame),
        };
        if let Some(value) = value {
            frame.locals.insert(id, value);
        }
    }
    if let Flow::Break = block(world, statements, &mut frame)? {
        return Err(Fail::new("`break` outside a loop"));
    }
    let mut outputs = Vec::new();
    for &id in &function.variables {
        if world.components()[id].causality == Some(Causality::Output) {
            let name = world.components()[id].name;
            let value = frame.locals.remove(&id);
            outputs
                .push(value.ok_or_else(|| Fail::new(format!("output `{name}` was not computed")))?);
        }
    }
    match outputs.len() {
        1 => outputs.pop().ok_or_else(|| Fail::new("no output")),
        _ => Ok(Value::Tuple(outputs)),
    }
}

fn outputs_are_bound(world: &mut dyn World, function: &Function) -> bool {
    let outputs: Vec<ComponentId> = (function.variables.iter().copied())
        .filter(|&id| world.components()[id].causality == Some(Causality::Output))
        .collect();
    !outputs.is_empty() && outputs.into_iter().all(|id| is_bound(world, id))
}

/// Whether the declaration of a variable, or of all its fields, says its value.
fn is_bound(world: &mut dyn World, id: ComponentId) -> bool {
    if world.components()[id].binding.is_some() {
        return true;
    }
    let parts = world.parts(id);
    !parts.is_empty() && parts.into_iter().all(|part| is_bound(world, part))
}

/// What an external function gives: C knows the literals of an enumeration by their numbers (§12.9.1.1).
fn of_output(world: &mut dyn World, function: &Function, value: Value) -> Value {
    let components = world.components();
    let output = (function.variables.iter())
        .find(|id| components[**id].causality == Some(Causality::Output));
    match (output.map(|id| &components[*id].ty), &value) {
        (Some(Type::Enumeration(ty)), Value::Int(number)) => match u32::try_from(*number) {
            Ok(number) => Value::Enum(ty.clone(), number),
            Err(_) => value,
        },
        _ => value,
    }
}

/// The functions on Strings that libraries implement in C and that models use to choose their structure.
fn external(name: &str, args: &[Value]) -> Option<Value> {
    match (name, args) {
        ("ModelicaStrings_length", [Value::Str(text)]) => Some(Value::Int(text.len() as i64)),
        ("ModelicaStrings_substring", [Value::Str(text), Value::Int(start), Value::Int(end)]) => {
            let (start, end) = (
                usize::try_from(start.checked_sub(1)?).ok()?,
                usize::try_from(*end).ok()?,
            );
            text.get(start..end).map(|part| Value::Str(part.into()))
        }
        ("ModelicaStrings_compare", [Value::Str(a), Value::Str(b), Value::Bool(case)]) => {
            let order = if *case {
                a.cmp(b)
            } else {
                a.to_lowercase().cmp(&b.to_lowercase())
            };
            Some(Value::Int(order as i64 + 2))
        }
        // The functions of C's <math.h> mean what Modelica's mean.
        ("fabs", [x]) => Some(Value::Real(x.as_real()?.abs())),
        ("atan2", [y, x]) => Some(Value::Real(libm::atan2(y.as_real()?, x.as_real()?))),
        ("pow", [x, y]) => {
            let value = crate::builtin::power(x.as_real()?, y.as_real()?);
            value.is_finite().then_some(Value::Real(value))
        }
        (name, [x]) => super::builtin::math(name, x.as_real()?).map(Value::Real),
        _ => None,
    }
}

/// A field of the record that a function gives which the declaration of the output settles, `output R r(n = k)`: a
/// parameter is not assigned by the algorithm, so it is known even if the algorithm cannot be run.
pub(super) fn declared_field(
    world: &mut dyn World,
    call: &crate::exp::Call,
    field: Name,
) -> Option<Value> {
    let crate::exp::Callee::User(name) = &call.function else {
        return None;
    };
    let function = world.function(name)?;
    let mut frame = Frame {
        depth: 1,
        ..Frame::default()
    };
    let mut args = call.args.iter();
    let mut output = None;
    for &id in &function.variables {
        match world.components()[id].causality {
            Some(Causality::Input) => {
                let value = eval(world, args.next()?, &mut Frame::default());
                if let Ok(value) = value {
                    frame.locals.insert(id, value);
                }
            }
            Some(Causality::Output) => output = output.or(Some(id)),
            None => {}
        }
    }
    let part = (world.parts(output?).into_iter()).find(|&id| {
        let component = &world.components()[id];
        component.name == field && component.variability <= Variability::Parameter
    })?;
    let binding = world.components()[part].binding.as_ref()?.exp.clone();
    eval(world, &binding, &mut frame).ok()
}

/// What a variable holds before it is assigned, sizes that depend on inputs worked out; records take the values
/// of their fields' declarations.
fn initial_value(
    world: &mut dyn World,
    id: ComponentId,
    ty: &Type,
    frame: &mut Frame,
) -> Option<Value> {
    let mut dims = Vec::with_capacity(ty.rank());
    for dim in ty.dims() {
        dims.push(match dim {
            Dim::Flexible(Some(exp)) => match eval(world, exp, frame).ok()? {
                Value::Int(size) => Dim::Known(size),
                _ => return None,
            },
            Dim::Flexible(None) => Dim::Known(0),
            other => other.clone(),
        });
    }
    let Type::Record(record) = ty.element() else {
        return Value::default_of(&Type::array(ty.element().clone(), dims));
    };
    let mut fields = Vec::new();
    for part in world.parts(id) {
        let component = &world.components()[part];
        let own = Type::array(component.ty.clone(), component.dims.clone());
        let binding = component
            .binding
            .as_ref()
            .map(|binding| binding.exp.clone());
        let value = match binding {
            Some(exp) => cast(eval(world, &exp, frame).ok()?, &own),
            None => initial_value(world, part, &own, frame)?,
        };
        // Sizes of the fields that follow may read this one.
        frame.locals.insert(part, value.clone());
        fields.push(value);
    }
    let mut value = Value::Record(record.clone(), Arc::new(fields));
    for dim in dims.into_iter().rev() {
        value = Value::array(
            vec![value; dim.known()?.clamp(0, 100_000) as usize],
            ty.element(),
        );
    }
    Some(value)
}

fn construct(
    world: &mut dyn World,
    function: &Arc<Function>,
    args: Vec<Value>,
    ty: &Type,
    depth: u32,
) -> Eval {
    let Type::Record(record) = ty else {
        return Err(Fail::new("not a record"));
    };
    let mut frame = Frame {
        depth: depth + 1,
        ..Frame::default()
    };
    let mut args = args.into_iter();
    // Inputs come first among the variables, in the order of the arguments.
    for &id in &function.variables {
        let component = &world.components()[id];
        let own = Type::array(component.ty.clone(), component.dims.clone());
        match args.next() {
            Some(value) => {
                frame.locals.insert(id, cast(value, &own));
            }
            None => {
                let binding = component
                    .binding
                    .as_ref()
                    .map(|binding| binding.exp.clone());
                let name = component.name;
                let exp =
                    binding.ok_or_else(|| Fail::new(format!("field `{name}` has no value")))?;
                let value = cast(eval(world, &exp, &mut frame)?, &own);
                frame.locals.insert(id, value);
            }
        }
    }
    let mut fields = Vec::with_capacity(record.fields.len());
    for (name, _) in &record.fields {
        let id = function
            .variables
            .iter()
            .find(|id| world.components()[**id].name == *name);
        let value = id.and_then(|id| frame.locals.get(id)).cloned();
        fields.push(value.ok_or_else(|| Fail::new(format!("field `{name}` has no value")))?);
    }
    // Sizes that the type leaves open follow from the values.
    let types = record
        .fields
        .iter()
        .zip(&fields)
        .map(|((name, _), value)| (*name, value.ty()))
        .collect();
    let own = crate::ty::RecordType {
        path: record.path.clone(),
        fields: types,
    };
    Ok(Value::Record(Arc::new(own), Arc::new(fields)))
}

fn block(world: &mut dyn World, statements: &[Statement], frame: &mut Frame) -> Eval<Flow> {
    for statement in statements {
        let flow = execute(world, &statement.kind, frame).map_err(|fail| {
            // What never ends is a loop, not the statement at which somebody gave up.
            let is_loop = matches!(
                statement.kind,
                StatementKind::While { .. } | StatementKind::For { .. }
            );
            let is_long = fail.reason == super::TOO_LONG;
            if is_loop && is_long && fail.place.is_none() {
                world.gave_up(Some(statement.place));
            }
            match fail.wrong && (is_loop || !is_long) {
                true => fail.at(statement.place),
                false => fail,
            }
        });
        match flow? {
            Flow::Next => {}
            other => return Ok(other),
        }
    }
    Ok(Flow::Next)
}

fn execute(world: &mut dyn World, statement: &StatementKind, frame: &mut Frame) -> Eval<Flow> {
    spend(world, 0)?;
    match statement {
        StatementKind::Assign { target, value, .. } => {
            let value = eval(world, value, frame)?;
            assign_to(world, target, value, frame)?;
        }
        StatementKind::If { branches, else_ } => {
            for (condition, body) in branches {
                if eval(world, condition, frame)? == Value::Bool(true) {
                    return block(world, body, frame);
                }
            }
            return block(world, else_, frame);
        }
        StatementKind::For {
            iterator,
            range,
            body,
        } => {
            let Some(range) = range else {
                return Err(Fail::new("a loop without range"));
            };
            let range = eval(world, range, frame)?;
            for item in range.items().ok_or_else(|| Fail::new("not a vector"))? {
                frame.iterators.push((*iterator, item.clone()));
                let flow = block(world, body, frame);
                frame.iterators.pop();
                match flow? {
                    Flow::Next => {}
                    Flow::Break => break,
                    Flow::Return => return Ok(Flow::Return),
                }
            }
        }
        StatementKind::While { condition, body } => {
            while eval(world, condition, frame)? == Value::Bool(true) {
                match block(world, body, frame)? {
                    Flow::Next => {}
                    Flow::Break => break,
                    Flow::Return => return Ok(Flow::Return),
                }
            }
        }
        StatementKind::Assert {
            condition,
            message,
            level,
        } => {
            if eval(world, condition, frame)? == Value::Bool(false) && !only_warns(level) {
                let text = match eval(world, message, frame) {
                    Ok(Value::Str(text)) => text.to_string(),
                    _ => String::new(),
                };
                return Err(Fail::wrong(format!("an assertion failed: {text}")));
            }
        }
        StatementKind::Break => return Ok(Flow::Break),
        StatementKind::Return => return Ok(Flow::Return),
        StatementKind::Call(call) => {
            eval(world, call, frame)?;
        }
        StatementKind::When { .. }
        | StatementKind::Terminate { .. }
        | StatementKind::Reinit { .. } => {
            return Err(Fail::new(
                "a statement that only makes sense during the simulation",
            ));
        }
    }
    Ok(Flow::Next)
}

/// Whether an assertion that does not hold is worth a warning only: the function goes on.
fn only_warns(level: &Exp) -> bool {
    matches!(level, Exp::Enum(ty, index)
        if ty.literals.get((*index as usize).wrapping_sub(1)).is_some_and(|it| it.as_str() == "warning"))
}

fn assign_to(world: &mut dyn World, target: &Exp, value: Value, frame: &mut Frame) -> Eval<()> {
    match target {
        Exp::Ref(cref) => assign(world, cref, value, frame),
        Exp::Tuple(targets) => {
            let values = match value {
                Value::Tuple(values) => values,
                one => vec![one],
            };
            for (target, value) in targets.iter().zip(values) {
                if let Some(target) = target {
                    assign_to(world, target, value, frame)?;
                }
            }
            Ok(())
        }
        _ => Err(Fail::new(
            "an assignment to something that is not a variable",
        )),
    }
}

/// One step into a variable.
enum Step {
    Index(Vec<Select>),
    Field(Name),
}

fn assign(world: &mut dyn World, cref: &Cref, value: Value, frame: &mut Frame) -> Eval<()> {
    let Some(first) = cref.parts.first() else {
        return Err(Fail::new("an empty reference"));
    };
    let mut steps = Vec::new();
    for (position, part) in cref.parts.iter().enumerate() {
        if position > 0 {
            steps.push(Step::Field(world.components()[part.component].name));
        }
        if !part.subscripts.is_empty() {
            steps.push(Step::Index(eval_subscripts(
                world,
                &part.subscripts,
                frame,
            )?));
        }
    }
    let value = cast(value, &cref.ty);
    if steps.is_empty() {
        frame.locals.insert(first.component, value);
        return Ok(());
    }
    let slot = frame
        .locals
        .get_mut(&first.component)
        .ok_or_else(|| Fail::new("a variable that has no value yet"))?;
    store(slot, &steps, value)
}

fn store(slot: &mut Value, steps: &[Step], value: Value) -> Eval<()> {
    let Some((step, rest)) = steps.split_first() else {
        *slot = value;
        return Ok(());
    };
    match (step, slot) {
        (Step::Field(name), Value::Record(ty, fields)) => {
            let at = ty.fields.iter().position(|(field, _)| field == name);
            let fields = Arc::make_mut(fields);
            let field = at
                .and_then(|at| fields.get_mut(at))
                .ok_or_else(|| Fail::new("no such field"))?;
            store(field, rest, value)
        }
        (Step::Index(selects), slot) => store_index(slot, selects, rest, value),
        _ => Err(Fail::new("no such field")),
    }
}

fn store_index(slot: &mut Value, selects: &[Select], rest: &[Step], value: Value) -> Eval<()> {
    let Some((select, others)) = selects.split_first() else {
        return store(slot, rest, value);
    };
    let Value::Array(items, _) = slot else {
        return Err(Fail::new("subscripts on a scalar"));
    };
    let items = Arc::make_mut(items);
    let size = items.len();
    let positions: Vec<i64> = match select {
        Select::One(position) => {
            let item = items
                .get_mut((*position - 1) as usize)
                .filter(|_| *position >= 1);
            let item = item.ok_or_else(|| {
                Fail::wrong(format!(
                    "subscript {position} is out of bounds: the dimension has size {size}"
                ))
            })?;
            return store_index(item, others, rest, value);
        }
        Select::All => (1..=size as i64).collect(),
        Select::Many(positions) => positions.clone(),
    };
    let Value::Array(values, _) = value else {
        return Err(Fail::new("a scalar for a slice"));
    };
    if values.len() != positions.len() {
        return Err(Fail::new("arrays of different sizes"));
    }
    for (position, value) in positions.into_iter().zip(values.iter()) {
        let item = items
            .get_mut((position - 1) as usize)
            .filter(|_| position >= 1);
        let item = item.ok_or_else(|| Fail::new("a subscript is out of bounds"))?;
        store_index(item, others, rest, value.clone())?;
    }
    Ok(())
}
