//! From functions of the flat model to code.

mod builtin;
mod call;
mod convert;
mod elements;
mod exp;
mod inline;
mod literal;
mod place;
mod reduction;
mod statement;

use crate::array::Dims;
use crate::external::External;
use crate::ins::{BANKS, Bank, Code, Ins, List, Of, Reg, Sel, Slot};
use crate::ty::{Kind, Ty, Val, bank};
use modeshift_base::{FxHashMap, Name};
use modeshift_flat::model::{Function, FunctionBody, FunctionDim, FunctionVariable};
use modeshift_inst::ty::{Causality, Type};
use std::sync::{Arc, OnceLock};

/// Why something cannot be compiled.
pub type Why = Arc<str>;
pub use inline::{Small, small};

pub type Compiled<T> = Result<T, Why>;

/// What callers need to know of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub index: u32,
    pub inputs: Vec<(Name, Ty)>,
    pub outputs: Vec<(Name, Ty)>,
    pub constructor: bool,
}

pub type Signatures = FxHashMap<Arc<str>, Signature>;

/// Signatures of all functions that have values we know.
pub fn signatures(functions: &[Function]) -> Signatures {
    let mut all = Signatures::default();
    for (index, function) in functions.iter().enumerate() {
        let of = |causality: Causality| -> Option<Vec<(Name, Ty)>> {
            let locals = function.locals.iter();
            let locals = locals.filter(|local| local.causality == Some(causality));
            locals
                .map(|local| Some((local.name, variable_ty(local)?)))
                .collect()
        };
        let constructor = matches!(function.body, FunctionBody::RecordConstructor);
        let inputs = of(Causality::Input);
        let outputs = match constructor {
            true => constructed(function).map(|ty| vec![(Name::new("res"), ty)]),
            false => of(Causality::Output),
        };
        if let (Some(inputs), Some(outputs)) = (inputs, outputs) {
            let signature = Signature {
                index: index as u32,
                inputs,
                outputs,
                constructor,
            };
            all.insert(function.name.clone(), signature);
        }
    }
    all
}

pub(crate) fn variable_ty(local: &FunctionVariable) -> Option<Ty> {
    Ty::lifted(&local.ty, local.dims.len())
}

/// The record that a constructor makes: all that is declared but its result.
fn constructed(function: &Function) -> Option<Ty> {
    let fields = function.locals.iter();
    let fields = fields.filter(|local| local.causality != Some(Causality::Output));
    let fields = fields.map(|local| Some((local.name, variable_ty(local)?)));
    Some(Ty::Record(0, fields.collect::<Option<_>>()?))
}

struct Local {
    val: Val,
    /// The sizes are those of the declaration.
    fixed: bool,
    /// The sizes of an array whose elements are registers of their own, from that of `val` on.
    elements: Option<Dims>,
}

pub(crate) struct Compiler<'a> {
    signatures: &'a Signatures,
    small: &'a Small<'a>,
    code: Code,
    locals: FxHashMap<Name, Local>,
    iterators: Vec<(Name, Val)>,
    next: [u16; BANKS],
    /// Registers below are variables and constants, those from here on temporary.
    fixed: [u16; BANKS],
    literals: literal::Literals,
    /// Jumps behind the loops around.
    breaks: Vec<Vec<usize>>,
    returns: Vec<usize>,
    /// The last place that is jumped to.
    label: usize,
    full: bool,
}

/// Compiles one function.
pub fn function(signatures: &Signatures, small: &Small<'_>, function: &Function) -> Code {
    let mut this = Compiler {
        signatures,
        small,
        code: Code {
            name: function.name.clone(),
            pure: function.pure || function.hints.undeclared,
            code: Vec::new(),
            places: Vec::new(),
            sizes: [0; BANKS],
            params: Vec::new(),
            inputs: Vec::new(),
            results: Vec::new(),
            reals: (0, Vec::new()),
            ints: (0, Vec::new()),
            literals: Vec::new(),
            integers: Vec::new(),
            strings: Vec::new(),
            enums: Vec::new(),
            lists: Vec::new(),
            selectors: Vec::new(),
            closures: Vec::new(),
            arrays: Vec::new(),
            native: None,
            derivatives: Vec::new(),
            assumes: false,
            refused: None,
            compiled: OnceLock::new(),
        },
        locals: FxHashMap::default(),
        iterators: Vec::new(),
        next: [0; BANKS],
        fixed: [0; BANKS],
        literals: literal::Literals::default(),
        breaks: Vec::new(),
        returns: Vec::new(),
        label: 0,
        full: false,
    };
    let result = this.whole(function);
    let result = match result {
        Ok(()) if this.full => Err("it needs too many registers".into()),
        other => other,
    };
    if let Err(why) = result {
        this.code.code.clear();
        this.code.places.clear();
        this.code.strings = vec![format!("`{}` cannot be executed: {why}", function.name).into()];
        this.code.code.push(Ins::Refuse(0));
        this.code.refused = Some(why);
    }
    this.code
}

