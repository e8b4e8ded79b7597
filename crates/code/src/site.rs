//! Places where functions are called with arguments of known shape.
//!
//! Outside, a value is a list of numbers: arrays row by row, records field by field, element after element. Booleans
//! are 0 or 1, enumerations count from 1, strings and external objects are numbers that the context knows.

use crate::array::{Array, Dims};
use crate::cache::Wanted;
use crate::context::Context;
use crate::error::{CallError, Trouble};
use crate::external::refusal;
use crate::ins::{Bank, Slot};
use crate::library::{Library, Runtime};
use crate::machine::{Closure, Machine, Value};
use crate::num::{Dual, Num};
use crate::ty::{Kind, Ty};
use modeshift_base::Name;
use modeshift_inst::ty::Type;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// How many directions are followed at once.
pub const LANES: usize = 4;

/// The sizes of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    Leaf(Vec<usize>),
    /// Sizes of the array of records; the fields of one.
    Record(Vec<usize>, Vec<(Name, Self)>),
}

impl Shape {
    pub const SCALAR: Self = Self::Leaf(Vec::new());

    /// `None` where a size is not known.
    pub fn of(ty: &Type) -> Option<Self> {
        Self::with_dims(ty, Vec::new())
    }

    fn with_dims(ty: &Type, dims: Vec<usize>) -> Option<Self> {
        Some(match ty {
            Type::Array(array) => {
                let mut dims = dims;
                for dim in &array.dims {
                    dims.push(usize::try_from(dim.known()?).ok()?);
                }
                Self::with_dims(&array.element, dims)?
            }
            Type::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|(name, ty)| Some((*name, Self::of(ty)?)));
                Self::Record(dims, fields.collect::<Option<_>>()?)
            }
            Type::Tuple(_) | Type::NoReturn | Type::Unknown | Type::Function(_) => return None,
            _ => Self::Leaf(dims),
        })
    }

    /// How many numbers it takes.
    pub fn width(&self) -> usize {
        match self {
            Self::Leaf(dims) => dims.iter().product(),
            Self::Record(dims, fields) => {
                let one: usize = fields.iter().map(|(_, shape)| shape.width()).sum();
                dims.iter().product::<usize>() * one
            }
        }
    }
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    Value(Shape),
    /// A function with some arguments given.
    Function(Arc<str>, Vec<(Name, Argument)>),
}

impl Argument {
    pub fn width(&self) -> usize {
        match self {
            Self::Value(shape) => shape.width(),
            Self::Function(_, given) => given.iter().map(|(_, arg)| arg.width()).sum(),
        }
    }
}

/// A register with the numbers outside that it stands for.
#[derive(Clone, Debug)]
struct Leaf {
    slot: Slot,
    dims: Dims,
    at: Vec<u32>,
    /// A function takes what its leaves are.
    closure: Option<(u32, Vec<(u16, Leaf)>)>,
}

#[derive(Clone, Debug)]
pub struct Site {
    /// Tells sites apart whose results are kept.
    id: u64,
    pub function: u32,
    pub pure: bool,
    /// Its derivative by time may be another than its text says (`noDerivative`).
    pub assumes: bool,
    args: Vec<Leaf>,
    results: Vec<Leaf>,
    n_args: usize,
    n_results: usize,
    /// Which arguments and results are Reals.
    real_args: Vec<bool>,
    real_results: Vec<bool>,
}

