//! Built-in functions.

use super::{Compiled, Compiler};
use crate::ins::{Bank, Fold, Ins, Of, Rearrange, Slot};
use crate::ty::{Kind, Val, bank};
use modeshift_flat::model::FlatExp;
use modeshift_inst::builtin::{Binary, Unary};
use modeshift_inst::ty::Type;

impl Compiler<'_> {
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[FlatExp],
        ty: &Type,
    ) -> Compiled<Vec<Val>> {
        self.one(name, args, ty).map(|val| match val {
            Some(val) => vec![val],
            None => Vec::new(),
        })
    }

    fn one(&mut self, name: &str, args: &[FlatExp], ty: &Type) -> Compiled<Option<Val>> {
        let val = match (name, args) {
            ("noEvent", [inner]) | ("smooth", [_, inner]) | ("homotopy", [inner, ..]) => {
                self.exp(inner)?
            }
            ("size", [array]) => self.size(array, None)?,
            ("size", [array, dim]) => self.size(array, Some(dim))?,
            ("ndims", [array]) => {
                let rank = self.exp(array)?.rank();
                Val::Leaf(Kind::Int, 0, self.int_literal(rank as i64))
            }
            ("assert", [condition, message, rest @ ..]) => {
                let condition = self.int(condition)?;
                let jump = self.emit(Ins::JmpIf(condition, 0));
                let message = self.string(message)?;
                let level = match rest {
                    [level, ..] => self.int(level)?,
                    [] => self.int_literal(2),
                };
                self.emit(Ins::Fail(message, level));
                self.land(jump);
                return Ok(None);
            }
            ("sum" | "product" | "min" | "max", [array]) => {
                let fold = match name {
                    "sum" => Fold::Sum,
                    "product" => Fold::Product,
                    "min" => Fold::Min,
                    _ => Fold::Max,
                };
                self.fold(fold, array)?
            }
            ("min" | "max" | "atan2" | "mod" | "rem" | "div", [a, b]) => {
                let op = Binary::named(name).ok_or("an operator is not known")?;
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                self.zip(op, a, b)?
            }
            ("fill", [value, sizes @ ..]) => {
                let value = self.exp(value)?;
                let slots = self.size_list(sizes)?;
                self.fill(&value, &slots)?
            }
            ("zeros" | "ones", sizes) => {
                let value = i64::from(name == "ones");
                let value = match ty.element() {
                    Type::Real => Val::Leaf(Kind::Real, 0, self.real_literal(value as f64)),
                    _ => Val::Leaf(Kind::Int, 0, self.int_literal(value)),
                };
                let slots = self.size_list(sizes)?;
                self.fill(&value, &slots)?
            }
            ("identity", [n]) => {
                let n = self.int(n)?;
                let d = self.take(Bank::Ints);
                self.emit(Ins::Identity(d, n));
                self.of_type(Val::Leaf(Kind::Int, 2, d), ty)?
            }
            ("linspace", [a, b, n]) => {
                let (a, b, n) = (self.real(a)?, self.real(b)?, self.int(n)?);
                let d = self.take(Bank::Reals);
                self.emit(Ins::Linspace(d, a, b, n));
                Val::Leaf(Kind::Real, 1, d)
            }
            ("transpose", [a]) => self.rearrange(Rearrange::Transpose, a, 2)?,
            ("symmetric", [a]) => self.rearrange(Rearrange::Symmetric, a, 2)?,
            ("diagonal", [a]) => self.rearrange(Rearrange::Diagonal, a, 2)?,
            ("vector", [a]) => {
                let val = self.exp(a)?;
                match val.rank() {
                    0 => self.stack(vec![val])?,
                    _ => self.rearranged(Rearrange::Vector, val, 1)?,
                }
            }
            ("matrix", [a]) => {
                let val = self.exp(a)?;
                match val.rank() {
                    0 => {
                        let row = self.stack(vec![val])?;
                        self.stack(vec![row])?
                    }
                    _ => self.rearranged(Rearrange::Matrix, val, 2)?,
                }
            }
            ("promote", [a, _]) => {
                let val = self.exp(a)?;
                let rank = ty.rank();
                self.promoted(val, rank)?
            }
            ("scalar", [a]) => {
                let val = self.exp(a)?;
                match val {
                    Val::Leaf(_, 0, _) => val,
                    Val::Leaf(kind, _, reg) => {
                        let d = self.take(bank(&kind, 0));
                        self.emit(Ins::Scalar(kind.of(), d, reg));
                        Val::Leaf(kind, 0, d)
                    }
                    _ => return Err("`scalar` of a record".into()),
                }
            }
            ("cat", [dim, arrays @ ..]) => {
                let modeshift_inst::exp::Exp::Int(dim) = dim else {
                    return Err("the dimension of `cat` is not known".into());
                };
                let mut vals = Vec::new();
                for array in arrays {
                    vals.push(self.exp(array)?);
                }
                self.cat(
                    u8::try_from(*dim - 1).map_err(|_| "the dimension of `cat`")?,
                    vals,
                )?
            }
            ("outerProduct", [a, b]) => {
                let (a, b) = (self.reals(a)?, self.reals(b)?);
                let d = self.take(Bank::Reals);
                self.emit(Ins::Outer(d, a, b));
                Val::Leaf(Kind::Real, 2, d)
            }
            ("cross", [a, b]) => {
                let (a, b) = (self.reals(a)?, self.reals(b)?);
                let d = self.take(Bank::Reals);
                self.emit(Ins::Cross(d, a, b));
                Val::Leaf(Kind::Real, 1, d)
            }
            ("skew", [a]) => {
                let a = self.reals(a)?;
                let d = self.take(Bank::Reals);
                self.emit(Ins::Skew(d, a));
                Val::Leaf(Kind::Real, 2, d)
            }
            ("String", args) => self.text(args)?,
            ("Integer", [a]) => {
                let val = self.exp(a)?;
                let reg = self.as_int(val)?;
                Val::Leaf(Kind::Int, 0, reg)
            }
            ("Real", [a]) => {
                let val = self.exp(a)?;
                self.reals_of(val)?
            }
            ("Boolean", [a]) => self.exp(a)?,
            ("integer", [a]) => {
                let val = self.exp(a)?;
                match self.reals_of(val)? {
                    Val::Leaf(_, 0, reg) => {
                        let d = self.take(Bank::Int);
                        self.emit(Ins::RtoI(d, reg));
                        Val::Leaf(Kind::Int, 0, d)
                    }
                    Val::Leaf(_, rank, reg) => {
                        let d = self.take(Bank::Ints);
                        self.emit(Ins::ToInts(d, reg));
                        Val::Leaf(Kind::Int, rank, d)
                    }
                    _ => return Err("`integer` of a record".into()),
                }
            }
            ("abs" | "sign", [a]) => {
                let val = self.exp(a)?;
                self.abs_or_sign(name == "abs", val)?
            }
            ("semiLinear", [x, p, n]) => {
                let (x, p, n) = (self.real(x)?, self.real(p)?, self.real(n)?);
                let zero = self.real_literal(0.0);
                let d = self.take(Bank::Real);
                self.emit(Ins::MulR(d, x, n));
                let skip = self.emit(Ins::JmpUnlessR(crate::ins::Rel::GreaterEq, x, zero, 0));
                self.emit(Ins::MulR(d, x, p));
                self.land(skip);
                Val::Leaf(Kind::Real, 0, d)
            }
            (_, [a]) if Unary::named(name).is_some() => {
                let op = Unary::named(name).ok_or("a function is not known")?;
                let val = self.exp(a)?;
                let val = self.reals_of(val)?;
                let Val::Leaf(kind, rank, reg) = val else {
                    return Err("a function is applied to a record".into());
                };
                let d = self.take(bank(&kind, rank));
                self.emit(match rank {
                    0 => Ins::UnR(op, d, reg),
                    _ => Ins::MapR(op, d, reg),
                });
                Val::Leaf(kind, rank, d)
            }
            _ => return Err(format!("it calls `{name}`, which has no value in a function").into()),
        };
        Ok(Some(val))
    }

    fn of_type(&mut self, val: Val, ty: &Type) -> Compiled<Val> {
        match ty.element() {
            Type::Real => self.reals_of(val),
            _ => Ok(val),
        }
    }

    fn reals(&mut self, exp: &FlatExp) -> Compiled<u16> {
        let val = self.exp(exp)?;
        match self.reals_of(val)? {
            Val::Leaf(Kind::Real, rank, reg) if rank > 0 => Ok(reg),
            _ => Err("an array of numbers is expected".into()),
        }
    }

    fn abs_or_sign(&mut self, abs: bool, val: Val) -> Compiled<Val> {
        let Val::Leaf(kind, rank, reg) = val else {
            return Err("a function is applied to a record".into());
        };
        let is_real = kind.of() == Of::Real;
        let op = if abs { Unary::Abs } else { Unary::Sign };
        if is_real && !abs {
            if rank == 0 {
                let d = self.take(Bank::Int);
                self.emit(Ins::SignR(d, reg));
                return Ok(Val::Leaf(Kind::Int, 0, d));
            }
            let signs = self.take(Bank::Reals);
            self.emit(Ins::MapR(op, signs, reg));
            let d = self.take(Bank::Ints);
            self.emit(Ins::ToInts(d, signs));
            return Ok(Val::Leaf(Kind::Int, rank, d));
        }
        let d = self.take(bank(&kind, rank));
        self.emit(match (is_real, rank) {
            (true, 0) => Ins::UnR(op, d, reg),
            (true, _) => Ins::MapR(op, d, reg),
            (false, 0) if abs => Ins::AbsI(d, reg),
            (false, 0) => Ins::SignI(d, reg),
            (false, _) => Ins::MapI(op, d, reg),
        });
        Ok(Val::Leaf(kind, rank, d))
    }

    fn fold(&mut self, fold: Fold, array: &FlatExp) -> Compiled<Val> {
        let val = self.exp(array)?;
        let Val::Leaf(kind, rank, reg) = val else {
            return Err("a reduction of records".into());
        };
        if rank == 0 {
            return Ok(Val::Leaf(kind, 0, reg));
        }
        let d = self.take(bank(&kind, 0));
        self.emit(match kind.of() {
            Of::Real => Ins::FoldR(fold, d, reg),
            Of::Int => Ins::FoldI(fold, d, reg),
            Of::Str => return Err("a reduction of strings".into()),
        });
        Ok(Val::Leaf(kind, 0, d))
    }

    fn size_list(&mut self, sizes: &[FlatExp]) -> Compiled<Vec<Slot>> {
        let mut slots = Vec::new();
        for size in sizes {
            slots.push((Bank::Int, self.int(size)?));
        }
        Ok(slots)
    }

    pub(super) fn fill(&mut self, value: &Val, slots: &[Slot]) -> Compiled<Val> {
        match value {
            Val::Leaf(kind, rank, reg) => {
                if slots.is_empty() {
                    return Ok(value.clone());
                }
                let list = self.list(slots.to_vec())?;
                let d = self.take(bank(kind, 1));
                self.emit(match rank {
                    0 => Ins::Fill(kind.of(), d, *reg, list),
                    _ => Ins::FillArray(kind.of(), d, *reg, list),
                });
                Ok(Val::Leaf(kind.clone(), rank + slots.len(), d))
            }
            Val::Record(rank, fields) => {
                let mut out = Vec::new();
                for (name, val) in fields {
                    out.push((*name, self.fill(val, slots)?));
                }
                Ok(Val::Record(rank + slots.len(), out))
            }
            Val::Function(_) => Err("an array of functions".into()),
        }
    }

    fn rearrange(&mut self, how: Rearrange, a: &FlatExp, rank: usize) -> Compiled<Val> {
        let val = self.exp(a)?;
        self.rearranged(how, val, rank)
    }

    fn rearranged(&mut self, how: Rearrange, val: Val, rank: usize) -> Compiled<Val> {
        match val {
            Val::Leaf(kind, own, reg) if own > 0 => {
                let d = self.take(bank(&kind, 1));
                self.emit(Ins::Rearrange(how, kind.of(), d, reg));
                Ok(Val::Leaf(kind, rank, d))
            }
            Val::Record(_, fields) => {
                let mut out = Vec::new();
                for (name, val) in fields {
                    out.push((name, self.rearranged(how, val, rank)?));
                }
                Ok(Val::Record(rank, out))
            }
            _ => Err("an array is expected".into()),
        }
    }

    fn promoted(&mut self, val: Val, rank: usize) -> Compiled<Val> {
        match val.rank() {
            own if own == rank => Ok(val),
            0 => {
                let mut val = val;
                for _ in 0..rank {
                    val = self.stack(vec![val])?;
                }
                Ok(val)
            }
            _ => self.rearranged(Rearrange::Promote(rank as u8), val, rank),
        }
    }

    fn cat(&mut self, dim: u8, mut vals: Vec<Val>) -> Compiled<Val> {
        let is_real = |val: &Val| matches!(val, Val::Leaf(Kind::Real, ..));
        if vals.iter().any(is_real) {
            for val in &mut vals {
                *val = self.reals_of(val.clone())?;
            }
        }
        let Some(first) = vals.first().cloned() else {
            return Err("`cat` of nothing".into());
        };
        match &first {
            Val::Leaf(kind, rank, _) => {
                let mut slots = Vec::new();
                for val in &vals {
                    match val {
                        Val::Leaf(_, own, _) if own == rank && *own > 0 => val.slots(&mut slots),
                        _ => return Err("`cat` of arrays of different rank".into()),
                    }
                }
                let list = self.list(slots)?;
                let d = self.take(bank(kind, 1));
                self.emit(Ins::Cat(kind.of(), d, list, dim));
                Ok(Val::Leaf(kind.clone(), *rank, d))
            }
            Val::Record(rank, fields) => {
                let mut out = Vec::new();
                for (name, _) in fields {
                    let column: Option<Vec<Val>> =
                        vals.iter().map(|val| val.field(*name).cloned()).collect();
                    let column = column.ok_or("`cat` of records of different types")?;
                    out.push((*name, self.cat(dim, column)?));
                }
                Ok(Val::Record(*rank, out))
            }
            Val::Function(_) => Err("`cat` of functions".into()),
        }
    }

    /// `String(…)`; all arguments stand in the order of the specification.
    fn text(&mut self, args: &[FlatExp]) -> Compiled<Val> {
        let Some((value, rest)) = args.split_first() else {
            return Err("`String` of nothing".into());
        };
        let value = self.exp(value)?;
        let Val::Leaf(kind, 0, reg) = value else {
            return Err("`String` of something that is no scalar".into());
        };
        let d = self.take(Bank::Str);
        let result = Val::Leaf(Kind::Str, 0, d);
        if kind == Kind::Str {
            self.emit(Ins::MovS(d, reg));
            return Ok(result);
        }
        if kind == Kind::Real
            && let [format] = rest
        {
            let format = self.exp(format)?;
            if let Val::Leaf(Kind::Str, 0, format) = format {
                self.emit(Ins::StrFormat(d, reg, format));
                return Ok(result);
            }
        }
        let mut slots = vec![super::exp::scalar_slot(&kind, reg)];
        let defaults: &[i64] = match kind {
            Kind::Real => &[6, 0, 1],
            _ => &[0, 1],
        };
        for (i, default) in defaults.iter().enumerate() {
            let reg = match rest.get(i) {
                Some(exp) => self.int(exp)?,
                None => self.int_literal(*default),
            };
            slots.push((Bank::Int, reg));
        }
        let list = self.list(slots)?;
        let ins = match kind {
            Kind::Real => Ins::StrR(d, list),
            Kind::Bool => Ins::StrB(d, list),
            Kind::Enum(ty) => {
                self.code.enums.push(ty);
                Ins::StrE(d, list, self.code.enums.len() as u16 - 1)
            }
            _ => Ins::StrI(d, list),
        };
        self.emit(ins);
        Ok(result)
    }
}