impl Compiler<'_> {
    fn whole(&mut self, function: &Function) -> Compiled<()> {
        for local in &function.locals {
            if local.causality == Some(Causality::Input) {
                let val = self.declare(local, false)?;
                let first = self.code.params.len();
                val.slots(&mut self.code.params);
                let range = first..self.code.params.len();
                self.code.inputs.push((local.name, range));
            }
        }
        self.literals(function);
        let elements = elements::separate(function);
        let assigned = elements::assigned(function);
        let constructor = matches!(function.body, FunctionBody::RecordConstructor);
        for local in &function.locals {
            if local.causality == Some(Causality::Input) {
                continue;
            }
            if constructor && local.causality == Some(Causality::Output) {
                continue;
            }
            if let Some(dims) = elements.get(&local.name) {
                self.declare_elements(local.name, dims);
                continue;
            }
            let flexible = |dim: &FunctionDim| matches!(dim, FunctionDim::Flexible);
            let val = self.declare(local, !local.dims.iter().any(flexible))?;
            if local.causality == Some(Causality::Output) {
                val.slots(&mut self.code.results);
            }
        }
        self.fixed = self.next;
        for local in &function.locals {
            if local.causality == Some(Causality::Input) {
                self.check_sizes(local)?;
            } else if let Some(literal) = self.constant(local, &assigned) {
                if let Some(own) = self.locals.get_mut(&local.name) {
                    own.val = literal;
                }
            } else if !(constructor && local.causality == Some(Causality::Output)) {
                self.initialise(local)?;
            }
        }
        match &function.body {
            FunctionBody::Algorithm(statements) => self.statements(statements)?,
            FunctionBody::External {
                language,
                name,
                args,
                output,
                code,
                ..
            } => match External::named(name) {
                Some(external) => self.external(external, args, output.as_ref())?,
                None if &**language == "builtin" => {
                    return Err(format!("it is `{name}`, which is not built in").into());
                }
                None => {
                    let fortran = &**language == "FORTRAN 77";
                    self.native(function, (name, fortran), code, (args, output.as_ref()))?;
                }
            },
            FunctionBody::RecordConstructor => {
                let fields = function.locals.iter();
                let fields = fields.filter(|local| local.causality != Some(Causality::Output));
                for local in fields {
                    let val = self.locals[&local.name].val.clone();
                    val.slots(&mut self.code.results);
                }
            }
            FunctionBody::Derivative { .. } => {
                return Err("it is defined as the derivative of a function".into());
            }
            FunctionBody::Partial => {
                let mut outputs = function.locals.iter();
                let open = outputs.any(|local| {
                    local.causality == Some(Causality::Output) && local.binding.is_none()
                });
                if open {
                    return Err("it is partial".into());
                }
            }
        }
        for jump in std::mem::take(&mut self.returns) {
            self.land(jump);
        }
        self.emit(Ins::Return);
        Ok(())
    }

    fn declare(&mut self, local: &FunctionVariable, fixed: bool) -> Compiled<Val> {
        let Some(ty) = variable_ty(local) else {
            return Err(format!("`{}` has a type that is not known", local.name).into());
        };
        let val = ty.allocate(&mut |bank| self.take(bank));
        let entry = Local {
            val: val.clone(),
            fixed,
            elements: None,
        };
        self.locals.insert(local.name, entry);
        Ok(val)
    }

    fn take(&mut self, bank: Bank) -> Reg {
        let next = &mut self.next[bank as usize];
        let reg = *next;
        match next.checked_add(1) {
            Some(after) => *next = after,
            None => self.full = true,
        }
        let size = &mut self.code.sizes[bank as usize];
        *size = (*size).max(*next);
        reg
    }

    fn emit(&mut self, ins: Ins) -> usize {
        self.code.code.push(ins);
        self.code.code.len() - 1
    }

    fn here(&mut self) -> u32 {
        self.label = self.code.code.len();
        self.label as u32
    }

    /// Lets a jump lead here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.code.code[jump] {
            Ins::Jmp(target)
            | Ins::JmpIf(_, target)
            | Ins::JmpUnless(_, target)
            | Ins::JmpUnlessR(.., target)
            | Ins::JmpUnlessI(.., target) => *target = here,
            _ => {}
        }
    }

    fn list(&mut self, slots: Vec<Slot>) -> Compiled<List> {
        let index = self.code.lists.len();
        self.code.lists.push(slots);
        List::try_from(index).map_err(|_| "it is too large".into())
    }

    fn selector(&mut self, sels: Vec<Sel>) -> Compiled<List> {
        let index = self.code.selectors.len();
        self.code.selectors.push(sels);
        List::try_from(index).map_err(|_| "it is too large".into())
    }

    fn int_literal(&mut self, value: i64) -> Reg {
        if let Some(&reg) = self.literals.ints.get(&value) {
            return reg;
        }
        let reg = self.take(Bank::Int);
        self.code.integers.push(value);
        let index = self.code.integers.len() as u32 - 1;
        self.emit(Ins::LitI(reg, index));
        reg
    }

    fn real_literal(&mut self, value: f64) -> Reg {
        if let Some(&reg) = self.literals.reals.get(&value.to_bits()) {
            return reg;
        }
        let reg = self.take(Bank::Real);
        self.code.literals.push(value);
        let index = self.code.literals.len() as u32 - 1;
        self.emit(Ins::LitR(reg, index));
        reg
    }

    fn string_literal(&mut self, text: &str) -> Reg {
        let reg = self.take(Bank::Str);
        let known = self.code.strings.iter().position(|own| &**own == text);
        let index = known.unwrap_or_else(|| {
            self.code.strings.push(text.into());
            self.code.strings.len() - 1
        });
        self.emit(Ins::LitS(reg, index as u32));
        reg
    }

    /// New registers for a value.
    fn temporary(&mut self, ty: &Ty) -> Val {
        ty.allocate(&mut |bank| self.take(bank))
    }

    fn is_temporary(&self, bank: Bank, reg: Reg) -> bool {
        reg >= self.fixed[bank as usize]
    }

    /// Declared sizes of inputs are checked where they say more than the argument itself.
    fn check_sizes(&mut self, local: &FunctionVariable) -> Compiled<()> {
        let val = self.locals[&local.name].val.clone();
        let Some((kind, _, reg)) = val.first_leaf() else {
            return Ok(());
        };
        let (of, kind_rank) = (kind.of(), local.dims.len());
        for (dim, size) in local.dims.iter().enumerate().take(kind_rank) {
            let size = match size {
                FunctionDim::Known(size) => self.int_literal(*size),
                FunctionDim::Given(exp) => self.int(exp)?,
                _ => continue,
            };
            self.emit(Ins::Check(of, reg, dim as u8, size));
        }
        Ok(())
    }

    /// What a variable holds when the algorithm begins.
    fn initialise(&mut self, local: &FunctionVariable) -> Compiled<()> {
        let mark = self.next;
        let own = &self.locals[&local.name];
        let val = own.val.clone();
        if let (Some(dims), Val::Leaf(_, _, first)) = (&own.elements, &val) {
            let count = dims.iter().product::<usize>() as Reg;
            let zero = self.real_literal(0.0);
            for reg in *first..*first + count {
                self.emit(Ins::MovR(reg, zero));
            }
            return Ok(());
        }
        match &local.binding {
            Some(binding) => {
                let value = self.exp(binding)?;
                self.assign(&val, value, false)?;
            }
            None => {
                let mut sizes: Option<Vec<Slot>> = Some(Vec::new());
                for dim in &local.dims {
                    let reg = match dim {
                        FunctionDim::Known(size) => self.int_literal(*size),
                        FunctionDim::Boolean => self.int_literal(2),
                        FunctionDim::Enumeration(ty) => self.int_literal(ty.literals.len() as i64),
                        FunctionDim::Given(exp) => self.int(exp)?,
                        FunctionDim::Flexible => self.int_literal(0),
                    };
                    if let Some(sizes) = &mut sizes {
                        sizes.push((Bank::Int, reg));
                    }
                }
                let sizes = sizes.unwrap_or_default();
                self.zero(&val, &local.ty, sizes.clone())?;
                for (name, default) in &local.defaults {
                    if let Some(field) = val.field(*name).cloned() {
                        let value = self.exp(default)?;
                        // What reads other fields is an array already.
                        let value = match value.rank() < field.rank() {
                            true => self.fill(&value, &sizes)?,
                            false => value,
                        };
                        self.assign(&field, value, false)?;
                    }
                }
            }
        }
        self.next = mark;
        Ok(())
    }

    /// Zeros, empty strings and arrays of the declared sizes.
    fn zero(&mut self, val: &Val, ty: &Type, sizes: Vec<Slot>) -> Compiled<()> {
        match (val, ty) {
            (Val::Record(_, vals), Type::Record(record)) => {
                for ((_, val), (_, ty)) in vals.iter().zip(&record.fields) {
                    self.zero(val, ty, sizes.clone())?;
                }
            }
            (_, Type::Array(array)) => {
                let mut sizes = sizes;
                for dim in &array.dims {
                    let size = self.int_literal(dim.known().unwrap_or(0));
                    sizes.push((Bank::Int, size));
                }
                self.zero(val, &array.element, sizes)?;
            }
            (Val::Leaf(kind, 0, reg), _) => match kind.of() {
                Of::Real => {
                    let zero = self.real_literal(0.0);
                    self.emit(Ins::MovR(*reg, zero));
                }
                Of::Int => {
                    // The first literal of an enumeration is 1.
                    let first = i64::from(matches!(kind, Kind::Enum(_)));
                    let zero = self.int_literal(first);
                    self.emit(Ins::MovI(*reg, zero));
                }
                Of::Str => {
                    let empty = self.string_literal("");
                    self.emit(Ins::MovS(*reg, empty));
                }
            },
            (Val::Leaf(kind, _, reg), _) => {
                let list = self.list(sizes)?;
                self.emit(Ins::New(kind.of(), *reg, list));
            }
            _ => {}
        }
        Ok(())
    }

    fn slots_of(val: &Val) -> Vec<Slot> {
        let mut slots = Vec::new();
        val.slots(&mut slots);
        slots
    }
}

/// The bank of the scalars of a kind.
fn scalar_bank(kind: &Kind) -> Bank {
    bank(kind, 0)
}