impl Site {
    /// Outputs get the shapes that are given; further ones that the function has are not read.
    pub fn new(
        library: &Library,
        name: &str,
        args: &[Argument],
        results: &[Shape],
    ) -> Result<Self, Arc<str>> {
        let Some(signature) = library.signatures.get(name) else {
            return Err("it is not there, or its arguments are no numbers".into());
        };
        let code = &library.functions[signature.index as usize];
        if let Some(why) = &code.refused {
            return Err(why.clone());
        }
        if let Some(native) = &code.native
            && !library.allows_native()
        {
            return Err(refusal(&native.name));
        }
        if signature.inputs.len() != args.len() {
            let (given, wanted) = (args.len(), signature.inputs.len());
            return Err(format!("it is called with {given} arguments instead of {wanted}").into());
        }
        if results.len() > signature.outputs.len() {
            return Err("it has fewer outputs".into());
        }
        let mut this = Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            function: signature.index,
            pure: code.pure,
            assumes: code.assumes,
            args: Vec::new(),
            results: Vec::new(),
            n_args: 0,
            n_results: 0,
            real_args: Vec::new(),
            real_results: Vec::new(),
        };
        let mut leaves = Vec::new();
        for (arg, (_, ty)) in args.iter().zip(&signature.inputs) {
            let first = this.n_args as u32;
            this.n_args += arg.width();
            this.real_args.resize(this.n_args, false);
            argument(library, arg, ty, first, &mut leaves, &mut this.real_args)?;
        }
        for (leaf, slot) in leaves.iter_mut().zip(&code.params) {
            leaf.slot = *slot;
        }
        this.args = leaves;
        let mut leaves = Vec::new();
        for (shape, (_, ty)) in results.iter().zip(&signature.outputs) {
            let first = this.n_results as u32;
            this.n_results += shape.width();
            this.real_results.resize(this.n_results, false);
            collect(
                ty,
                shape,
                &[first],
                &[],
                &mut leaves,
                &mut this.real_results,
            )?;
        }
        for (leaf, slot) in leaves.iter_mut().zip(&code.results) {
            leaf.slot = *slot;
        }
        this.results = leaves;
        Ok(this)
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    pub fn n_args(&self) -> usize {
        self.n_args
    }

    pub fn n_results(&self) -> usize {
        self.n_results
    }

    /// Whether an argument is a Real, so that results can change with it smoothly.
    pub fn is_real_arg(&self, index: usize) -> bool {
        self.real_args.get(index).copied().unwrap_or(false)
    }

    pub fn is_real_result(&self, index: usize) -> bool {
        self.real_results.get(index).copied().unwrap_or(false)
    }

    fn run<R: Num>(
        &self,
        library: &Library,
        machine: &mut Machine<R>,
        context: &mut Context,
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let failed = |trouble| {
            let name = library.functions[self.function as usize].name.clone();
            Box::new(CallError {
                trouble,
                stack: vec![(name, None)],
            })
        };
        machine.prepare(library, self.function).map_err(failed)?;
        context.site = self.id;
        for leaf in &self.args {
            let value = self.value(leaf, context, args).map_err(failed)?;
            machine.set(leaf.slot, value);
        }
        machine.run(&library.functions, context)?;
        for leaf in &self.results {
            self.give(leaf, machine, context, out).map_err(failed)?;
        }
        Ok(())
    }

    fn value<R: Num>(
        &self,
        leaf: &Leaf,
        context: &Context,
        args: &[f64],
    ) -> Result<Value<R>, Trouble> {
        let n = self.n_args;
        let real = |&at: &u32| R::load(args, at as usize, n);
        let int = |&at: &u32| {
            let value = args[at as usize];
            match value.is_finite() && value.abs() < 9.2e18 {
                true => Ok(value.round() as i64),
                false => Err(Trouble::NotAnInteger(value)),
            }
        };
        let text = |&at: &u32| context.string(args[at as usize]);
        if let Some((function, given)) = &leaf.closure {
            let given = given.iter().map(|(param, leaf)| {
                let value = self.value(leaf, context, args)?;
                Ok((*param, value))
            });
            let closure = Closure {
                function: *function,
                given: given.collect::<Result<_, Trouble>>()?,
            };
            return Ok(Value::Function(Some(Arc::new(closure))));
        }
        let dims = || leaf.dims.clone();
        Ok(match leaf.slot.0 {
            Bank::Real => Value::Real(real(&leaf.at[0])),
            Bank::Int => Value::Int(int(&leaf.at[0])?),
            Bank::Str => Value::Str(text(&leaf.at[0])),
            Bank::Reals => Value::Reals(Array {
                dims: dims(),
                data: leaf.at.iter().map(real).collect(),
            }),
            Bank::Ints => Value::Ints(Array {
                dims: dims(),
                data: leaf.at.iter().map(int).collect::<Result<_, _>>()?,
            }),
            Bank::Strs => Value::Strs(Array {
                dims: dims(),
                data: leaf.at.iter().map(text).collect(),
            }),
            Bank::Function => Value::Function(None),
        })
    }

