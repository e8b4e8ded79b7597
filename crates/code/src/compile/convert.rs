//! Values of one type where another is expected.

use super::{Compiled, Compiler, Why};
use crate::ins::{Bank, Ins, Of, Reg};
use crate::ty::{Kind, Ty, Val};
use modeshift_flat::model::FlatExp;

impl Compiler<'_> {
    /// A value with Reals for Integers.
    pub(super) fn reals_of(&mut self, val: Val) -> Compiled<Val> {
        match val {
            Val::Leaf(Kind::Real, ..) | Val::Record(..) => Ok(val),
            Val::Leaf(kind, 0, reg) if kind.of() == Of::Int => {
                let d = self.take(Bank::Real);
                self.emit(Ins::ItoR(d, reg));
                Ok(Val::Leaf(Kind::Real, 0, d))
            }
            Val::Leaf(kind, rank, reg) if kind.of() == Of::Int => {
                let d = self.take(Bank::Reals);
                self.emit(Ins::ToReals(d, reg));
                Ok(Val::Leaf(Kind::Real, rank, d))
            }
            _ => Err("a number is expected".into()),
        }
    }

    pub(super) fn as_real(&mut self, val: Val) -> Compiled<Reg> {
        match self.reals_of(val)? {
            Val::Leaf(Kind::Real, 0, reg) => Ok(reg),
            Val::Leaf(Kind::Real, rank, reg) => {
                let _ = rank;
                let d = self.take(Bank::Real);
                self.emit(Ins::Scalar(Of::Real, d, reg));
                Ok(d)
            }
            _ => Err("a number is expected".into()),
        }
    }

    pub(super) fn as_int(&mut self, val: Val) -> Compiled<Reg> {
        match val {
            Val::Leaf(kind, 0, reg) if kind.of() == Of::Int => Ok(reg),
            Val::Leaf(kind, _, reg) if kind.of() == Of::Int => {
                let d = self.take(Bank::Int);
                self.emit(Ins::Scalar(Of::Int, d, reg));
                Ok(d)
            }
            _ => Err("an Integer is expected".into()),
        }
    }

    pub(super) fn real(&mut self, exp: &FlatExp) -> Compiled<Reg> {
        let val = self.exp(exp)?;
        self.as_real(val)
    }

    pub(super) fn int(&mut self, exp: &FlatExp) -> Compiled<Reg> {
        let val = self.exp(exp)?;
        self.as_int(val)
    }

    pub(super) fn string(&mut self, exp: &FlatExp) -> Compiled<Reg> {
        match self.exp(exp)? {
            Val::Leaf(Kind::Str, 0, reg) => Ok(reg),
            _ => Err("a string is expected".into()),
        }
    }

    /// A value as the type says: Reals for Integers, fields in order.
    pub(super) fn coerce(&mut self, val: Val, ty: &Ty) -> Compiled<Val> {
        match (&val, ty) {
            (Val::Leaf(_, rank, _), Ty::Leaf(kind, wanted)) => {
                let val = if *kind == Kind::Real {
                    self.reals_of(val.clone())?
                } else {
                    val.clone()
                };
                if rank == wanted {
                    return match &val {
                        Val::Leaf(own, ..) if own.of() == kind.of() => Ok(val),
                        _ => Err(mismatch(&val, ty)),
                    };
                }
                Err(mismatch(&val, ty))
            }
            (Val::Record(rank, _), Ty::Record(wanted, fields)) if rank == wanted => {
                let mut out = Vec::new();
                for (name, ty) in fields {
                    let field = val.field(*name).cloned();
                    let field = field.ok_or_else(|| -> Why {
                        format!("a record has no field `{name}`").into()
                    })?;
                    out.push((*name, self.coerce(field, ty)?));
                }
                Ok(Val::Record(*rank, out))
            }
            (Val::Function(_), Ty::Function) => Ok(val),
            _ => Err(mismatch(&val, ty)),
        }
    }
}

fn mismatch(val: &Val, ty: &Ty) -> Why {
    let describe = |ty: &Ty| match ty {
        Ty::Leaf(kind, rank) => format!("{kind:?} of rank {rank}"),
        Ty::Record(rank, _) => format!("a record of rank {rank}"),
        Ty::Function => "a function".to_owned(),
    };
    format!(
        "{} is given where {} is expected",
        describe(&val.ty()),
        describe(ty)
    )
    .into()
}
