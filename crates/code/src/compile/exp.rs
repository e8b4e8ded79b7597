//! Expressions.

use super::{Compiled, Compiler, literal, scalar_bank};
use crate::ins::{Bank, Ins, Of, Reg, Rel, Slot, Zip};
use crate::ty::{Kind, Ty, Val, bank};
use modeshift_base::Name;
use modeshift_flat::model::{FlatExp, FlatRef};
use modeshift_inst::builtin::{Binary, Unary};
use modeshift_inst::exp::{BinaryOp, Exp, IfExp, Subscript, UnaryOp};
use modeshift_inst::ty::{Dim, Type};

impl Compiler<'_> {
    pub(super) fn exp(&mut self, exp: &FlatExp) -> Compiled<Val> {
        match exp {
            Exp::Int(value) => Ok(Val::Leaf(Kind::Int, 0, self.int_literal(*value))),
            Exp::Real(value) => Ok(Val::Leaf(Kind::Real, 0, self.real_literal(*value))),
            Exp::Bool(value) => {
                let reg = self.int_literal(i64::from(*value));
                Ok(Val::Leaf(Kind::Bool, 0, reg))
            }
            Exp::Str(text) => Ok(Val::Leaf(Kind::Str, 0, self.string_literal(text))),
            Exp::Enum(ty, literal) => {
                let reg = self.int_literal(i64::from(*literal));
                Ok(Val::Leaf(Kind::Enum(ty.clone()), 0, reg))
            }
            Exp::Time => Err("it uses `time`".into()),
            Exp::Ref(FlatRef::Local(local)) => {
                let (val, sels) = self.place(local)?;
                self.read(&val, &sels)
            }
            Exp::Ref(_) => Err("it uses a variable of the model".into()),
            Exp::Iterator(name) => {
                let mut known = self.iterators.iter().rev();
                let found = known.find(|(own, _)| own == name);
                found
                    .map(|(_, val)| val.clone())
                    .ok_or_else(|| format!("`{name}` has no value").into())
            }
            Exp::Array(items, ty) => self.array(exp, items, ty),
            Exp::Range(range) => {
                let (start, stop) = (self.exp(&range.start)?, self.exp(&range.stop)?);
                let step = match &range.step {
                    Some(step) => self.exp(step)?,
                    None => Val::Leaf(Kind::Int, 0, self.int_literal(1)),
                };
                let is_real = |val: &Val| matches!(val, Val::Leaf(Kind::Real, ..));
                if [&start, &stop, &step].into_iter().any(is_real) {
                    let (start, step) = (self.as_real(start)?, self.as_real(step)?);
                    let stop = self.as_real(stop)?;
                    let d = self.take(Bank::Reals);
                    self.emit(Ins::RangeR(d, start, step, stop));
                    return Ok(Val::Leaf(Kind::Real, 1, d));
                }
                let Val::Leaf(kind, 0, _) = &start else {
                    return Err("a range does not start with a number".into());
                };
                let kind = kind.clone();
                let (start, step) = (self.as_int(start)?, self.as_int(step)?);
                let stop = self.as_int(stop)?;
                let d = self.take(Bank::Ints);
                self.emit(Ins::RangeI(d, start, step, stop));
                Ok(Val::Leaf(kind, 1, d))
            }
            Exp::Tuple(items) => match &items[..] {
                [Some(one)] => self.exp(one),
                _ => Err("several values are given where one is expected".into()),
            },
            Exp::Record(Type::Record(record), fields) => {
                let mut vals = Vec::new();
                for ((name, ty), field) in record.fields.iter().zip(fields) {
                    let val = self.exp(field)?;
                    let val = match Ty::new(ty) {
                        Some(ty) => self.coerce(val, &ty)?,
                        None => val,
                    };
                    vals.push((*name, val));
                }
                Ok(Val::Record(0, vals))
            }
            Exp::Record(..) => Err("a record has a type that is not known".into()),
            Exp::Call(call) => {
                let outputs = self.call(call)?;
                let mut outputs = outputs.into_iter();
                outputs
                    .next()
                    .ok_or_else(|| "a function without result is used as a value".into())
            }
            Exp::Reduction(reduction) => self.reduction(reduction),
            Exp::Unary(op, inner) => self.unary(*op, inner),
            Exp::Binary(op, sides) => self.binary(*op, &sides.0, &sides.1),
            Exp::If(branch) => self.if_exp(branch),
            Exp::Cast(ty, inner) => {
                if let (Type::Real, Exp::Int(value)) = (ty, &**inner) {
                    return Ok(Val::Leaf(Kind::Real, 0, self.real_literal(*value as f64)));
                }
                if let Some(literal) = self.literal_array(exp) {
                    return Ok(literal);
                }
                let val = self.exp(inner)?;
                if *ty.element() == Type::Real {
                    return self.reals_of(val);
                }
                Ok(val)
            }
            Exp::Subscripted(inner, subscripts) => {
                let whole = self.exp(inner)?;
                let sels = self.subscripts(subscripts)?;
                self.read(&whole, &sels)
            }
            Exp::TupleElement(inner, output) => {
                let index = (*output as usize).saturating_sub(1);
                match &**inner {
                    Exp::Call(call) => {
                        let outputs = self.call(call)?;
                        let output = outputs.into_iter().nth(index);
                        output.ok_or_else(|| "a call has no such output".into())
                    }
                    other if index == 0 => self.exp(other),
                    _ => Err("an element of a tuple is not known".into()),
                }
            }
            Exp::Field(inner, name) => {
                if let Some((field, ty)) = written_field(inner, *name) {
                    let val = self.exp(field)?;
                    return match Ty::new(ty) {
                        Some(ty) => self.coerce(val, &ty),
                        None => Ok(val),
                    };
                }
                let val = self.exp(inner)?;
                val.field(*name)
                    .cloned()
                    .ok_or_else(|| format!("there is no field `{name}`").into())
            }
            Exp::PartialFunction(name, bound, _) => self.partial(name, bound),
            Exp::Size(inner, dim) => self.size(inner, dim.as_deref()),
            Exp::TypeRange(dim) => {
                let (kind, first, last) = match dim {
                    Dim::Boolean => (Kind::Bool, 0, 1),
                    Dim::Enumeration(ty) => (Kind::Enum(ty.clone()), 1, ty.literals.len() as i64),
                    _ => (Kind::Int, 1, dim.known().unwrap_or(0)),
                };
                let (start, one) = (self.int_literal(first), self.int_literal(1));
                let stop = self.int_literal(last);
                let d = self.take(Bank::Ints);
                self.emit(Ins::RangeI(d, start, one, stop));
                Ok(Val::Leaf(kind, 1, d))
            }
            Exp::Error => Err("an expression is wrong".into()),
        }
    }

    pub(super) fn size(&mut self, inner: &FlatExp, dim: Option<&FlatExp>) -> Compiled<Val> {
        let val = self.exp(inner)?;
        let rank = val.rank();
        let Some((kind, _, reg)) = val.first_leaf() else {
            return Err("the size of something that is no array".into());
        };
        let (of, array) = (kind.of(), val.rank() > 0);
        match dim {
            Some(dim) => {
                let k = self.int(dim)?;
                let d = self.take(Bank::Int);
                if !array {
                    return Err("a scalar has no size".into());
                }
                self.emit(Ins::Dim(of, d, reg, k));
                Ok(Val::Leaf(Kind::Int, 0, d))
            }
            None => {
                if !array {
                    let d = self.take(Bank::Ints);
                    let list = self.list(Vec::new())?;
                    self.emit(Ins::FromScalars(Of::Int, d, list));
                    return Ok(Val::Leaf(Kind::Int, 1, d));
                }
                let mut slots = Vec::new();
                for k in 1..=rank {
                    let k = self.int_literal(k as i64);
                    let d = self.take(Bank::Int);
                    self.emit(Ins::Dim(of, d, reg, k));
                    slots.push((Bank::Int, d));
                }
                let d = self.take(Bank::Ints);
                let list = self.list(slots)?;
                self.emit(Ins::FromScalars(Of::Int, d, list));
                Ok(Val::Leaf(Kind::Int, 1, d))
            }
        }
    }

    fn array(&mut self, exp: &FlatExp, items: &[FlatExp], ty: &Type) -> Compiled<Val> {
        if let Some(literal) = self.literal_array(exp) {
            return Ok(literal);
        }
        let mut vals = Vec::with_capacity(items.len());
        for item in items {
            vals.push(self.exp(item)?);
        }
        if vals.is_empty() {
            let ty = Ty::new(ty).unwrap_or(Ty::Leaf(Kind::Real, 1));
            let val = self.temporary(&ty);
            self.empty(&val)?;
            return Ok(val);
        }
        self.stack(vals)
    }

    /// Arrays without elements.
    fn empty(&mut self, val: &Val) -> Compiled<()> {
        match val {
            Val::Leaf(_, 0, _) | Val::Function(_) => Ok(()),
            Val::Leaf(kind, rank, reg) => {
                let zero = self.int_literal(0);
                let list = self.list(vec![(Bank::Int, zero); *rank])?;
                self.emit(Ins::New(kind.of(), *reg, list));
                Ok(())
            }
            Val::Record(_, fields) => fields.iter().try_for_each(|(_, val)| self.empty(val)),
        }
    }

    /// `{a, b}` of values of one type.
    pub(super) fn stack(&mut self, mut vals: Vec<Val>) -> Compiled<Val> {
        let is_real = |val: &Val| matches!(val, Val::Leaf(Kind::Real, ..));
        if vals.iter().any(is_real) {
            for val in &mut vals {
                *val = self.reals_of(val.clone())?;
            }
        }
        let first = vals[0].clone();
        match &first {
            Val::Leaf(kind, rank, _) => {
                let mut slots: Vec<Slot> = Vec::new();
                for val in &vals {
                    match val {
                        Val::Leaf(_, own, _) if own == rank => val.slots(&mut slots),
                        _ => return Err("an array has elements of different rank".into()),
                    }
                }
                let list = self.list(slots)?;
                let d = self.take(bank(kind, 1));
                self.emit(match rank {
                    0 => Ins::FromScalars(kind.of(), d, list),
                    _ => Ins::Stack(kind.of(), d, list),
                });
                Ok(Val::Leaf(kind.clone(), rank + 1, d))
            }
            Val::Record(rank, fields) => {
                let mut out = Vec::new();
                for (name, _) in fields {
                    let column: Option<Vec<Val>> =
                        vals.iter().map(|val| val.field(*name).cloned()).collect();
                    let column = column.ok_or("an array has records of different types")?;
                    out.push((*name, self.stack(column)?));
                }
                Ok(Val::Record(rank + 1, out))
            }
            Val::Function(_) => Err("an array of functions".into()),
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &FlatExp) -> Compiled<Val> {
        let val = self.exp(inner)?;
        let Val::Leaf(kind, rank, reg) = val else {
            return Err("an operator is applied to a record".into());
        };
        let table = match op {
            UnaryOp::Neg => Unary::Neg,
            UnaryOp::Not => Unary::Not,
        };
        let d = self.take(bank(&kind, rank));
        self.emit(match (kind.of(), rank, op) {
            (Of::Real, 0, _) => Ins::NegR(d, reg),
            (Of::Real, _, _) => Ins::MapR(table, d, reg),
            (_, 0, UnaryOp::Neg) => Ins::NegI(d, reg),
            (_, 0, UnaryOp::Not) => Ins::NotI(d, reg),
            _ => Ins::MapI(table, d, reg),
        });
        Ok(Val::Leaf(kind, rank, d))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &FlatExp, b: &FlatExp) -> Compiled<Val> {
        use BinaryOp as B;
        if let B::And | B::Or = op {
            let left = self.exp(a)?;
            if left.rank() == 0 {
                return self.short_circuit(op, left, b);
            }
            let right = self.exp(b)?;
            let table = if op == B::And {
                Binary::And
            } else {
                Binary::Or
            };
            return self.zip(table, left, right);
        }
        if let (B::Pow, Some(n)) = (op, small_integer(b)) {
            let base = self.exp(a)?;
            if base.rank() == 0 {
                let base = self.as_real(base)?;
                let d = self.take(Bank::Real);
                self.emit(match n {
                    2 => Ins::MulR(d, base, base),
                    _ => Ins::PowiR(d, base, n),
                });
                return Ok(Val::Leaf(Kind::Real, 0, d));
            }
        }
        if let (B::Div | B::DivElem, Some(factor)) = (op, literal::reciprocal(b)) {
            let left = self.exp(a)?;
            let right = Val::Leaf(Kind::Real, 0, self.real_literal(factor));
            return self.zip(Binary::Mul, left, right);
        }
        let (left, right) = (self.exp(a)?, self.exp(b)?);
        let rel = match op {
            B::Less => Some(Rel::Less),
            B::LessEq => Some(Rel::LessEq),
            B::Greater => Some(Rel::Greater),
            B::GreaterEq => Some(Rel::GreaterEq),
            B::Equal => Some(Rel::Equal),
            B::NotEqual => Some(Rel::NotEqual),
            _ => None,
        };
        if let Some(rel) = rel {
            let (ins, a, b) = self.comparable(left, right)?;
            let d = self.take(Bank::Int);
            self.emit(match ins {
                Of::Real => Ins::CmpR(rel, d, a, b),
                Of::Int => Ins::CmpI(rel, d, a, b),
                Of::Str => Ins::CmpS(rel, d, a, b),
            });
            return Ok(Val::Leaf(Kind::Bool, 0, d));
        }
        match op {
            B::MatMul => self.matrix_product(left, right),
            B::MatPow => {
                let base = self.reals_of(left)?;
                let n = self.as_int(right)?;
                let Val::Leaf(_, 2, reg) = base else {
                    return Err("a power of something that is no matrix".into());
                };
                let d = self.take(Bank::Reals);
                self.emit(Ins::MatPow(d, reg, n));
                Ok(Val::Leaf(Kind::Real, 2, d))
            }
            B::Add | B::AddElem => self.zip(Binary::Add, left, right),
            B::Sub | B::SubElem => self.zip(Binary::Sub, left, right),
            B::Mul | B::MulElem => self.zip(Binary::Mul, left, right),
            B::Div | B::DivElem => self.zip(Binary::Div, left, right),
            _ => self.zip(Binary::Pow, left, right),
        }
    }

    /// Operands of a relation in registers of one bank.
    fn comparable(&mut self, left: Val, right: Val) -> Compiled<(Of, Reg, Reg)> {
        let is = |val: &Val, of: Of| matches!(val, Val::Leaf(kind, 0, _) if kind.of() == of);
        if is(&left, Of::Str) && is(&right, Of::Str) {
            let (Val::Leaf(_, _, a), Val::Leaf(_, _, b)) = (left, right) else {
                return Err("a comparison".into());
            };
            return Ok((Of::Str, a, b));
        }
        if is(&left, Of::Int) && is(&right, Of::Int) {
            return Ok((Of::Int, self.as_int(left)?, self.as_int(right)?));
        }
        Ok((Of::Real, self.as_real(left)?, self.as_real(right)?))
    }

    fn short_circuit(&mut self, op: BinaryOp, left: Val, right: &FlatExp) -> Compiled<Val> {
        let left = self.as_int(left)?;
        let d = self.take(Bank::Int);
        self.emit(Ins::MovI(d, left));
        let jump = match op {
            BinaryOp::And => self.emit(Ins::JmpUnless(d, 0)),
            _ => self.emit(Ins::JmpIf(d, 0)),
        };
        let right = self.int(right)?;
        self.emit(Ins::MovI(d, right));
        self.land(jump);
        Ok(Val::Leaf(Kind::Bool, 0, d))
    }

    /// An operation element by element; scalars go with every element.
    pub(super) fn zip(&mut self, op: Binary, left: Val, right: Val) -> Compiled<Val> {
        let (Val::Leaf(a, ..), Val::Leaf(b, ..)) = (&left, &right) else {
            return Err("an operator is applied to a record".into());
        };
        if a.of() == Of::Str || b.of() == Of::Str {
            return self.concatenate(left, right);
        }
        let needs_real = matches!(op, Binary::Div | Binary::Pow | Binary::Atan2);
        if needs_real || *a == Kind::Real || *b == Kind::Real {
            let (left, right) = (self.reals_of(left)?, self.reals_of(right)?);
            let (Val::Leaf(_, m, a), Val::Leaf(_, n, b)) = (left, right) else {
                return Err("an operator is applied to a record".into());
            };
            let rank = m.max(n);
            let fused = match (m, n) {
                (0, 0) => self.product_in_sum(op, a, b),
                _ => None,
            };
            let d = self.take(bank(&Kind::Real, rank));
            if let Some(fused) = fused {
                self.code.code.pop();
                self.emit(fused(d));
                return Ok(Val::Leaf(Kind::Real, 0, d));
            }
            self.emit(match (m, n) {
                (0, 0) => match op {
                    Binary::Add => Ins::AddR(d, a, b),
                    Binary::Sub => Ins::SubR(d, a, b),
                    Binary::Mul => Ins::MulR(d, a, b),
                    Binary::Div => Ins::DivR(d, a, b),
                    _ => Ins::BinR(op, d, a, b),
                },
                (_, 0) => Ins::ZipR(op, Zip::Left, d, a, b),
                (0, _) => Ins::ZipR(op, Zip::Right, d, a, b),
                _ => Ins::ZipR(op, Zip::Both, d, a, b),
            });
            return Ok(Val::Leaf(Kind::Real, rank, d));
        }
        let kind = a.clone();
        let (Val::Leaf(_, m, a), Val::Leaf(_, n, b)) = (left, right) else {
            return Err("an operator is applied to a record".into());
        };
        let rank = m.max(n);
        let d = self.take(bank(&kind, rank));
        self.emit(match (m, n) {
            (0, 0) => match op {
                Binary::Add => Ins::AddI(d, a, b),
                Binary::Sub => Ins::SubI(d, a, b),
                Binary::Mul => Ins::MulI(d, a, b),
                _ => Ins::BinI(op, d, a, b),
            },
            (_, 0) => Ins::ZipI(op, Zip::Left, d, a, b),
            (0, _) => Ins::ZipI(op, Zip::Right, d, a, b),
            _ => Ins::ZipI(op, Zip::Both, d, a, b),
        });
        Ok(Val::Leaf(kind, rank, d))
    }

    /// One instruction for a sum or difference and the product that was computed last, if nobody else can read it.
    fn product_in_sum(
        &self,
        op: Binary,
        a: Reg,
        b: Reg,
    ) -> Option<impl FnOnce(Reg) -> Ins + use<>> {
        if self.label == self.code.code.len() || a == b {
            return None;
        }
        let Some(&Ins::MulR(product, x, y)) = self.code.code.last() else {
            return None;
        };
        if !self.is_temporary(Bank::Real, product) {
            return None;
        }
        let first = product == a;
        if !first && product != b {
            return None;
        }
        let other = if first { b } else { a };
        let make: fn(Reg, Reg, Reg, Reg) -> Ins = match (op, first) {
            (Binary::Add, _) => Ins::MulAddR,
            (Binary::Sub, true) => Ins::MulSubR,
            (Binary::Sub, false) => Ins::SubMulR,
            _ => return None,
        };
        Some(move |d| make(d, x, y, other))
    }

    fn concatenate(&mut self, left: Val, right: Val) -> Compiled<Val> {
        let (Val::Leaf(Kind::Str, m, a), Val::Leaf(Kind::Str, n, b)) = (left, right) else {
            return Err("a string and a number do not add".into());
        };
        let rank = m.max(n);
        let d = self.take(bank(&Kind::Str, rank));
        self.emit(match (m, n) {
            (0, 0) => Ins::CatS(d, a, b),
            (_, 0) => Ins::ZipS(Zip::Left, d, a, b),
            (0, _) => Ins::ZipS(Zip::Right, d, a, b),
            _ => Ins::ZipS(Zip::Both, d, a, b),
        });
        Ok(Val::Leaf(Kind::Str, rank, d))
    }

    fn matrix_product(&mut self, left: Val, right: Val) -> Compiled<Val> {
        let ints = |val: &Val| matches!(val, Val::Leaf(kind, ..) if kind.of() == Of::Int);
        let whole = ints(&left) && ints(&right);
        let (left, right) = match whole {
            true => (left, right),
            false => (self.reals_of(left)?, self.reals_of(right)?),
        };
        let (Val::Leaf(kind, m, a), Val::Leaf(_, n, b)) = (left, right) else {
            return Err("a product of records".into());
        };
        if m == 0 || n == 0 {
            return self.zip(
                Binary::Mul,
                Val::Leaf(kind.clone(), m, a),
                Val::Leaf(kind, n, b),
            );
        }
        let rank = m + n - 2;
        let d = self.take(bank(&kind, rank));
        self.emit(match (rank, whole) {
            (0, true) => Ins::DotI(d, a, b),
            (0, false) => Ins::DotR(d, a, b),
            (_, true) => Ins::MatMulI(d, a, b),
            (_, false) => Ins::MatMulR(d, a, b),
        });
        Ok(Val::Leaf(kind, rank, d))
    }

    fn if_exp(&mut self, branch: &IfExp<FlatRef>) -> Compiled<Val> {
        let mut otherwise = Vec::new();
        self.jump_unless(&branch.condition, &mut otherwise)?;
        let then = self.exp(&branch.then)?;
        let mut ty = then.ty();
        if *branch.ty.element() == Type::Real
            && let Ty::Leaf(kind, _) = &mut ty
        {
            *kind = Kind::Real;
        }
        let result = self.temporary(&ty);
        self.assign(&result, then, false)?;
        let over = self.emit(Ins::Jmp(0));
        for jump in otherwise {
            self.land(jump);
        }
        let other = self.exp(&branch.else_)?;
        self.assign(&result, other, false)?;
        self.land(over);
        Ok(result)
    }

    /// Collects jumps that are taken where the condition does not hold.
    pub(super) fn jump_unless(
        &mut self,
        condition: &FlatExp,
        jumps: &mut Vec<usize>,
    ) -> Compiled<()> {
        if let Exp::Binary(op, sides) = condition {
            let rel = match op {
                BinaryOp::And => {
                    self.jump_unless(&sides.0, jumps)?;
                    return self.jump_unless(&sides.1, jumps);
                }
                BinaryOp::Less => Some(Rel::Less),
                BinaryOp::LessEq => Some(Rel::LessEq),
                BinaryOp::Greater => Some(Rel::Greater),
                BinaryOp::GreaterEq => Some(Rel::GreaterEq),
                BinaryOp::Equal => Some(Rel::Equal),
                BinaryOp::NotEqual => Some(Rel::NotEqual),
                _ => None,
            };
            if let Some(rel) = rel {
                let (left, right) = (self.exp(&sides.0)?, self.exp(&sides.1)?);
                let (of, a, b) = self.comparable(left, right)?;
                let jump = match of {
                    Of::Real => Ins::JmpUnlessR(rel, a, b, 0),
                    Of::Int => Ins::JmpUnlessI(rel, a, b, 0),
                    Of::Str => {
                        let d = self.take(Bank::Int);
                        self.emit(Ins::CmpS(rel, d, a, b));
                        Ins::JmpUnless(d, 0)
                    }
                };
                let jump = self.emit(jump);
                jumps.push(jump);
                return Ok(());
            }
        }
        let condition = self.int(condition)?;
        let jump = self.emit(Ins::JmpUnless(condition, 0));
        jumps.push(jump);
        Ok(())
    }
}