    fn give<R: Num>(
        &self,
        leaf: &Leaf,
        machine: &Machine<R>,
        context: &mut Context,
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        let n = self.n_results;
        let reg = machine.base()[leaf.slot.0 as usize] + usize::from(leaf.slot.1);
        let fits = |dims: &Dims| match *dims == leaf.dims {
            true => Ok(()),
            false => Err(Trouble::Sizes(leaf.dims.clone(), dims.clone())),
        };
        match leaf.slot.0 {
            Bank::Real => machine.reals[reg].store(out, leaf.at[0] as usize, n),
            Bank::Int => R::of(machine.ints[reg] as f64).store(out, leaf.at[0] as usize, n),
            Bank::Str => {
                let number = context.intern(&machine.strs[reg]);
                R::of(f64::from(number)).store(out, leaf.at[0] as usize, n);
            }
            Bank::Reals => {
                let array = &machine.ra[reg];
                fits(&array.dims)?;
                for (item, &at) in array.data.iter().zip(&leaf.at) {
                    item.store(out, at as usize, n);
                }
            }
            Bank::Ints => {
                let array = &machine.ia[reg];
                fits(&array.dims)?;
                for (&item, &at) in array.data.iter().zip(&leaf.at) {
                    R::of(item as f64).store(out, at as usize, n);
                }
            }
            Bank::Strs => {
                let array = &machine.sa[reg];
                fits(&array.dims)?;
                for (item, &at) in array.data.iter().zip(&leaf.at) {
                    let number = context.intern(item);
                    R::of(f64::from(number)).store(out, at as usize, n);
                }
            }
            Bank::Function => {}
        }
        Ok(())
    }
}

fn argument(
    library: &Library,
    arg: &Argument,
    ty: &Ty,
    first: u32,
    leaves: &mut Vec<Leaf>,
    real: &mut [bool],
) -> Result<(), Arc<str>> {
    match (arg, ty) {
        (Argument::Value(shape), ty) => collect(ty, shape, &[first], &[], leaves, real),
        (Argument::Function(name, given), Ty::Function) => {
            let target = library.signatures.get(name);
            let target =
                target.ok_or_else(|| -> Arc<str> { format!("`{name}` is not there").into() })?;
            let code = &library.functions[target.index as usize];
            if let Some(why) = &code.refused {
                return Err(format!("`{name}` cannot be executed: {why}").into());
            }
            let mut bound = Vec::new();
            let mut at = first;
            for (input, arg) in given {
                let place = target.inputs.iter().position(|(own, _)| own == input);
                let place = place.ok_or_else(|| -> Arc<str> {
                    format!("`{name}` has no input `{input}`").into()
                })?;
                let mut own = Vec::new();
                argument(library, arg, &target.inputs[place].1, at, &mut own, real)?;
                at += arg.width() as u32;
                let params = code.inputs[place].1.clone();
                for (param, mut leaf) in params.zip(own) {
                    leaf.slot = code.params[param];
                    bound.push((param as u16, leaf));
                }
            }
            leaves.push(Leaf {
                slot: (Bank::Function, 0),
                dims: Dims::new(),
                at: Vec::new(),
                closure: Some((target.index, bound)),
            });
            Ok(())
        }
        _ => Err("a function is given where a value is expected".into()),
    }
}

/// Registers of a value whose elements start at the given numbers.
fn collect(
    ty: &Ty,
    shape: &Shape,
    starts: &[u32],
    outer: &[usize],
    leaves: &mut Vec<Leaf>,
    real: &mut [bool],
) -> Result<(), Arc<str>> {
    match (ty, shape) {
        (Ty::Leaf(kind, rank), Shape::Leaf(dims)) => {
            let mut all = Dims::from_slice(outer);
            all.extend_from_slice(dims);
            if all.len() != *rank {
                return Err(format!(
                    "an array of {} dimensions is given where one of {rank} is expected",
                    all.len()
                )
                .into());
            }
            let n = dims.iter().product::<usize>() as u32;
            let at: Vec<u32> = starts.iter().flat_map(|&start| start..start + n).collect();
            if *kind == Kind::Real {
                at.iter().for_each(|&at| real[at as usize] = true);
            }
            leaves.push(Leaf {
                slot: (Bank::Real, 0),
                dims: all,
                at,
                closure: None,
            });
            Ok(())
        }
        (Ty::Record(_, fields), Shape::Record(dims, shapes)) => {
            let width: usize = shapes.iter().map(|(_, shape)| shape.width()).sum();
            let n = dims.iter().product::<usize>();
            let starts: Vec<u32> = starts
                .iter()
                .flat_map(|&start| (0..n).map(move |k| start + (k * width) as u32))
                .collect();
            let mut outer = outer.to_vec();
            outer.extend_from_slice(dims);
            for (name, ty) in fields {
                let mut offset = 0;
                let mut found = None;
                for (own, shape) in shapes {
                    if own == name {
                        found = Some(shape);
                        break;
                    }
                    offset += shape.width() as u32;
                }
                let shape = found.ok_or_else(|| -> Arc<str> {
                    format!("a record has no field `{name}`").into()
                })?;
                let starts: Vec<u32> = starts.iter().map(|start| start + offset).collect();
                collect(ty, shape, &starts, &outer, leaves, real)?;
            }
            Ok(())
        }
        _ => Err("a record is given where a number is expected, or the other way round".into()),
    }
}

