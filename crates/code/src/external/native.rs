//! A user's own functions in C or FORTRAN 77, in shared libraries, where that is allowed.
//!
//! Arguments are passed as chapter 12.9 of the specification says: Reals as `double`, Integers, Booleans and enumerations
//! as `int`, strings as `const char*`, sizes as `size_t`, external objects as `void*`; arrays by address, row by row, and
//! column by column for FORTRAN 77, where everything goes by address; records as structures by address; outputs by
//! address. Derivatives are difference quotients unless an annotation gives them.

use super::{Object, files};
use crate::array::Array;
use crate::context::Context;
use crate::error::Trouble;
use crate::ins::{BANKS, Bank, Code};
use crate::machine::{Machine, at};
use crate::num::Num;
use crate::ty::{Kind, Val, bank};
use modeshift_base::FxHashMap;
use modeshift_inst::tree::NativeCode;
use modeshift_native::{Argument, Data, Function, Libraries, Returns, call};
use std::path::PathBuf;
use std::sync::Arc;

/// An external function as it is declared.
#[derive(Clone, Debug)]
pub struct Native {
    /// The name in C.
    pub name: Arc<str>,
    pub fortran: bool,
    pub code: Arc<NativeCode>,
    pub args: Vec<Passing>,
    pub returns: Option<Val>,
}

/// How an argument is passed.
#[derive(Clone, Debug)]
pub struct Passing {
    pub val: Val,
    /// It is a size, which C passes as `size_t`.
    pub size: bool,
    /// The function writes it.
    pub output: bool,
}

/// Libraries that are open, and functions that were found.
#[derive(Debug, Default)]
pub struct Natives {
    libraries: Libraries,
    opened: Vec<PathBuf>,
    found: FxHashMap<Arc<str>, Function>,
}

fn wrong(message: impl Into<String>) -> Trouble {
    Trouble::External(message.into())
}

/// Why a function does not run unless it is allowed.
pub fn refusal(name: &str) -> Arc<str> {
    format!(
        "it is the external function `{name}`, which is not built in; native code runs only with `--allow-external`"
    )
    .into()
}

impl Native {
    /// The function of the shared library, found at its first call.
    fn function(&self, owner: &str, context: &mut Context) -> Result<Function, Trouble> {
        let Some(natives) = &context.natives else {
            return Err(Trouble::Refused(refusal(&self.name)));
        };
        if let Some(&function) = natives.found.get(&self.name) {
            return Ok(function);
        }
        let top = owner.split('.').next().unwrap_or(owner);
        let default = format!("modelica://{top}/Resources/Library");
        let directory = self.code.directory.as_deref().unwrap_or(&default);
        let mut paths = Vec::new();
        for library in &self.code.libraries {
            match files::library(context, directory, library) {
                Some(path) => paths.push(path),
                // The C library and its mathematics are there already.
                None if matches!(&**library, "m" | "c") => {}
                None => {
                    return Err(wrong(format!(
                        "there is no shared library `{library}` in `{directory}`"
                    )));
                }
            }
        }
        let natives = context.natives.get_or_insert_default();
        if natives.opened.is_empty() {
            natives.libraries.open_process();
            natives.opened.push(PathBuf::new());
        }
        for path in paths {
            if !natives.opened.contains(&path) {
                natives.libraries.open(&path).map_err(wrong)?;
                natives.opened.push(path);
            }
        }
        let mut names = vec![self.name.to_string()];
        if self.fortran {
            // What compilers of FORTRAN make of a name.
            names.push(format!("{}_", self.name.to_lowercase()));
        }
        let found = names.iter().find_map(|name| natives.libraries.find(name));
        let Some(function) = found else {
            let include = match self.code.include {
                true => {
                    "; C code of an `Include` annotation is not compiled: build a shared library of it"
                }
                false => "",
            };
            return Err(wrong(format!("no library has `{}`{include}", self.name)));
        };
        natives.found.insert(self.name.clone(), function);
        Ok(function)
    }
}

