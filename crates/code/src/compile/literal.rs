//! Numbers and arrays that stand in the text of a function. They get registers of their own, which hold them when the
//! function is first entered and are never written to, so that a table costs nothing in a call.

use super::Compiler;
use crate::array::{Array, Dims};
use crate::ins::{Bank, Of, Reg};
use crate::ty::{Kind, Val, bank};
use modeshift_base::FxHashMap;
use modeshift_flat::model::{FlatExp, Function, FunctionBody, FunctionDim};
use modeshift_flat::walk::{statement_exps, walk_while};
use modeshift_inst::exp::{Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Type};

/// Registers of numbers and arrays.
#[derive(Default)]
pub(super) struct Literals {
    pub reals: FxHashMap<u64, Reg>,
    pub ints: FxHashMap<i64, Reg>,
    arrays: FxHashMap<Key, Reg>,
}

/// Arrays are one if they have the same type, sizes and numbers.
type Key = (Bank, Dims, Vec<u64>);

fn key(bank: Bank, array: &Array<f64>) -> Key {
    let bits = array.data.iter().map(|x| x.to_bits());
    (bank, array.dims.clone(), bits.collect())
}

/// Numbers beyond are put into registers where they are used.
const MAX_REALS: usize = 1_000;
const MAX_INTS: usize = 64;

impl Compiler<'_> {
    /// Gives registers to what stands in the text. Linear in it.
    pub(super) fn literals(&mut self, function: &Function) {
        let mut reals: Vec<f64> = Vec::new();
        let mut ints: Vec<i64> = vec![0, 1];
        let mut arrays: Vec<(Bank, Array<f64>)> = Vec::new();
        let mut called: Vec<&Function> = Vec::new();
        let small = self.small;
        let mut look = |exp: &FlatExp| {
            match exp {
                Exp::Binary(_, sides) => reals.extend(reciprocal(&sides.1)),
                Exp::Call(call) => {
                    if let Callee::User(name) = &call.function {
                        called.extend(small.get(name).copied());
                    }
                }
                Exp::Real(value) => reals.push(*value),
                Exp::Int(value) if !ints.contains(value) && ints.len() < MAX_INTS => {
                    ints.push(*value);
                }
                Exp::Array(..) | Exp::Cast(..) => {
                    if let Exp::Cast(_, inner) = exp
                        && let Exp::Int(value) = **inner
                    {
                        reals.push(value as f64);
                    }
                    if let Some((kind, array)) = array_of_numbers(exp) {
                        arrays.push((bank(&kind, 1), array));
                        return false;
                    }
                }
                _ => {}
            }
            true
        };
        texts(function, &mut |exp| walk_while(exp, &mut look));
        // What is compiled here, too, calls nothing itself.
        called.sort_by(|a, b| a.name.cmp(&b.name));
        called.dedup_by(|a, b| a.name == b.name);
        for function in called {
            texts(function, &mut |exp| {
                walk_while(exp, &mut |exp| {
                    match exp {
                        Exp::Real(value) => reals.push(*value),
                        Exp::Binary(_, sides) => reals.extend(reciprocal(&sides.1)),
                        Exp::Cast(_, inner) => {
                            if let Exp::Int(value) = **inner {
                                reals.push(value as f64);
                            }
                        }
                        _ => {}
                    }
                    true
                });
            });
        }
        self.code.reals.0 = self.next[Bank::Real as usize];
        for value in reals {
            let known = self.literals.reals.contains_key(&value.to_bits());
            if !known && self.literals.reals.len() < MAX_REALS {
                let reg = self.take(Bank::Real);
                self.literals.reals.insert(value.to_bits(), reg);
                self.code.reals.1.push(value);
            }
        }
        self.code.ints.0 = self.next[Bank::Int as usize];
        for &value in &ints {
            let reg = self.take(Bank::Int);
            self.literals.ints.insert(value, reg);
        }
        self.code.ints.1 = ints;
        for (bank, array) in arrays {
            let key = key(bank, &array);
            if !self.literals.arrays.contains_key(&key) {
                let reg = self.take(bank);
                let of = match bank {
                    Bank::Reals => Of::Real,
                    _ => Of::Int,
                };
                self.code.arrays.push((of, reg, array));
                self.literals.arrays.insert(key, reg);
            }
        }
    }

    /// The register of an array of numbers.
    pub(super) fn literal_array(&self, exp: &FlatExp) -> Option<Val> {
        let (kind, array) = array_of_numbers(exp)?;
        let reg = self.literals.arrays.get(&key(bank(&kind, 1), &array))?;
        Some(Val::Leaf(kind, array.dims.len(), *reg))
    }
}

