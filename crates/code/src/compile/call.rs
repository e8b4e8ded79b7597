//! Calls of functions of the model, functions as values, external functions.

use super::{Compiled, Compiler, Why};
use crate::external::{External, Native, Passing};
use crate::ins::{Bank, Binding, Ins, Of, Slot};
use crate::ty::{Kind, Ty, Val};
use modeshift_base::{FxHashSet, Name};
use modeshift_flat::model::{FlatExp, FlatRef, Function};
use modeshift_inst::exp::{Call, Callee, Exp};
use modeshift_inst::tree::NativeCode;
use modeshift_inst::ty::{Causality, Type};
use std::sync::Arc;

impl Compiler<'_> {
    /// All outputs of a call.
    pub(super) fn call(&mut self, call: &Call<FlatRef>) -> Compiled<Vec<Val>> {
        let name = match &call.function {
            Callee::Builtin(name) => {
                return self.builtin(name.as_str(), &call.args, &call.ty);
            }
            Callee::User(name) => name,
        };
        let local = self.locals.get(&Name::new(name)).map(|local| &local.val);
        if let Some(Val::Function(reg)) = local {
            let reg = *reg;
            return self.call_value(reg, call);
        }
        if let (Type::Enumeration(ty), [arg]) = (call.ty.element(), &call.args[..])
            && *ty.path == **name
        {
            let value = self.int(arg)?;
            let d = self.take(Bank::Int);
            self.code.enums.push(ty.clone());
            let index = self.code.enums.len() as u16 - 1;
            self.emit(Ins::Literal(d, value, index));
            return Ok(vec![Val::Leaf(Kind::Enum(ty.clone()), 0, d)]);
        }
        let Some(signature) = self.signatures.get(name).cloned() else {
            return Err(format!("it calls `{name}`, which is not there").into());
        };
        if signature.inputs.len() != call.args.len() {
            let (given, wanted) = (call.args.len(), signature.inputs.len());
            return Err(
                format!("`{name}` is called with {given} arguments instead of {wanted}").into(),
            );
        }
        let mut vals = Vec::new();
        for (arg, (_, ty)) in call.args.iter().zip(&signature.inputs) {
            let val = self.exp(arg)?;
            let val = self.coerce(val, ty);
            vals.push(val.map_err(|why| -> Why { format!("calling `{name}`: {why}").into() })?);
        }
        if signature.constructor
            && let [(_, Ty::Record(_, fields))] = &signature.outputs[..]
            && fields.len() == vals.len()
        {
            let names = signature.inputs.iter().map(|(name, _)| *name);
            return Ok(vec![Val::Record(0, names.zip(vals).collect())]);
        }
        if let Some(&function) = self.small.get(name) {
            return self.inline(function, vals);
        }
        let mut args: Vec<Slot> = Vec::new();
        vals.iter().for_each(|val| val.slots(&mut args));
        self.separate(&mut args);
        let outputs: Vec<Val> = signature
            .outputs
            .iter()
            .map(|(_, ty)| self.temporary(ty))
            .collect();
        let mut results = Vec::new();
        outputs.iter().for_each(|val| val.slots(&mut results));
        let (args, results) = (self.list(args)?, self.list(results)?);
        self.emit(Ins::Call(signature.index, args, results));
        Ok(outputs)
    }

    /// Array registers are lent to the function that is called, so each may stand in its arguments once.
    fn separate(&mut self, args: &mut [Slot]) {
        let mut seen = FxHashSet::default();
        for slot in args {
            let of = match slot.0 {
                Bank::Reals => Of::Real,
                Bank::Ints => Of::Int,
                Bank::Strs => Of::Str,
                _ => continue,
            };
            if !seen.insert(*slot) {
                let copy = self.take(slot.0);
                self.emit(Ins::Copy(of, copy, slot.1));
                slot.1 = copy;
            }
        }
    }

    /// A call of a function that came as an argument.
    fn call_value(&mut self, function: u16, call: &Call<FlatRef>) -> Compiled<Vec<Val>> {
        let mut args = Vec::new();
        for arg in &call.args {
            let val = self.exp(arg)?;
            val.slots(&mut args);
        }
        let types: Vec<Type> = match &call.ty {
            Type::Tuple(items) => items.to_vec(),
            Type::NoReturn => Vec::new(),
            one => vec![one.clone()],
        };
        let mut outputs = Vec::new();
        for ty in &types {
            let ty = Ty::new(ty).ok_or("a function gives something that is not known")?;
            outputs.push(self.temporary(&ty));
        }
        let mut results = Vec::new();
        outputs.iter().for_each(|val| val.slots(&mut results));
        let (args, results) = (self.list(args)?, self.list(results)?);
        self.emit(Ins::CallF(function, args, results));
        Ok(outputs)
    }

    /// `function f(a = 1)`
    pub(super) fn partial(&mut self, name: &str, bound: &[(Name, FlatExp)]) -> Compiled<Val> {
        if let Some(Val::Function(reg)) = self.locals.get(&Name::new(name)).map(|it| &it.val)
            && bound.is_empty()
        {
            return Ok(Val::Function(*reg));
        }
        let Some(signature) = self.signatures.get(name).cloned() else {
            return Err(format!("it hands over `{name}`, which is not there").into());
        };
        let mut given = Vec::new();
        let mut first = 0u16;
        for (input, ty) in &signature.inputs {
            let width = width(ty);
            if let Some((_, exp)) = bound.iter().find(|(own, _)| own == input) {
                let val = self.exp(exp)?;
                let val = self.coerce(val, ty)?;
                let slots = Self::slots_of(&val);
                for (k, (bank, reg)) in slots.into_iter().enumerate() {
                    given.push((first + k as u16, bank, reg));
                }
            }
            first += width;
        }
        let d = self.take(Bank::Function);
        self.code.closures.push(Binding {
            function: signature.index,
            given,
        });
        let index = self.code.closures.len() as u32 - 1;
        self.emit(Ins::Closure(d, index));
        Ok(Val::Function(d))
    }

    /// The body of an external function: its arguments in the order of the call, variables by their registers.
    pub(super) fn external(
        &mut self,
        function: External,
        args: &[FlatExp],
        output: Option<&FlatExp>,
    ) -> Compiled<()> {
        self.code.pure = function.is_pure();
        let mut slots = Vec::new();
        for arg in args {
            let val = self.exp(arg)?;
            val.slots(&mut slots);
        }
        // Some functions write to what they are given, and inputs belong to the caller.
        let inputs = self.code.params.clone();
        for slot in slots.iter_mut().filter(|slot| inputs.contains(slot)) {
            let of = match slot.0 {
                Bank::Reals => Of::Real,
                Bank::Ints => Of::Int,
                Bank::Strs => Of::Str,
                _ => continue,
            };
            let copy = self.take(slot.0);
            self.emit(Ins::Copy(of, copy, slot.1));
            slot.1 = copy;
        }
        let mut results = Vec::new();
        if let Some(output) = output {
            let val = self.exp(output)?;
            val.slots(&mut results);
        } else if args.is_empty() || !self.code.results.is_empty() && slots.len() < args.len() {
            results.extend_from_slice(&self.code.results);
        }
        let (args, results) = (self.list(slots)?, self.list(results)?);
        self.emit(Ins::External(function, args, results));
        Ok(())
    }
}

