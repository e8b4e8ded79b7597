//! Access of external functions to their arguments and results.

use crate::array::Array;
use crate::error::Trouble;
use crate::ins::{BANKS, Bank, Slot};
use crate::machine::{Machine, at};
use crate::num::Num;
use std::sync::Arc;

pub struct Args<'m, R> {
    machine: &'m mut Machine<R>,
    base: [usize; BANKS],
    args: &'m [Slot],
    results: &'m [Slot],
}

fn wrong(index: usize) -> Trouble {
    Trouble::External(format!("argument {} has the wrong type", index + 1))
}

impl<'m, R: Num> Args<'m, R> {
    pub fn new(
        machine: &'m mut Machine<R>,
        base: [usize; BANKS],
        args: &'m [Slot],
        results: &'m [Slot],
    ) -> Self {
        Self {
            machine,
            base,
            args,
            results,
        }
    }

    pub fn len(&self) -> usize {
        self.args.len()
    }

    fn place(&self, index: usize) -> Result<(Bank, usize), Trouble> {
        let &(bank, reg) = self.args.get(index).ok_or_else(|| wrong(index))?;
        Ok((bank, at(self.base, bank, reg)))
    }

    pub fn real(&self, index: usize) -> Result<R, Trouble> {
        match self.place(index)? {
            (Bank::Real, place) => Ok(self.machine.reals[place]),
            (Bank::Int, place) => Ok(R::of(self.machine.ints[place] as f64)),
            _ => Err(wrong(index)),
        }
    }

    pub fn int(&self, index: usize) -> Result<i64, Trouble> {
        match self.place(index)? {
            (Bank::Int, place) => Ok(self.machine.ints[place]),
            _ => Err(wrong(index)),
        }
    }

    pub fn text(&self, index: usize) -> Result<Arc<str>, Trouble> {
        match self.place(index)? {
            (Bank::Str, place) => Ok(self.machine.strs[place].clone()),
            _ => Err(wrong(index)),
        }
    }

    pub fn reals(&self, index: usize) -> Result<&Array<R>, Trouble> {
        match self.place(index)? {
            (Bank::Reals, place) => Ok(&self.machine.ra[place]),
            _ => Err(wrong(index)),
        }
    }

    pub fn ints(&self, index: usize) -> Result<&Array<i64>, Trouble> {
        match self.place(index)? {
            (Bank::Ints, place) => Ok(&self.machine.ia[place]),
            _ => Err(wrong(index)),
        }
    }

    /// The values of an array without derivatives.
    pub fn numbers(&self, index: usize) -> Result<Array<f64>, Trouble> {
        let array = self.reals(index)?;
        Ok(Array {
            dims: array.dims.clone(),
            data: array.data.iter().map(|x| x.value()).collect(),
        })
    }

    // ---- arguments that are written ----

    pub fn put_reals(&mut self, index: usize, value: Array<R>) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Reals, place) => {
                self.machine.ra[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    pub fn put_ints(&mut self, index: usize, value: Array<i64>) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Ints, place) => {
                self.machine.ia[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    pub fn put_real(&mut self, index: usize, value: R) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Real, place) => {
                self.machine.reals[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    pub fn put_int(&mut self, index: usize, value: i64) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Int, place) => {
                self.machine.ints[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    pub fn put_text(&mut self, index: usize, value: Arc<str>) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Str, place) => {
                self.machine.strs[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    // ---- the result ----

    fn result(&self) -> Result<(Bank, usize), Trouble> {
        let &(bank, reg) = self
            .results
            .first()
            .ok_or_else(|| Trouble::External("the result goes nowhere".into()))?;
        Ok((bank, at(self.base, bank, reg)))
    }

    pub fn give_real(&mut self, value: R) -> Result<(), Trouble> {
        match self.result()? {
            (Bank::Real, place) => self.machine.reals[place] = value,
            (Bank::Int, place) => self.machine.ints[place] = value.value() as i64,
            _ => return Err(Trouble::External("the result is no number".into())),
        }
        Ok(())
    }

    pub fn give_int(&mut self, value: i64) -> Result<(), Trouble> {
        match self.result()? {
            (Bank::Real, place) => self.machine.reals[place] = R::of(value as f64),
            (Bank::Int, place) => self.machine.ints[place] = value,
            _ => return Err(Trouble::External("the result is no number".into())),
        }
        Ok(())
    }

    pub fn give_text(&mut self, value: Arc<str>) -> Result<(), Trouble> {
        match self.result()? {
            (Bank::Str, place) => self.machine.strs[place] = value,
            _ => return Err(Trouble::External("the result is no string".into())),
        }
        Ok(())
    }
}