/// `1/x` of a number in the text, where a division by it is exactly a multiplication.
pub(super) fn reciprocal(exp: &FlatExp) -> Option<f64> {
    let value = match exp {
        Exp::Real(value) => *value,
        Exp::Int(value) => *value as f64,
        Exp::Cast(_, inner) => return reciprocal(inner),
        _ => return None,
    };
    let is_power_of_two = value.to_bits() & ((1 << 52) - 1) == 0;
    (is_power_of_two && (0.001..1000.0).contains(&value.abs())).then(|| 1.0 / value)
}

/// All expressions of a function, without their parts.
fn texts(function: &Function, visit: &mut dyn FnMut(&FlatExp)) {
    for local in &function.locals {
        if local.causality != Some(Causality::Input) {
            local.binding.iter().for_each(&mut *visit);
        }
        local.defaults.iter().for_each(|(_, exp)| visit(exp));
        for dim in &local.dims {
            if let FunctionDim::Given(exp) = dim {
                visit(exp);
            }
        }
    }
    match &function.body {
        FunctionBody::Algorithm(statements) => {
            for statement in statements {
                statement_exps(statement, visit);
            }
        }
        FunctionBody::External { args, output, .. } => {
            args.iter().chain(output).for_each(visit);
        }
        _ => {}
    }
}

/// An array of numbers as they stand in the text.
fn array_of_numbers(exp: &FlatExp) -> Option<(Kind, Array<f64>)> {
    let (mut inner, mut cast) = (exp, false);
    while let Exp::Cast(ty, operand) = inner {
        cast |= *ty.element() == Type::Real;
        inner = operand;
    }
    let Exp::Array(_, ty) = inner else {
        return None;
    };
    let (is_real, array) = numbers(inner)?;
    let kind = match ty.element() {
        _ if cast || is_real => Kind::Real,
        Type::Real => Kind::Real,
        Type::Boolean => Kind::Bool,
        Type::Enumeration(ty) => Kind::Enum(ty.clone()),
        _ => Kind::Int,
    };
    Some((kind, array))
}

/// The numbers of an array, and whether some of them are Reals.
fn numbers(exp: &FlatExp) -> Option<(bool, Array<f64>)> {
    fn go(exp: &FlatExp, is_real: &mut bool, out: &mut Vec<f64>) -> Option<Dims> {
        match exp {
            Exp::Real(value) => {
                *is_real = true;
                out.push(*value);
            }
            Exp::Int(value) => out.push((value.unsigned_abs() < 1 << 53).then_some(*value as f64)?),
            Exp::Bool(value) => out.push(f64::from(*value)),
            Exp::Enum(_, index) => out.push(f64::from(*index)),
            Exp::Unary(UnaryOp::Neg, inner) => {
                let first = out.len();
                let dims = go(inner, is_real, out)?;
                out[first..].iter_mut().for_each(|x| *x = -*x);
                return Some(dims);
            }
            Exp::Cast(ty, inner) => {
                let dims = go(inner, is_real, out)?;
                *is_real |= *ty.element() == Type::Real;
                return Some(dims);
            }
            Exp::Array(items, _) => {
                let mut inner: Option<Dims> = None;
                for item in items {
                    let dims = go(item, is_real, out)?;
                    if *inner.get_or_insert_with(|| dims.clone()) != dims {
                        return None;
                    }
                }
                let mut dims = Dims::from_slice(&[items.len()]);
                dims.extend(inner?);
                return Some(dims);
            }
            _ => return None,
        }
        Some(Dims::new())
    }
    let mut is_real = false;
    let mut data = Vec::new();
    let dims = go(exp, &mut is_real, &mut data)?;
    Some((is_real, Array { dims, data }))
}
