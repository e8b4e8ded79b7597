//! From flat expressions to nodes of one graph.
//!
//! Parameters are numbers wherever they can be; a relation between values that change with time becomes the slot of a
//! condition that is held between events; `pre`, `sample` and `delay` become slots that the run fills.

use super::alias::Aliases;
use super::slots::{INITIAL, Key, LAMBDA, RIGHT, Slots, TERMINAL, TIME};
use super::value::{Value, Why, known, width};
use crate::tape::{Binary, CallArg, Derivatives, Functions, Graph, Op, Reg, Unary, Unsupported};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_code::Shape;
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, GroupId, Origin, VarId, Variable};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, Reduction, Subscript, UnaryOp};
use modeshift_inst::ty::{Type, Variability};
use modeshift_mdae::sym::RelOp;
use std::sync::Arc;

/// How a variable of the flat model gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Before the run.
    Constant,
    /// With the initial values.
    Free,
    /// From outside.
    Input,
    /// At events only.
    Discrete,
    Continuous,
    /// Strings and external objects.
    Text,
}

/// Something that changes at events only, and makes one when it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeldKind {
    Relation(RelOp, Reg, Reg),
    /// An integer part.
    Round(Unary, Reg),
}

#[derive(Clone, Debug)]
pub struct Held {
    pub kind: HeldKind,
    /// What it is at an event.
    pub value: Reg,
    pub slot: u32,
    /// For a relation that is decided by time and held values: the derivative of `a - b` by time.
    pub time_slope: Option<Reg>,
    pub origin: Option<Arc<Origin>>,
}

/// `lhs = rhs`, scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub lhs: Reg,
    pub rhs: Reg,
    /// Whether the unknown is a number that may change continuously.
    pub real: bool,
    /// It comes from a `when` or an algorithm, which are for instants.
    pub at_instants: bool,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct Reinit {
    pub fires: Reg,
    pub variable: u32,
    pub value: Reg,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct Assertion {
    /// 0 where it is violated.
    pub holds: Reg,
    pub message: String,
    pub warning: bool,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct End {
    pub fires: Reg,
    pub message: String,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Copy, Debug)]
pub struct Delay {
    pub node: Reg,
    pub time: Reg,
    pub slot: u32,
}

/// Start and interval may follow from the initial equations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    pub start: Reg,
    pub interval: Reg,
    pub slot: u32,
}

/// A construct that cannot be simulated, and where it stands.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub why: Why,
    pub origin: Option<Arc<Origin>>,
    /// The structure of the model changes with its conditions: this is for mode changes with restarts.
    pub structural: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    No,
    /// Its binding is being followed.
    Open,
    Yes(Reg),
}

pub struct Lowering<'a> {
    pub flat: &'a FlatModel,
    pub functions: &'a Functions,
    pub graph: Graph,
    pub slots: Slots,
    pub class: Vec<Class>,
    pub aliases: Aliases,
    pub overrides: &'a FxHashMap<u32, f64>,
    params: Vec<Known>,
    /// Parameters that the initial equations determine, with their bindings.
    pub free: Vec<(u32, Option<Reg>)>,
    moving: Vec<bool>,
    pub held: Vec<Held>,
    held_index: FxHashMap<HeldKind, u32>,
    pub samples: Vec<Sample>,
    pub delays: Vec<Delay>,
    /// Auxiliary Boolean variables follow the variables of the model.
    pub n_variables: u32,
    pub no_event: bool,
    pub iterators: Vec<(Name, Reg)>,
    /// Inside an algorithm: the values that variables have at present.
    pub env: Option<FxHashMap<u32, Reg>>,
    /// Whether `homotopy` is a way from the simplified to the actual expression.
    pub homotopy: bool,
    pub has_homotopy: bool,
    pub derivatives: Derivatives,
    /// Under what condition the current statement is reached.
    pub path: Reg,
    pub equations: Vec<Scalar>,
    pub initial: Vec<Scalar>,
    pub reinits: Vec<Reinit>,
    pub assertions: Vec<Assertion>,
    pub ends: Vec<End>,
    pub origin: Option<Arc<Origin>>,
    /// While a parameter is computed, which happens once.
    in_parameter: bool,
    /// The variables that watch conditions of `when`.
    pub watches: FxHashMap<Reg, u32>,
    /// The derivative of a delayed value was asked for; it is not kept.
    pub delayed_derivative: bool,
}

