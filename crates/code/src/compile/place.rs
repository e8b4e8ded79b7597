//! Variables with fields and subscripts, and assignments to them.

use super::{Compiled, Compiler, Why};
use crate::ins::{Bank, Ins, Of, Reg, Sel};
use crate::ty::{Kind, Val, bank};
use modeshift_flat::model::{FlatRef, LocalRef};
use modeshift_inst::exp::Subscript;

impl Compiler<'_> {
    /// The variable or field that is meant, and subscripts for its dimensions from the left.
    pub(super) fn place(&mut self, local: &LocalRef) -> Compiled<(Val, Vec<Sel>)> {
        if let Some(element) = self.element(local) {
            return Ok((element, Vec::new()));
        }
        let mut parts = local.parts.iter();
        let (name, subscripts) = parts.next().ok_or("a variable has no name")?;
        let known = self.locals.get(name).map(|local| local.val.clone());
        let known = known.or_else(|| {
            let mut iterators = self.iterators.iter().rev();
            let found = iterators.find(|(own, _)| own == name);
            found.map(|(_, val)| val.clone())
        });
        let mut val = known.ok_or_else(|| -> Why { format!("`{name}` is not declared").into() })?;
        let mut sels = Vec::new();
        self.part(&val, subscripts, &mut sels)?;
        for (name, subscripts) in parts {
            let field = val.field(*name).cloned();
            val = field.ok_or_else(|| -> Why { format!("there is no field `{name}`").into() })?;
            self.part(&val, subscripts, &mut sels)?;
        }
        Ok((val, sels))
    }

    /// The subscripts of a part; those that are left out are `:`.
    fn part(
        &mut self,
        val: &Val,
        subscripts: &[Subscript<FlatRef>],
        sels: &mut Vec<Sel>,
    ) -> Compiled<()> {
        let own = self.subscripts(subscripts)?;
        sels.extend(own);
        if sels.len() > val.rank() {
            return Err("there are more subscripts than dimensions".into());
        }
        sels.resize(val.rank(), Sel::All);
        Ok(())
    }

    pub(super) fn subscripts(&mut self, subscripts: &[Subscript<FlatRef>]) -> Compiled<Vec<Sel>> {
        let mut sels = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            sels.push(match subscript {
                Subscript::All => Sel::All,
                Subscript::Index(exp) => {
                    let val = self.exp(exp)?;
                    // `false` is the first index of a dimension that is Boolean.
                    if let Val::Leaf(Kind::Bool, 0, reg) = val {
                        let one = self.int_literal(1);
                        let d = self.take(Bank::Int);
                        self.emit(Ins::AddI(d, reg, one));
                        Sel::Index(d)
                    } else {
                        match val.rank() {
                            0 => Sel::Index(self.as_int(val)?),
                            _ => Sel::Vector(ints(&val)?),
                        }
                    }
                }
                Subscript::Slice(exp) => {
                    let val = self.exp(exp)?;
                    match val.rank() {
                        0 => Sel::Index(self.as_int(val)?),
                        _ => Sel::Vector(ints(&val)?),
                    }
                }
            });
        }
        Ok(sels)
    }

    pub(super) fn read(&mut self, val: &Val, sels: &[Sel]) -> Compiled<Val> {
        if sels.iter().all(|sel| *sel == Sel::All) {
            return Ok(val.clone());
        }
        let fewer = sels
            .iter()
            .filter(|sel| matches!(sel, Sel::Index(_)))
            .count();
        match val {
            Val::Leaf(kind, rank, reg) => {
                if sels.len() > *rank {
                    return Err("there are more subscripts than dimensions".into());
                }
                let left = rank - fewer;
                let d = self.take(bank(kind, left));
                let ins = match (kind.of(), sels) {
                    (Of::Real, [Sel::Index(i)]) if left == 0 => Ins::GetR1(d, *reg, *i),
                    (Of::Real, [Sel::Index(i), Sel::Index(j)]) if left == 0 => {
                        Ins::GetR2(d, *reg, *i, *j)
                    }
                    (Of::Int, [Sel::Index(i)]) if left == 0 => Ins::GetI1(d, *reg, *i),
                    (Of::Str, [Sel::Index(i)]) if left == 0 => Ins::GetS1(d, *reg, *i),
                    (of, _) => {
                        let selector = self.selector(sels.to_vec())?;
                        match left {
                            0 => Ins::Get(of, d, *reg, selector),
                            _ => Ins::Slice(of, d, *reg, selector),
                        }
                    }
                };
                self.emit(ins);
                Ok(Val::Leaf(kind.clone(), left, d))
            }
            Val::Record(rank, fields) => {
                let mut out = Vec::new();
                for (name, val) in fields {
                    out.push((*name, self.read(val, sels)?));
                }
                Ok(Val::Record(rank.saturating_sub(fewer), out))
            }
            Val::Function(_) => Err("a function has no elements".into()),
        }
    }

    pub(super) fn write(
        &mut self,
        to: &Val,
        sels: &[Sel],
        value: Val,
        fixed: bool,
    ) -> Compiled<()> {
        if sels.iter().all(|sel| *sel == Sel::All) {
            return self.assign(to, value, fixed);
        }
        match (to, &value) {
            (Val::Leaf(kind, rank, reg), Val::Leaf(_, given, _)) => {
                let value = if *kind == Kind::Real {
                    self.reals_of(value.clone())?
                } else {
                    value.clone()
                };
                let Val::Leaf(own, _, from) = value else {
                    return Err("a number is expected".into());
                };
                if own.of() != kind.of() {
                    return Err("an assignment has sides of different types".into());
                }
                let fewer = sels
                    .iter()
                    .filter(|sel| matches!(sel, Sel::Index(_)))
                    .count();
                if rank - fewer != *given {
                    return Err("an assignment has sides of different rank".into());
                }
                let ins = match (kind.of(), sels) {
                    (Of::Real, [Sel::Index(i)]) if *given == 0 => Ins::SetR1(*reg, *i, from),
                    (Of::Real, [Sel::Index(i), Sel::Index(j)]) if *given == 0 => {
                        Ins::SetR2(*reg, *i, *j, from)
                    }
                    (Of::Int, [Sel::Index(i)]) if *given == 0 => Ins::SetI1(*reg, *i, from),
                    (of, _) => {
                        let selector = self.selector(sels.to_vec())?;
                        match given {
                            0 => Ins::Set(of, *reg, from, selector),
                            _ => Ins::Put(of, *reg, from, selector),
                        }
                    }
                };
                self.emit(ins);
                Ok(())
            }
            (Val::Record(_, fields), Val::Record(..)) => {
                for (name, to) in fields {
                    let field = value.field(*name).cloned();
                    self.write(to, sels, field.ok_or("a record lacks a field")?, fixed)?;
                }
                Ok(())
            }
            _ => Err("an assignment has sides of different types".into()),
        }
    }

    /// The whole of a value into registers. `fixed`: the sizes must be those that are there.
    pub(super) fn assign(&mut self, to: &Val, value: Val, fixed: bool) -> Compiled<()> {
        match (to, &value) {
            (Val::Leaf(kind, rank, d), Val::Leaf(_, given, _)) => {
                if rank != given {
                    return Err("an assignment has sides of different rank".into());
                }
                let value = if *kind == Kind::Real {
                    self.reals_of(value.clone())?
                } else {
                    value.clone()
                };
                let Val::Leaf(own, _, s) = value else {
                    return Err("a number is expected".into());
                };
                if own.of() != kind.of() {
                    return Err("an assignment has sides of different types".into());
                }
                let own = bank(kind, *rank);
                match (kind.of(), rank) {
                    (_, 0) if self.redirect(own, s, *d) => {}
                    (Of::Real, 0) => {
                        self.emit(Ins::MovR(*d, s));
                    }
                    (Of::Int, 0) => {
                        self.emit(Ins::MovI(*d, s));
                    }
                    (Of::Str, 0) => {
                        self.emit(Ins::MovS(*d, s));
                    }
                    (of, _) if self.is_temporary(own, s) => {
                        self.emit(Ins::Store(of, *d, s, fixed));
                    }
                    (of, _) if fixed => {
                        let temporary = self.take(own);
                        self.emit(Ins::Copy(of, temporary, s));
                        self.emit(Ins::Store(of, *d, temporary, true));
                    }
                    (of, _) => {
                        self.emit(Ins::Copy(of, *d, s));
                    }
                }
                Ok(())
            }
            (Val::Record(rank, fields), Val::Record(given, _)) if rank == given => {
                for (name, to) in fields {
                    let field = value.field(*name).cloned();
                    let field = field.ok_or_else(|| -> Why {
                        format!("a record has no field `{name}`").into()
                    })?;
                    self.assign(to, field, false)?;
                }
                Ok(())
            }
            (Val::Function(d), Val::Function(s)) => {
                self.emit(Ins::MovF(*d, *s));
                Ok(())
            }
            _ => Err("an assignment has sides of different types".into()),
        }
    }

    /// Lets the instruction that has just computed `from`, a temporary, write to `to` instead.
    fn redirect(&mut self, own: Bank, from: Reg, to: Reg) -> bool {
        if !self.is_temporary(own, from) || self.label == self.code.code.len() {
            return false;
        }
        let Some(last) = self.code.code.last_mut() else {
            return false;
        };
        let target = match (own, last) {
            (
                Bank::Real,
                Ins::AddR(d, ..)
                | Ins::SubR(d, ..)
                | Ins::MulR(d, ..)
                | Ins::DivR(d, ..)
                | Ins::MulAddR(d, ..)
                | Ins::MulSubR(d, ..)
                | Ins::SubMulR(d, ..)
                | Ins::NegR(d, _)
                | Ins::PowiR(d, ..)
                | Ins::UnR(_, d, _)
                | Ins::BinR(_, d, ..)
                | Ins::ItoR(d, _)
                | Ins::GetR1(d, ..)
                | Ins::GetR2(d, ..),
            )
            | (
                Bank::Int,
                Ins::AddI(d, ..)
                | Ins::SubI(d, ..)
                | Ins::MulI(d, ..)
                | Ins::BinI(_, d, ..)
                | Ins::NegI(d, _)
                | Ins::CmpR(_, d, ..)
                | Ins::CmpI(_, d, ..)
                | Ins::GetI1(d, ..),
            ) => d,
            _ => return false,
        };
        if *target != from {
            return false;
        }
        *target = to;
        true
    }
}

fn ints(val: &Val) -> Compiled<Reg> {
    match val {
        Val::Leaf(kind, 1, reg) if kind.of() == Of::Int => Ok(*reg),
        _ => Err("a subscript is no vector of Integers".into()),
    }
}