type First = Dual<f64, 1>;
type Second = Dual<First, 1>;
type Third = Dual<Second, 1>;

/// Machines for all kinds of numbers.
#[derive(Debug, Default)]
pub struct Machines {
    plain: Machine<f64>,
    first: Machine<First>,
    second: Machine<Second>,
    third: Machine<Third>,
    lanes: Machine<Dual<f64, LANES>>,
    first_lanes: Machine<Dual<First, LANES>>,
    second_lanes: Machine<Dual<Second, LANES>>,
}

impl Machines {
    /// The highest order of derivatives that [`Machines::call`] knows.
    pub const MAX_ORDER: u8 = 3;

    /// Calls a function. At order 0 there is a number for each argument and result; each order adds as many
    /// derivatives by time behind them.
    pub fn call(
        &mut self,
        runtime: &Runtime,
        site: &Site,
        order: u8,
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        self.along(runtime, site, (order, u8::MAX), args, out)
    }

    /// The same along any directions; `times` says which of them are that of time.
    fn along(
        &mut self,
        runtime: &Runtime,
        site: &Site,
        (order, times): (u8, u8),
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let library = &runtime.library;
        runtime.with_context(|context| {
            context.times = times;
            match order {
                0 => site.run(library, &mut self.plain, context, args, out),
                1 => site.run(library, &mut self.first, context, args, out),
                2 => site.run(library, &mut self.second, context, args, out),
                3 => site.run(library, &mut self.third, context, args, out),
                _ => Err(too_high()),
            }
        })
    }

    /// The same with derivatives along [`LANES`] directions behind everything else.
    pub fn tangents(
        &mut self,
        runtime: &Runtime,
        site: &Site,
        (order, times): (u8, u8),
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let library = &runtime.library;
        runtime.with_context(|context| {
            context.times = times;
            match order {
                0 => site.run(library, &mut self.lanes, context, args, out),
                1 => site.run(library, &mut self.first_lanes, context, args, out),
                2 => site.run(library, &mut self.second_lanes, context, args, out),
                _ => Err(too_high()),
            }
        })
    }
}

impl Machines {
    /// Values, and behind them the derivatives by each of the arguments `by`.
    pub fn gradient(
        &mut self,
        runtime: &Runtime,
        site: &Site,
        Wanted { order, times, by }: Wanted<'_>,
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let (n, m) = (args.len(), site.n_results() << order);
        // The direction of an argument is none of time.
        let times = times & !(u8::MAX << order.min(7));
        if by.is_empty() {
            return self.along(runtime, site, (order, times), args, out);
        }
        // One direction is followed by smaller numbers than several.
        let width = if by.len() == 1 { 1 } else { LANES };
        let mut seeded = vec![0.0; n * (width + 1)];
        seeded[..n].copy_from_slice(args);
        let mut lanes = vec![0.0; m * (width + 1)];
        for (group, chunk) in by.chunks(width).enumerate() {
            seeded[n..].fill(0.0);
            for (lane, &arg) in chunk.iter().enumerate() {
                seeded[(lane + 1) * n + usize::from(arg)] = 1.0;
            }
            match width {
                1 => self.along(runtime, site, (order + 1, times), &seeded, &mut lanes)?,
                _ => self.tangents(runtime, site, (order, times), &seeded, &mut lanes)?,
            }
            if group == 0 {
                out[..m].copy_from_slice(&lanes[..m]);
            }
            let first = (1 + group * width) * m;
            out[first..first + chunk.len() * m].copy_from_slice(&lanes[m..(chunk.len() + 1) * m]);
        }
        Ok(())
    }
}

fn too_high() -> Box<CallError> {
    Box::new(CallError {
        trouble: Trouble::Refused("a derivative of an order beyond 3 is needed".into()),
        stack: Vec::new(),
    })
}