impl<'a> Lowering<'a> {
    pub fn new(
        flat: &'a FlatModel,
        functions: &'a Functions,
        overrides: &'a FxHashMap<u32, f64>,
        homotopy: bool,
    ) -> Self {
        let class = super::classify::classes(flat);
        let aliases = Aliases::new(flat, &class);
        let mut graph = Graph::default();
        let path = graph.constant(1.0);
        Self {
            flat,
            functions,
            graph,
            slots: Slots::default(),
            params: vec![Known::No; class.len()],
            n_variables: class.len() as u32,
            class,
            aliases,
            overrides,
            free: Vec::new(),
            moving: Vec::new(),
            held: Vec::new(),
            held_index: FxHashMap::default(),
            samples: Vec::new(),
            delays: Vec::new(),
            no_event: false,
            iterators: Vec::new(),
            env: None,
            homotopy,
            has_homotopy: false,
            derivatives: Derivatives::default(),
            path,
            equations: Vec::new(),
            initial: Vec::new(),
            reinits: Vec::new(),
            assertions: Vec::new(),
            ends: Vec::new(),
            origin: None,
            delayed_derivative: false,
            watches: FxHashMap::default(),
            in_parameter: false,
        }
    }

    pub fn variable(&self, v: u32) -> &'a Variable {
        &self.flat.variables[VarId::new(v as usize)]
    }

    pub fn name(&self, v: u32) -> String {
        match self.flat.variables.get(VarId::new(v as usize)) {
            Some(variable) => format!("`{}`", variable.name),
            None => "a condition of `when`".to_owned(),
        }
    }

    /// The unknown that a variable is.
    pub fn aliases_of(&self, v: u32) -> u32 {
        if (v as usize) < self.class.len() {
            self.aliases.of(v).0
        } else {
            v
        }
    }

    pub fn refuse(&self, why: Why) -> Refusal {
        Refusal {
            why,
            origin: self.origin.clone(),
            structural: false,
        }
    }

    /// A Boolean variable of our own.
    pub fn auxiliary(&mut self) -> u32 {
        self.n_variables += 1;
        self.n_variables - 1
    }

    pub fn slot(&mut self, key: Key) -> Reg {
        let slot = self.slots.of(key);
        self.graph.input(slot)
    }

    pub fn class_of(&self, v: u32) -> Class {
        self.class
            .get(v as usize)
            .copied()
            .unwrap_or(Class::Discrete)
    }

    /// Whether a node may change between events.
    pub fn moves(&mut self, reg: Reg) -> bool {
        for node in self.moving.len()..self.graph.len() {
            let moves = match self.graph.op(node as Reg) {
                Op::Const(_) => false,
                Op::Input(slot) => self.slot_moves(slot),
                op => op
                    .operands()
                    .into_iter()
                    .flatten()
                    .any(|r| self.moving[r as usize]),
            };
            self.moving.push(moves);
        }
        self.moving[reg as usize]
    }

    pub fn slot_moves(&self, slot: u32) -> bool {
        match self.slots.key(slot) {
            None => slot == TIME,
            Some(Key::Var(v, 0)) => match self.class_of(v) {
                Class::Continuous => true,
                Class::Input => matches!(self.variable(v).ty, Type::Real),
                _ => false,
            },
            Some(Key::Var(..) | Key::Delay(_)) => true,
            Some(Key::Pre(_) | Key::Held(_) | Key::Sample(_)) => false,
        }
    }

    pub fn var(&mut self, v: u32) -> Result<Reg, Why> {
        if let Some(env) = &self.env
            && let Some(&reg) = env.get(&v)
        {
            return Ok(reg);
        }
        match self.class_of(v) {
            Class::Constant | Class::Free => self.param(v),
            Class::Text => Err(format!("`{}` is no number", self.variable(v).name)),
            _ => {
                let (unknown, negative) = self.aliases.of(v);
                Ok(self.signed(Key::Var(unknown, 0), negative))
            }
        }
    }

    pub fn signed(&mut self, key: Key, negative: bool) -> Reg {
        let reg = self.slot(key);
        if negative { self.graph.neg(reg) } else { reg }
    }

    /// A parameter: a number, or the slot of one that the initial values determine.
    pub fn param(&mut self, v: u32) -> Result<Reg, Why> {
        let variable = self.variable(v);
        match self.params[v as usize] {
            Known::Yes(reg) => return Ok(reg),
            Known::Open => {
                return Err(format!(
                    "the parameter `{}` depends on itself",
                    variable.name
                ));
            }
            Known::No => {}
        }
        if let Some(&value) = self.overrides.get(&v) {
            let reg = self.graph.constant(value);
            self.params[v as usize] = Known::Yes(reg);
            return Ok(reg);
        }
        self.params[v as usize] = Known::Open;
        let result = self.param_value(v, variable);
        self.params[v as usize] = Known::No;
        let reg = result?;
        self.params[v as usize] = Known::Yes(reg);
        Ok(reg)
    }

    fn param_value(&mut self, v: u32, variable: &Variable) -> Result<Reg, Why> {
        let outer = (
            self.env.take(),
            std::mem::replace(&mut self.no_event, true),
            std::mem::take(&mut self.iterators),
        );
        let nested = std::mem::replace(&mut self.in_parameter, true);
        let value = match &variable.binding {
            Some(binding) => self.scalar(binding).map(Some),
            None => Ok(None),
        };
        self.in_parameter = nested;
        (self.env, self.no_event, self.iterators) = outer;
        let value = value.map_err(|why| format!("the parameter `{}`: {why}", variable.name))?;
        if let Some(reg) = value
            && self.graph.value(reg).is_some()
        {
            return Ok(reg);
        }
        if value.is_none() && self.attribute(v, "fixed") != Some(0.0) {
            return self.start(v).map(|(reg, _)| reg);
        }
        self.free.push((v, value));
        self.class[v as usize] = Class::Free;
        Ok(self.slot(Key::Var(v, 0)))
    }

    /// After the graph was rewritten.
    pub(super) fn map_parameters(&mut self, map: &mut dyn FnMut(&mut Reg)) {
        for known in &mut self.params {
            if let Known::Yes(reg) = known {
                map(reg);
            }
        }
        self.moving.clear();
        self.held_index.clear();
        self.watches.clear();
    }

    /// The value of an attribute that is a number.
    pub fn attribute(&mut self, v: u32, name: &str) -> Option<f64> {
        let reg = self.attribute_node(v, name)?.ok()?;
        self.graph.value(reg)
    }

    fn attribute_node(&mut self, v: u32, name: &str) -> Option<Result<Reg, Why>> {
        let attributes = &self.variable(v).attributes;
        let attribute = attributes.iter().find(|a| a.name.as_str() == name)?;
        let outer = (
            self.env.take(),
            std::mem::replace(&mut self.no_event, true),
            std::mem::take(&mut self.iterators),
        );
        let value = self.scalar(&attribute.value);
        (self.env, self.no_event, self.iterators) = outer;
        Some(value)
    }

    /// The start value, and whether the model gives one.
    pub fn start(&mut self, v: u32) -> Result<(Reg, bool), Why> {
        if v >= self.class.len() as u32 {
            return Ok((self.graph.constant(0.0), false));
        }
        if let Some(value) = self.attribute_node(v, "start") {
            return Ok((value?, true));
        }
        let default = match self.variable(v).ty {
            Type::Enumeration(_) => 1.0,
            _ => {
                let (min, max) = (self.attribute(v, "min"), self.attribute(v, "max"));
                match (min, max) {
                    (Some(min), _) if min > 0.0 => min,
                    (_, Some(max)) if max < 0.0 => max,
                    _ => 0.0,
                }
            }
        };
        Ok((self.graph.constant(default), false))
    }

    pub fn scalar(&mut self, exp: &FlatExp) -> Result<Reg, Why> {
        self.exp(exp)?.only()
    }

    /// A number that must be known now.
    pub fn number(&mut self, exp: &FlatExp) -> Result<f64, Why> {
        let reg = self.scalar(exp)?;
        let value = self.graph.value(reg);
        value.ok_or_else(|| "a size, range or subscript changes with time".to_owned())
    }

    fn constant(&mut self, value: f64) -> Result<Value, Why> {
        Ok(Value::scalar(self.graph.constant(value)))
    }

    pub fn group(&mut self, id: GroupId) -> Result<Value, Why> {
        let group = &self.flat.groups[id];
        let items = group.members.iter();
        let items: Vec<Reg> = items
            .map(|member| self.var(member.index() as u32))
            .collect::<Result<_, _>>()?;
        Value::typed(&group.ty, items)
            .ok_or_else(|| format!("the size of `{}` is not known", group.name))
    }

    /// A group whose type is that of what `open` subscripts choose: its sizes follow from the names of its members.
    pub fn open_group(&mut self, id: GroupId, open: usize) -> Result<Value, Why> {
        let group = &self.flat.groups[id];
        let items = group.members.iter();
        let items: Vec<Reg> = items
            .map(|member| self.var(member.index() as u32))
            .collect::<Result<_, _>>()?;
        let unknown = || format!("the size of `{}` is not known", group.name);
        let width = width(&group.ty).ok_or_else(unknown)?;
        if width == items.len() && group.ty.rank() >= open {
            return Value::typed(&group.ty, items).ok_or_else(unknown);
        }
        let mut different: Vec<FxHashSet<&str>> = Vec::new();
        for &member in &group.members {
            let found = missing_subscripts(&group.name, &self.flat.variables[member].name);
            different.resize(different.len().max(found.len()), FxHashSet::default());
            different
                .iter_mut()
                .zip(found)
                .for_each(|(set, subscript)| {
                    set.insert(subscript);
                });
        }
        let mut sizes: Vec<usize> = different.iter().map(FxHashSet::len).collect();
        sizes.truncate(open);
        if sizes.len() != open || sizes.iter().product::<usize>() * width != items.len() {
            return Err(unknown());
        }
        let record = match group.ty.element() {
            Type::Record(record) => Some(record.clone()),
            _ => None,
        };
        sizes.extend(known(group.ty.dims()).ok_or_else(unknown)?);
        Ok(Value {
            dims: sizes,
            items,
            record,
        })
    }

    pub fn exp(&mut self, exp: &FlatExp) -> Result<Value, Why> {
        match exp {
            Exp::Int(value) => self.constant(*value as f64),
            Exp::Real(value) => self.constant(*value),
            Exp::Bool(value) => self.constant(f64::from(*value)),
            Exp::Enum(_, literal) => self.constant(f64::from(*literal)),
            Exp::Str(text) => Ok(Value::scalar(self.functions.text(&mut self.graph, text))),
            Exp::Time => Ok(Value::scalar(self.graph.input(TIME))),
            Exp::Cast(_, inner) => self.exp(inner),
            Exp::Ref(FlatRef::Var(id)) => self.var(id.index() as u32).map(Value::scalar),
            Exp::Ref(FlatRef::Group(id)) => self.group(*id),
            Exp::Ref(FlatRef::Element(id, subscripts)) => {
                let whole = self.open_group(*id, subscripts.len())?;
                self.select(&whole, subscripts)
            }
            Exp::Ref(FlatRef::Local(_)) => {
                Err("a variable of a function stands in an equation".to_owned())
            }
            Exp::Iterator(name) => {
                let mut list = self.iterators.iter().rev();
                let found = list.find(|(iterator, _)| iterator == name);
                let reg = found.map(|(_, reg)| *reg);
                reg.map(Value::scalar)
                    .ok_or_else(|| format!("the iterator `{name}` has no value"))
            }
            Exp::Array(items, ty) => self.array(items, ty),
            Exp::Range(range) => {
                let start = self.number(&range.start)?;
                let stop = self.number(&range.stop)?;
                let step = match &range.step {
                    Some(step) => self.number(step)?,
                    None => 1.0,
                };
                let count = ((stop - start) / step + 1.0 + 1e-10).floor();
                if count.is_nan() || count >= 1e6 {
                    return Err("a range is too long".to_owned());
                }
                let count = count.max(0.0) as usize;
                let items = (0..count).map(|i| self.graph.constant(start + i as f64 * step));
                Ok(Value::new(vec![count], items.collect()))
            }
            Exp::Record(ty, fields) => {
                let mut items = Vec::new();
                for field in fields {
                    items.extend(self.exp(field)?.items);
                }
                Value::typed(ty, items)
                    .ok_or_else(|| "the size of a record is not known".to_owned())
            }
            Exp::Field(inner, name) => self.exp(inner)?.field(*name),
            Exp::Unary(op, inner) => {
                let mut value = self.exp(inner)?;
                for item in &mut value.items {
                    *item = match op {
                        UnaryOp::Neg => self.graph.neg(*item),
                        UnaryOp::Not => self.not(*item),
                    };
                }
                Ok(value)
            }
            Exp::Binary(op, sides) => self.binary(*op, &sides.0, &sides.1),
            Exp::If(branch) => {
                let condition = self.scalar(&branch.condition)?;
                match self.graph.value(condition) {
                    Some(holds) if holds != 0.0 => self.exp(&branch.then),
                    Some(_) => self.exp(&branch.else_),
                    None => {
                        let (a, mut b) = (self.exp(&branch.then)?, self.exp(&branch.else_)?);
                        if a.items.len() != b.items.len() {
                            return Err("the branches of an `if` differ in size".to_owned());
                        }
                        for (b, a) in b.items.iter_mut().zip(a.items) {
                            *b = self.graph.select(condition, a, *b);
                        }
                        Ok(b)
                    }
                }
            }
            Exp::Call(call) => match &call.function {
                Callee::Builtin(name) => self.builtin(name.as_str(), &call.args, &call.ty),
                Callee::User(name) => {
                    let mut outputs = self.user_call(name, &call.args, &call.ty)?;
                    if outputs.is_empty() {
                        return Err(format!("`{name}` has no output"));
                    }
                    Ok(outputs.swap_remove(0))
                }
            },
            Exp::TupleElement(inner, output) => {
                let Exp::Call(call) = &**inner else {
                    return Err("an element of this tuple is not known".to_owned());
                };
                let Callee::User(name) = &call.function else {
                    return Err("an element of this tuple is not known".to_owned());
                };
                let mut outputs = self.user_call(name, &call.args, &call.ty)?;
                let index = (*output as usize).saturating_sub(1);
                if index >= outputs.len() {
                    return Err(format!("`{name}` has no output {output}"));
                }
                Ok(outputs.swap_remove(index))
            }
            Exp::Size(array, dim) => {
                let dims = self.exp(array)?.dims;
                match dim {
                    Some(dim) => {
                        let index = self.number(dim)? as usize;
                        let size = dims.get(index.wrapping_sub(1)).copied();
                        let size = size.ok_or_else(|| "there is no such dimension".to_owned())?;
                        self.constant(size as f64)
                    }
                    None => {
                        let items: Vec<Reg> = dims
                            .iter()
                            .map(|&d| self.graph.constant(d as f64))
                            .collect();
                        Ok(Value::new(vec![items.len()], items))
                    }
                }
            }
            Exp::Reduction(reduction) => self.reduction(reduction),
            Exp::Subscripted(inner, subscripts) => {
                let whole = self.exp(inner)?;
                self.select(&whole, subscripts)
            }
            Exp::TypeRange(dim) => {
                let count = dim.known().unwrap_or(0).max(0);
                let boolean = matches!(dim, modeshift_inst::ty::Dim::Boolean);
                let first = i64::from(!boolean);
                let items = (0..count).map(|i| self.graph.constant((i + first) as f64));
                Ok(Value::new(vec![count as usize], items.collect()))
            }
            Exp::Tuple(_) => Err("a tuple stands where a value is expected".to_owned()),
            Exp::PartialFunction(..) => Err("a function is passed as a value".to_owned()),
            Exp::Error => Err("an expression with an error".to_owned()),
        }
    }

    fn array(&mut self, items: &[FlatExp], ty: &Type) -> Result<Value, Why> {
        let parts: Vec<Value> = items
            .iter()
            .map(|item| self.exp(item))
            .collect::<Result<_, _>>()?;
        let mut dims = vec![parts.len()];
        match parts.first() {
            Some(first) => dims.extend(&first.dims),
            None => dims.extend(known(ty.dims()).unwrap_or_default().iter().skip(1)),
        }
        let record = parts.first().and_then(|part| part.record.clone());
        let items = parts.into_iter().flat_map(|part| part.items).collect();
        Ok(Value {
            dims,
            items,
            record,
        })
    }

    fn reduction(&mut self, reduction: &Reduction<FlatRef>) -> Result<Value, Why> {
        let Callee::Builtin(name) = &reduction.function else {
            return Err("a reduction with a function of its own".to_owned());
        };
        let (mut dims, mut items, mut inner) = (Vec::new(), Vec::new(), None);
        self.iterate(
            &reduction.iterators,
            &reduction.body,
            &mut dims,
            &mut items,
            &mut inner,
        )?;
        if name.as_str() == "array" {
            let inner = inner.unwrap_or_else(|| Value::new(Vec::new(), Vec::new()));
            dims.extend(inner.dims);
            return Ok(Value {
                dims,
                items,
                record: inner.record,
            });
        }
        self.fold(name.as_str(), &items)
    }

    fn iterate(
        &mut self,
        iterators: &[(Name, FlatExp)],
        body: &FlatExp,
        dims: &mut Vec<usize>,
        items: &mut Vec<Reg>,
        shape: &mut Option<Value>,
    ) -> Result<(), Why> {
        let Some(((name, range), rest)) = iterators.split_first() else {
            let value = self.exp(body)?;
            items.extend(&value.items);
            *shape = Some(value);
            return Ok(());
        };
        let range = self.exp(range)?.items;
        let depth = dims.len();
        dims.push(range.len());
        for item in range {
            dims.truncate(depth + 1);
            self.iterators.push((*name, item));
            let result = self.iterate(rest, body, dims, items, shape);
            self.iterators.pop();
            result?;
        }
        Ok(())
    }

    pub fn fold(&mut self, name: &str, items: &[Reg]) -> Result<Value, Why> {
        let (op, start) = match name {
            "sum" => (Binary::Add, 0.0),
            "product" => (Binary::Mul, 1.0),
            "min" => (Binary::Min, f64::MAX),
            "max" => (Binary::Max, f64::MIN),
            _ => return Err(format!("the reduction `{name}` is not known")),
        };
        let mut items = items.iter();
        let Some(&first) = items.next() else {
            return self.constant(start);
        };
        let value = items.fold(first, |a, &b| self.graph.binary(op, a, b));
        Ok(Value::scalar(value))
    }

    /// Items chosen by subscripts; those that are not known choose at run time.
    pub fn select(
        &mut self,
        whole: &Value,
        subscripts: &[Subscript<FlatRef>],
    ) -> Result<Value, Why> {
        let width = whole.width();
        let Some((&size, rest)) = whole.dims.split_first() else {
            return if subscripts.is_empty() {
                Ok(whole.clone())
            } else {
                Err("a subscript of something that is no array".to_owned())
            };
        };
        let Some((first, more)) = subscripts.split_first() else {
            return Ok(whole.clone());
        };
        let stride = rest.iter().product::<usize>() * width;
        let slice = |i: usize| Value {
            dims: rest.to_vec(),
            items: whole.items[i * stride..(i + 1) * stride].to_vec(),
            record: whole.record.clone(),
        };
        let chosen: Vec<Reg> = match first {
            Subscript::All => (0..size)
                .map(|i| self.graph.constant((i + 1) as f64))
                .collect(),
            Subscript::Index(exp) => {
                let index = self.scalar(exp)?;
                let part = self.pick(index, size, &slice)?;
                return self.select(&part, more);
            }
            Subscript::Slice(exp) => self.exp(exp)?.items,
        };
        let mut dims = vec![chosen.len()];
        let mut items = Vec::new();
        let mut last = None;
        for index in chosen {
            let part = self.pick(index, size, &slice)?;
            let part = self.select(&part, more)?;
            items.extend(&part.items);
            last = Some(part);
        }
        match last {
            Some(part) => dims.extend(part.dims),
            None => dims.extend(rest),
        }
        Ok(Value {
            dims,
            items,
            record: whole.record.clone(),
        })
    }

    fn pick(
        &mut self,
        index: Reg,
        size: usize,
        slice: &dyn Fn(usize) -> Value,
    ) -> Result<Value, Why> {
        if let Some(value) = self.graph.value(index) {
            if !(value >= 1.0 && value <= size as f64) {
                return Err(format!("the subscript {value} is not between 1 and {size}"));
            }
            return Ok(slice(value as usize - 1));
        }
        if size == 0 {
            return Err("a subscript of an empty array".to_owned());
        }
        // Outside the bounds there is no value; what reads it ends the run, and a branch that is not taken is not read.
        let nothing = self.graph.constant(f64::NAN);
        let mut chosen = slice(size - 1);
        chosen.items.fill(nothing);
        for i in (0..size).rev() {
            let number = self.graph.constant((i + 1) as f64);
            let here = self.graph.compare(RelOp::Equal, index, number);
            for (item, other) in chosen.items.iter_mut().zip(slice(i).items) {
                *item = self.graph.select(here, other, *item);
            }
        }
        Ok(chosen)
    }

    pub fn not(&mut self, a: Reg) -> Reg {
        if let Op::Unary(Unary::Not, inner) = self.graph.op(a) {
            return inner;
        }
        self.graph.unary(Unary::Not, a)
    }

    pub fn and(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.graph.value(a), self.graph.value(b)) {
            (Some(x), _) => {
                if x != 0.0 {
                    b
                } else {
                    a
                }
            }
            (_, Some(y)) => {
                if y != 0.0 {
                    a
                } else {
                    b
                }
            }
            _ if a == b => a,
            _ => self.graph.binary(Binary::And, a, b),
        }
    }

    pub fn or(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.graph.value(a), self.graph.value(b)) {
            (Some(x), _) => {
                if x != 0.0 {
                    a
                } else {
                    b
                }
            }
            (_, Some(y)) => {
                if y != 0.0 {
                    b
                } else {
                    a
                }
            }
            _ if a == b => a,
            _ => self.graph.binary(Binary::Or, a, b),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &FlatExp, right: &FlatExp) -> Result<Value, Why> {
        use BinaryOp as B;
        let a = self.exp(left)?;
        // `x > 0 and f(x)`: what follows a decided condition need not be known.
        if let (B::And | B::Or, Ok(first)) = (op, a.only())
            && let Some(value) = self.graph.value(first)
            && (value != 0.0) == (op == B::Or)
        {
            return Ok(a);
        }
        let b = self.exp(right)?;
        match op {
            B::MatMul => self.matrix_product(&a, &b),
            B::MatPow => self.matrix_power(&a, right),
            B::Mul | B::Div
                if a.dims.len() + b.dims.len() > 0 && !(a.dims.is_empty() || b.dims.is_empty()) =>
            {
                if op == B::Mul {
                    self.matrix_product(&a, &b)
                } else {
                    Err("a quotient of arrays".to_owned())
                }
            }
            _ => {
                let dims = if a.dims.is_empty() {
                    b.dims.clone()
                } else {
                    a.dims.clone()
                };
                if !a.dims.is_empty() && !b.dims.is_empty() && a.dims != b.dims {
                    return Err("an operator has operands of different size".to_owned());
                }
                let count: usize = dims.iter().product();
                let at = |value: &Value, i: usize| {
                    value.items[if value.dims.is_empty() { 0 } else { i }]
                };
                if a.record.is_some() || b.record.is_some() {
                    return Err("an operator on records".to_owned());
                }
                let items = (0..count).map(|i| self.operator(op, at(&a, i), at(&b, i)));
                let items = items.collect::<Result<_, _>>()?;
                Ok(Value::new(dims, items))
            }
        }
    }

    fn operator(&mut self, op: BinaryOp, a: Reg, b: Reg) -> Result<Reg, Why> {
        use BinaryOp as B;
        let relation = match op {
            B::Less => RelOp::Less,
            B::LessEq => RelOp::LessEqual,
            B::Greater => RelOp::Greater,
            B::GreaterEq => RelOp::GreaterEqual,
            B::Equal => RelOp::Equal,
            B::NotEqual => RelOp::NotEqual,
            B::Add | B::AddElem => return Ok(self.graph.add(a, b)),
            B::Sub | B::SubElem => return Ok(self.graph.sub(a, b)),
            B::Mul | B::MulElem => return Ok(self.graph.mul(a, b)),
            B::Div | B::DivElem => return Ok(self.graph.div(a, b)),
            B::Pow | B::PowElem => return Ok(self.power(a, b)),
            B::And => return Ok(self.and(a, b)),
            B::Or => return Ok(self.or(a, b)),
            _ => return Err("an operator that is not known".to_owned()),
        };
        Ok(self.relation(relation, a, b))
    }

    pub fn power(&mut self, a: Reg, b: Reg) -> Reg {
        match self.graph.value(b) {
            Some(n) if n.fract() == 0.0 && n.abs() < 1e6 => self.graph.power(a, n as i32),
            Some(0.5) => self.graph.unary(Unary::Sqrt, a),
            _ => self.graph.binary(Binary::Pow, a, b),
        }
    }

    /// A relation; outside `noEvent` it is a condition of its own if it can change between events.
    pub fn relation(&mut self, op: RelOp, a: Reg, b: Reg) -> Reg {
        let direct = self.graph.compare(op, a, b);
        if self.no_event || matches!(op, RelOp::Equal | RelOp::NotEqual) || !self.moves(direct) {
            return direct;
        }
        self.hold(HeldKind::Relation(op, a, b))
    }

    /// An integer part.
    pub fn round(&mut self, op: Unary, a: Reg) -> Reg {
        if self.no_event || !self.moves(a) {
            return self.graph.unary(op, a);
        }
        self.hold(HeldKind::Round(op, a))
    }

    fn hold(&mut self, kind: HeldKind) -> Reg {
        if let Some(&index) = self.held_index.get(&kind) {
            return self.graph.input(self.held[index as usize].slot);
        }
        let index = self.held.len() as u32;
        let slot = self.slots.of(Key::Held(index));
        let (value, time_slope) = match kind {
            HeldKind::Relation(op, a, b) => self.right_limit(op, a, b),
            HeldKind::Round(op, a) => (self.graph.unary(op, a), None),
        };
        let origin = self.origin.clone();
        self.held.push(Held {
            kind,
            value,
            slot,
            time_slope,
            origin,
        });
        self.held_index.insert(kind, index);
        self.graph.input(slot)
    }

    /// A relation that time and held values decide is met exactly: at its instant it is what it is right after.
    fn right_limit(&mut self, op: RelOp, a: Reg, b: Reg) -> (Reg, Option<Reg>) {
        let direct = self.graph.compare(op, a, b);
        let read: Vec<u32> = self.graph.slots_of(direct);
        if read
            .iter()
            .any(|&slot| slot != TIME && self.slot_moves(slot))
        {
            return (direct, None);
        }
        let difference = self.graph.sub(a, b);
        let time = self.graph.input(TIME);
        let mut derivatives = Derivatives::default();
        let slope = derivatives.of(&mut self.graph, difference, &mut |graph, slot| {
            (slot == TIME).then(|| graph.constant(1.0))
        });
        let Some(slope) = slope else {
            return (direct, None);
        };
        if self.graph.slots_of(slope).contains(&TIME) {
            return (direct, None);
        }
        let zero = self.graph.constant(0.0);
        let rising = self.graph.compare(RelOp::Greater, slope, zero);
        let after = match op {
            RelOp::Greater | RelOp::GreaterEqual => rising,
            _ => self.not(rising),
        };
        let moved = self.graph.unary(Unary::Abs, difference);
        let size = self.graph.unary(Unary::Abs, time);
        let steep = self.graph.unary(Unary::Abs, slope);
        let size = self.graph.mul(size, steep);
        let part = self.graph.constant(16.0 * f64::EPSILON);
        let near = self.graph.mul(size, part);
        let near = self.graph.compare(RelOp::LessEqual, moved, near);
        let right = self.graph.input(RIGHT);
        let near = self.and(right, near);
        (self.graph.select(near, after, direct), Some(slope))
    }

    pub fn initial_flag(&mut self) -> Reg {
        self.graph.input(INITIAL)
    }

    pub fn terminal_flag(&mut self) -> Reg {
        self.graph.input(TERMINAL)
    }

    pub fn lambda(&mut self) -> Reg {
        self.graph.input(LAMBDA)
    }

    /// The derivative of a node by time.
    pub fn derivative(&mut self, reg: Reg) -> Reg {
        let Self {
            graph,
            slots,
            class,
            derivatives,
            flat,
            delayed_derivative,
            ..
        } = self;
        let dot = derivatives.of(graph, reg, &mut |graph, slot| {
            if slot == TIME {
                return Some(graph.constant(1.0));
            }
            match slots.key(slot)? {
                Key::Var(v, order) => {
                    let class = class.get(v as usize).copied()?;
                    let moves = class == Class::Continuous
                        || (class == Class::Input
                            && matches!(flat.variables[VarId::new(v as usize)].ty, Type::Real));
                    moves.then(|| {
                        let slot = slots.of(Key::Var(v, order + 1));
                        graph.input(slot)
                    })
                }
                Key::Delay(_) => {
                    *delayed_derivative = true;
                    None
                }
                _ => None,
            }
        });
        match dot {
            Some(reg) => reg,
            None => self.graph.constant(0.0),
        }
    }

    /// The one place where calls of functions become nodes.
    pub fn user_call(
        &mut self,
        name: &Arc<str>,
        args: &[FlatExp],
        ty: &Type,
    ) -> Result<Vec<Value>, Why> {
        let args: Vec<CallArg> = args
            .iter()
            .map(|arg| self.argument(arg))
            .collect::<Result<_, _>>()
            .map_err(|why| format!("an argument of `{name}`: {why}"))?;
        let types: Vec<Type> = match ty {
            Type::Tuple(types) => types.to_vec(),
            other => vec![other.clone()],
        };
        let shapes = self.functions.result_shapes(&mut self.graph, name, &args);
        let shapes = match shapes {
            Some(mut shapes) => {
                shapes.truncate(types.len());
                shapes
            }
            None => {
                let shapes: Option<Vec<Shape>> = types.iter().map(Shape::of).collect();
                shapes
                    .ok_or_else(|| format!("the sizes of the results of `{name}` are not known"))?
            }
        };
        let regs = self
            .functions
            .call_site(&mut self.graph, name, &args, &shapes);
        let regs = regs.map_err(|unsupported| match unsupported {
            Unsupported::Function(inner, why) => format!("the function `{inner}`: {why}"),
            _ => format!("the function `{name}` cannot be called"),
        })?;
        let mut regs = regs.into_iter();
        let outputs = shapes.iter().zip(&types).map(|(shape, ty)| {
            let (Shape::Leaf(dims) | Shape::Record(dims, _)) = shape;
            let record = match ty.element() {
                Type::Record(record) => Some(record.clone()),
                _ => None,
            };
            Value {
                dims: dims.clone(),
                items: regs.by_ref().take(shape.width()).collect(),
                record,
            }
        });
        Ok(outputs.collect())
    }

    fn argument(&mut self, arg: &FlatExp) -> Result<CallArg, Why> {
        if let Exp::PartialFunction(name, given, _) = arg {
            let given = given
                .iter()
                .map(|(input, exp)| Ok((*input, self.argument(exp)?)));
            return Ok(CallArg::Function(
                name.clone(),
                given.collect::<Result<_, Why>>()?,
            ));
        }
        let value = self.exp(arg)?;
        let shape = match &value.record {
            None => Shape::Leaf(value.dims.clone()),
            Some(record) => match Shape::of(&Type::Record(record.clone())) {
                Some(Shape::Record(_, fields)) => Shape::Record(value.dims.clone(), fields),
                _ => return Err("the size of a record is not known".to_owned()),
            },
        };
        Ok(CallArg::Value(shape, value.items))
    }

    fn matrix_product(&mut self, a: &Value, b: &Value) -> Result<Value, Why> {
        let inner = a.dims.last().copied().unwrap_or(0);
        if a.dims.is_empty() || b.dims.first() != Some(&inner) {
            return Err("a product has operands of different size".to_owned());
        }
        let rows: usize = a.dims[..a.dims.len() - 1].iter().product();
        let columns: usize = b.dims[1..].iter().product();
        let mut items = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut sum = self.graph.constant(0.0);
                for k in 0..inner {
                    let term = self
                        .graph
                        .mul(a.items[i * inner + k], b.items[k * columns + j]);
                    sum = self.graph.add(sum, term);
                }
                items.push(sum);
            }
        }
        let mut dims = a.dims[..a.dims.len() - 1].to_vec();
        dims.extend_from_slice(&b.dims[1..]);
        Ok(Value::new(dims, items))
    }

    fn matrix_power(&mut self, a: &Value, exponent: &FlatExp) -> Result<Value, Why> {
        let count = self.number(exponent)?;
        let [n, m] = a.dims[..] else {
            return Err("a power of something that is no matrix".to_owned());
        };
        if n != m || !(0.0..=1000.0).contains(&count) {
            return Err("a power of a matrix that is not square, or too large a power".to_owned());
        }
        let (zero, one) = (self.graph.constant(0.0), self.graph.constant(1.0));
        let unit = (0..n * n).map(|i| if i / n == i % n { one } else { zero });
        let mut result = Value::new(vec![n, n], unit.collect());
        for _ in 0..count as usize {
            result = self.matrix_product(&result, a)?;
        }
        Ok(result)
    }
}

/// The subscripts of a member that its group leaves open: `3` and `4` of `a[3].x[4]` in the group `a.x`.
fn missing_subscripts<'n>(pattern: &str, name: &'n str) -> Vec<&'n str> {
    let (pattern, bytes) = (pattern.as_bytes(), name.as_bytes());
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while j < bytes.len() {
        if i < pattern.len() && pattern[i] == bytes[j] {
            i += 1;
            j += 1;
        } else if bytes[j] == b'[' {
            let end = name[j..].find(']').map_or(name.len(), |k| j + k);
            found.extend(name.get(j + 1..end).unwrap_or_default().split(','));
            j = end + 1;
        } else {
            break;
        }
    }
    found
}

/// Whether a variable has its value before the run.
pub fn is_parameter(variable: &Variable) -> bool {
    matches!(
        variable.variability,
        Variability::Constant | Variability::Structural | Variability::Parameter
    )
}