/// Runs the external function of a function.
pub fn run<R: Num>(
    machine: &mut Machine<R>,
    code: &Code,
    base: [usize; BANKS],
    context: &mut Context,
) -> Result<(), Trouble> {
    let Some(native) = &code.native else {
        return Ok(());
    };
    let function = native.function(&code.name, context)?;
    let registers = Registers {
        machine,
        base,
        native,
    };
    let mut args = registers.arguments(context, &|x| x.value())?;
    let returns = native.returns.as_ref().map_or(Returns::Nothing, returns);
    // One object for each place where it is made.
    let key = (returns == Returns::Object)
        .then(|| format!("{} {} {args:?}", context.site, code.name).into_bytes());
    if let Some(key) = &key
        && let Some(&handle) = context.made.get(key)
    {
        return registers.give_object(handle);
    }
    let mut registers = registers;
    let result = call(function, &mut args, returns).map_err(wrong)?;
    let dots = registers.differences(context, function, returns)?;
    if let (Some(key), Some(Data::Object(pointer))) = (key, &result) {
        if *pointer == 0 {
            return Err(wrong("its constructor gave no object"));
        }
        let class = code.name.strip_suffix(".constructor").unwrap_or(&code.name);
        context.objects.push(Object::Native(*pointer, class.into()));
        let handle = context.objects.len() as i64 - 1;
        context.made.insert(key, handle);
        return registers.give_object(handle);
    }
    registers.give(&args, result.as_ref(), &dots)
}

/// The registers that belong to a call.
struct Registers<'m, R> {
    machine: &'m mut Machine<R>,
    base: [usize; BANKS],
    native: &'m Native,
}

/// A direction, and how all numbers that the function writes change along it.
type Dots = Vec<(usize, usize, Vec<f64>)>;