/// The field of a record that stands in the text, or of an element of an array of such, with its type: the other fields
/// need not be computed.
fn written_field(record: &FlatExp, name: Name) -> Option<(&FlatExp, &Type)> {
    match record {
        Exp::Record(Type::Record(ty), fields) => {
            let place = ty.fields.iter().position(|(own, _)| *own == name)?;
            Some((fields.get(place)?, &ty.fields[place].1))
        }
        Exp::Subscripted(array, subscripts) => {
            let (Exp::Array(items, _), [Subscript::Index(Exp::Int(index))]) =
                (&**array, &subscripts[..])
            else {
                return None;
            };
            let item = usize::try_from(*index).ok()?.checked_sub(1)?;
            written_field(items.get(item)?, name)
        }
        _ => None,
    }
}

fn small_integer(exp: &FlatExp) -> Option<i32> {
    match exp {
        Exp::Int(value) => i32::try_from(*value).ok().filter(|n| n.abs() <= 1000),
        Exp::Real(value) if value.fract() == 0.0 && value.abs() <= 1000.0 => Some(*value as i32),
        Exp::Cast(_, inner) => small_integer(inner),
        Exp::Unary(UnaryOp::Neg, inner) => small_integer(inner).map(|n| -n),
        _ => None,
    }
}

/// The scalar bank of a kind, for lists.
pub(super) fn scalar_slot(kind: &Kind, reg: Reg) -> Slot {
    (scalar_bank(kind), reg)
}
