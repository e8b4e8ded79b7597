//! Reductions and array comprehensions: loops that make a value.

use super::{Compiled, Compiler};
use crate::ins::{Bank, Ins, Of, Reg, Slot};
use crate::ty::{Kind, Ty, Val, bank};
use modeshift_base::Name;
use modeshift_flat::model::{FlatExp, FlatRef};
use modeshift_inst::builtin::Binary;
use modeshift_inst::exp::{Callee, Reduction};

impl Compiler<'_> {
    pub(super) fn reduction(&mut self, reduction: &Reduction<FlatRef>) -> Compiled<Val> {
        let name = match &reduction.function {
            Callee::Builtin(name) => *name,
            Callee::User(name) => return Err(format!("a reduction by `{name}`").into()),
        };
        if name == "array" {
            return self.comprehension(reduction);
        }
        let ty = Ty::new(&reduction.ty).ok_or("a reduction of an unknown type")?;
        let Ty::Leaf(kind, rank) = ty else {
            return Err("a reduction of records".into());
        };
        let result = self.take(bank(&kind, rank));
        let total = Val::Leaf(kind.clone(), rank, result);
        let (op, start) = match name.as_str() {
            "sum" => (Binary::Add, Some(0)),
            "product" => (Binary::Mul, Some(1)),
            "min" => (Binary::Min, None),
            "max" => (Binary::Max, None),
            other => return Err(format!("a reduction by `{other}`").into()),
        };
        let first = self.take(Bank::Int);
        let one = self.int_literal(1);
        self.emit(Ins::MovI(first, one));
        if rank == 0 {
            let value = match (start, kind.of()) {
                (Some(start), Of::Real) => {
                    Val::Leaf(Kind::Real, 0, self.real_literal(start as f64))
                }
                (Some(start), _) => Val::Leaf(Kind::Int, 0, self.int_literal(start)),
                (None, Of::Real) => {
                    let limit = if op == Binary::Min {
                        f64::MAX
                    } else {
                        f64::MIN
                    };
                    Val::Leaf(Kind::Real, 0, self.real_literal(limit))
                }
                (None, _) => {
                    let limit = if op == Binary::Min {
                        i64::MAX
                    } else {
                        i64::MIN
                    };
                    Val::Leaf(Kind::Int, 0, self.int_literal(limit))
                }
            };
            self.assign(&total, value, false)?;
        }
        self.nest(&reduction.iterators, &mut |this| {
            let item = this.exp(&reduction.body)?;
            let item = if kind == Kind::Real {
                this.reals_of(item)?
            } else {
                item
            };
            if rank == 0 {
                let next = this.zip(op, total.clone(), item)?;
                return this.assign(&total, next, false);
            }
            let skip = this.emit(Ins::JmpUnless(first, 0));
            this.assign(&total, item.clone(), false)?;
            let zero = this.int_literal(0);
            this.emit(Ins::MovI(first, zero));
            let over = this.emit(Ins::Jmp(0));
            this.land(skip);
            let item = this.exp(&reduction.body)?;
            let next = this.zip(op, total.clone(), item)?;
            this.assign(&total, next, false)?;
            this.land(over);
            Ok(())
        })?;
        Ok(total)
    }

    fn comprehension(&mut self, reduction: &Reduction<FlatRef>) -> Compiled<Val> {
        let outer = reduction.iterators.len();
        let ty = Ty::new(&reduction.ty).ok_or("an array of an unknown type")?;
        let result = self.temporary(&ty);
        self.clear(&result);
        // Sizes are counted while the loops run; the last iterator is the outermost.
        let mut counts: Vec<Reg> = Vec::new();
        for _ in 0..outer {
            let count = self.take(Bank::Int);
            let zero = self.int_literal(0);
            self.emit(Ins::MovI(count, zero));
            counts.push(count);
        }
        self.levels(&reduction.iterators, &counts, &mut |this| {
            let item = this.exp(&reduction.body)?;
            this.append(&result, item)
        })?;
        let slots: Vec<Slot> = counts.iter().rev().map(|&reg| (Bank::Int, reg)).collect();
        self.shape(&result, &slots, outer)?;
        Ok(result)
    }

    fn clear(&mut self, val: &Val) {
        match val {
            Val::Leaf(kind, _, reg) => {
                self.emit(Ins::Clear(kind.of(), *reg));
            }
            Val::Record(_, fields) => fields.iter().for_each(|(_, val)| self.clear(val)),
            Val::Function(_) => {}
        }
    }

    fn append(&mut self, to: &Val, item: Val) -> Compiled<()> {
        match (to, &item) {
            (Val::Leaf(kind, ..), Val::Leaf(own, 0, _))
                if *kind == Kind::Real || kind.of() == own.of() =>
            {
                let item = if *kind == Kind::Real {
                    self.reals_of(item)?
                } else {
                    item
                };
                if let (Val::Leaf(kind, _, d), Val::Leaf(_, _, s)) = (to, item) {
                    self.emit(Ins::Push(kind.of(), *d, s));
                }
                Ok(())
            }
            (Val::Leaf(kind, _, d), Val::Leaf(..)) => {
                let item = if *kind == Kind::Real {
                    self.reals_of(item)?
                } else {
                    item
                };
                if let Val::Leaf(_, _, s) = item {
                    self.emit(Ins::Append(kind.of(), *d, s));
                }
                Ok(())
            }
            (Val::Record(_, fields), Val::Record(..)) => {
                for (name, to) in fields {
                    let field = item.field(*name).cloned();
                    self.append(to, field.ok_or("a record lacks a field")?)?;
                }
                Ok(())
            }
            _ => Err("an array has elements of different types".into()),
        }
    }

    fn shape(&mut self, val: &Val, slots: &[Slot], outer: usize) -> Compiled<()> {
        match val {
            Val::Leaf(kind, rank, reg) => {
                let list = self.list(slots.to_vec())?;
                let inner = rank.saturating_sub(outer) as u8;
                self.emit(Ins::Shape(kind.of(), *reg, list, inner));
                Ok(())
            }
            Val::Record(_, fields) => fields
                .iter()
                .try_for_each(|(_, val)| self.shape(val, slots, outer)),
            Val::Function(_) => Ok(()),
        }
    }

    /// Loops over all iterators, the last one outermost, that count their steps.
    fn levels(
        &mut self,
        iterators: &[(Name, FlatExp)],
        counts: &[Reg],
        body: &mut dyn FnMut(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let (Some(((name, range), rest)), Some((&count, counts))) =
            (iterators.split_last(), counts.split_last())
        else {
            return body(self);
        };
        let (zero, one) = (self.int_literal(0), self.int_literal(1));
        self.emit(Ins::MovI(count, zero));
        self.for_each(*name, range, &mut |this| {
            this.emit(Ins::AddI(count, count, one));
            this.levels(rest, counts, body)
        })
    }

    fn nest(
        &mut self,
        iterators: &[(Name, FlatExp)],
        body: &mut dyn FnMut(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        match iterators.split_last() {
            None => body(self),
            Some(((name, range), rest)) => {
                self.for_each(*name, range, &mut |this| this.nest(rest, body))
            }
        }
    }
}