impl<R: Num> Registers<'_, R> {
    fn arguments(
        &self,
        context: &Context,
        number: &dyn Fn(R) -> f64,
    ) -> Result<Vec<Argument>, Trouble> {
        let args = self.native.args.iter().map(|passing| {
            let data = self.data(&passing.val, context, number)?;
            let data = match data {
                Data::Int(value) if passing.size && !self.native.fortran => {
                    Data::Size(u64::try_from(value).unwrap_or(0))
                }
                other => other,
            };
            Ok(Argument {
                data,
                by_reference: passing.output || self.native.fortran,
            })
        });
        args.collect()
    }

    fn data(
        &self,
        val: &Val,
        context: &Context,
        number: &dyn Fn(R) -> f64,
    ) -> Result<Data, Trouble> {
        let int = |value: i64| i32::try_from(value).map_err(|_| Trouble::Overflow);
        let (kind, rank, reg) = match val {
            Val::Record(0, fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(_, val)| self.data(val, context, number));
                return Ok(Data::Record(fields.collect::<Result<_, _>>()?));
            }
            Val::Leaf(kind, rank, reg) => (kind, *rank, *reg),
            _ => return Err(wrong("arrays of records and functions cannot be passed")),
        };
        let bank = bank(kind, rank);
        let place = at(self.base, bank, reg);
        let machine = &*self.machine;
        Ok(match bank {
            Bank::Real => Data::Real(number(machine.reals[place])),
            Bank::Int if matches!(kind, Kind::Object(_)) => {
                let object = context.objects.get(machine.ints[place] as usize);
                match object {
                    Some(Object::Native(pointer, _)) => Data::Object(*pointer),
                    _ => return Err(wrong("an external object was not made by native code")),
                }
            }
            Bank::Int => Data::Int(int(machine.ints[place])?),
            Bank::Str => Data::Text(machine.strs[place].to_string()),
            Bank::Reals => {
                let array = &machine.ra[place];
                let order = self.order(&array.dims);
                Data::Reals(order.map(|k| number(array.data[k])).collect())
            }
            Bank::Ints => {
                let array = &machine.ia[place];
                let order = self.order(&array.dims);
                Data::Ints(
                    order
                        .map(|k| int(array.data[k]))
                        .collect::<Result<_, _>>()?,
                )
            }
            Bank::Strs => {
                let array = &machine.sa[place];
                let order = self.order(&array.dims);
                Data::Texts(order.map(|k| array.data[k].to_string()).collect())
            }
            Bank::Function => return Err(wrong("functions cannot be passed")),
        })
    }

    /// The order in which the elements of an array are passed.
    fn order(&self, dims: &[usize]) -> impl Iterator<Item = usize> + use<R> {
        let (dims, count) = (dims.to_vec(), dims.iter().product::<usize>());
        let fortran = self.native.fortran;
        (0..count).map(move |k| {
            if !fortran {
                return k;
            }
            // The first subscript runs fastest.
            let (mut rest, mut place) = (k, 0);
            let mut stride = count;
            for &size in &dims {
                stride /= size;
                place += rest % size * stride;
                rest /= size;
            }
            place
        })
    }

    /// Derivatives of what the function writes, by central differences.
    fn differences(
        &mut self,
        context: &Context,
        function: Function,
        returns: Returns,
    ) -> Result<Dots, Trouble> {
        let mut dots = Dots::new();
        let mut moving_layers = 0;
        for layer in 0..R::LAYERS {
            let mut moves = false;
            for lane in 0..R::lanes(layer) {
                let dot = |x: R| x.dot(layer, lane).value();
                let largest = self.largest(context, &dot)?;
                if largest == 0.0 {
                    continue;
                }
                moves = true;
                let size =
                    self.largest(context, &|x| if dot(x) == 0.0 { 0.0 } else { x.value() })?;
                let step = 6e-6 * size.max(1e-3) / largest;
                let run = |step: f64| {
                    let mut args = self.arguments(context, &|x| x.value() + step * dot(x))?;
                    let result = call(function, &mut args, returns).map_err(wrong)?;
                    Ok::<_, Trouble>(self.written(&args, result.as_ref()))
                };
                let (after, before) = (run(step)?, run(-step)?);
                let quotients = after.iter().zip(before);
                let quotients = quotients.map(|(a, b)| (a - b) / (2.0 * step));
                dots.push((layer, lane, quotients.collect()));
            }
            moving_layers += usize::from(moves);
        }
        match moving_layers > 1 {
            true => Err(Trouble::Refused(
                format!(
                    "a second derivative of the external function `{}` is needed: give a `derivative` by annotation",
                    self.native.name
                )
                .into(),
            )),
            false => Ok(dots),
        }
    }

    /// All numbers that a call wrote, in the order of [`Registers::give`].
    fn written(&self, args: &[Argument], result: Option<&Data>) -> Vec<f64> {
        let mut found = Vec::new();
        let outputs = self.native.args.iter().zip(args);
        let outputs = outputs.filter(|(passing, _)| passing.output);
        for data in outputs.map(|(_, arg)| &arg.data).chain(result) {
            numbers(data, &mut |x| found.push(x));
        }
        found
    }

    fn largest(&self, context: &Context, number: &dyn Fn(R) -> f64) -> Result<f64, Trouble> {
        let inputs = self.native.args.iter().filter(|passing| !passing.output);
        let mut largest = 0.0_f64;
        for passing in inputs {
            numbers(&self.data(&passing.val, context, number)?, &mut |x| {
                largest = largest.max(x.abs());
            });
        }
        Ok(largest)
    }

    fn give_object(self, handle: i64) -> Result<(), Trouble> {
        let Some(Val::Leaf(_, 0, reg)) = &self.native.returns else {
            return Err(wrong("the result goes nowhere"));
        };
        self.machine.ints[at(self.base, Bank::Int, *reg)] = handle;
        Ok(())
    }

    /// Writes outputs and result to their registers.
    fn give(
        &mut self,
        args: &[Argument],
        result: Option<&Data>,
        dots: &Dots,
    ) -> Result<(), Trouble> {
        let mut number = 0;
        for (passing, arg) in self.native.args.iter().zip(args) {
            if passing.output {
                self.put(&passing.val, &arg.data, dots, &mut number)?;
            }
        }
        if let (Some(val), Some(data)) = (&self.native.returns, result) {
            self.put(val, data, dots, &mut number)?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        val: &Val,
        data: &Data,
        dots: &Dots,
        number: &mut usize,
    ) -> Result<(), Trouble> {
        let real = |x: f64, number: &mut usize| {
            let k = *number;
            *number += 1;
            dots.iter().fold(R::of(x), |x, (layer, lane, dots)| {
                x.with_dot(*layer, *lane, R::of(dots.get(k).copied().unwrap_or(0.0)))
            })
        };
        match (val, data) {
            (Val::Record(_, fields), Data::Record(items)) => {
                for ((_, val), item) in fields.iter().zip(items) {
                    self.put(val, item, dots, number)?;
                }
            }
            (Val::Leaf(kind, rank, reg), data) => {
                let bank = bank(kind, *rank);
                let place = at(self.base, bank, *reg);
                match (bank, data) {
                    (Bank::Real, Data::Real(x)) => {
                        self.machine.reals[place] = real(*x, number);
                    }
                    (Bank::Int, Data::Int(x)) => self.machine.ints[place] = literal(kind, *x)?,
                    (Bank::Str, Data::Text(text)) => {
                        self.machine.strs[place] = text.as_str().into();
                    }
                    (Bank::Reals, Data::Reals(items)) => {
                        let dims = self.machine.ra[place].dims.clone();
                        let order: Vec<usize> = self.order(&dims).collect();
                        for (&k, &x) in order.iter().zip(items) {
                            self.machine.ra[place].data[k] = real(x, number);
                        }
                    }
                    (Bank::Ints, Data::Ints(items)) => {
                        let dims = self.machine.ia[place].dims.clone();
                        let order: Vec<usize> = self.order(&dims).collect();
                        for (&k, &x) in order.iter().zip(items) {
                            self.machine.ia[place].data[k] = literal(kind, x)?;
                        }
                    }
                    (Bank::Strs, Data::Texts(items)) => {
                        let dims = self.machine.sa[place].dims.clone();
                        let order: Vec<usize> = self.order(&dims).collect();
                        let array: &mut Array<Arc<str>> = &mut self.machine.sa[place];
                        for (&k, text) in order.iter().zip(items) {
                            array.data[k] = text.as_str().into();
                        }
                    }
                    _ => return Err(wrong("it gives a value of another type")),
                }
            }
            _ => return Err(wrong("it gives a value of another type")),
        }
        Ok(())
    }
}

/// A Boolean, Integer or literal of an enumeration that native code gave.
fn literal(kind: &Kind, value: i32) -> Result<i64, Trouble> {
    match kind {
        Kind::Bool => Ok(i64::from(value != 0)),
        Kind::Enum(ty) if value < 1 || value as usize > ty.literals.len() => {
            Err(wrong(format!("it gives {value}, which is no literal")))
        }
        _ => Ok(i64::from(value)),
    }
}

fn numbers(data: &Data, with: &mut dyn FnMut(f64)) {
    match data {
        Data::Real(x) => with(*x),
        Data::Reals(items) => items.iter().for_each(|&x| with(x)),
        Data::Record(fields) => fields.iter().for_each(|field| numbers(field, with)),
        _ => {}
    }
}

fn returns(val: &Val) -> Returns {
    match val {
        Val::Leaf(Kind::Real, ..) => Returns::Real,
        Val::Leaf(Kind::Str, ..) => Returns::Text,
        Val::Leaf(Kind::Object(_), ..) => Returns::Object,
        _ => Returns::Int,
    }
}