impl Compiler<'_> {
    /// The body of an external function that is in a shared library.
    pub(super) fn native(
        &mut self,
        function: &Function,
        (name, fortran): (&Arc<str>, bool),
        code: &Arc<NativeCode>,
        (args, output): (&[FlatExp], Option<&FlatExp>),
    ) -> Compiled<()> {
        let is_output = |exp: &FlatExp| {
            let Exp::Ref(FlatRef::Local(local)) = exp else {
                return false;
            };
            let first = local.parts.first().map(|(name, _)| *name);
            let mut locals = function.locals.iter();
            locals.any(|local| {
                Some(local.name) == first && local.causality == Some(Causality::Output)
            })
        };
        let mut passed = Vec::new();
        for arg in args {
            passed.push(Passing {
                val: self.exp(arg)?,
                size: matches!(arg, Exp::Size(..)),
                output: is_output(arg),
            });
        }
        let returns = match output {
            Some(output) => Some(self.exp(output)?),
            None => None,
        };
        let makes = matches!(&returns, Some(Val::Leaf(Kind::Object(_), ..)));
        // Every place in the model that makes an object makes one of its own.
        self.code.pure &= !makes;
        self.code.native = Some(Box::new(Native {
            name: name.clone(),
            fortran,
            code: code.clone(),
            args: passed,
            returns,
        }));
        self.emit(Ins::Native);
        Ok(())
    }
}

/// How many registers a value takes.
fn width(ty: &Ty) -> u16 {
    match ty {
        Ty::Record(_, fields) => fields.iter().map(|(_, ty)| width(ty)).sum(),
        _ => 1,
    }
}
