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

    /// The values of an array, for a function that has no derivative.
    pub fn numbers(&self, index: usize) -> Result<Array<f64>, Trouble> {
        let array = self.reals(index)?;
        if array
            .data
            .iter()
            .any(|x| !x.sub(R::of(x.value())).is_zero())
        {
            return Err(Trouble::External(
                "its derivative is not computed, and an argument changes with time".into(),
            ));
        }
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

    pub fn put_texts(&mut self, index: usize, value: Array<Arc<str>>) -> Result<(), Trouble> {
        match self.place(index)? {
            (Bank::Strs, place) => {
                self.machine.sa[place] = value;
                Ok(())
            }
            _ => Err(wrong(index)),
        }
    }

    /// All arguments as bytes: equal ones are equal.
    pub fn key(&self, function: super::External) -> Vec<u8> {
        let mut key = format!("{function:?}").into_bytes();
        for &(bank, reg) in self.args {
            let place = at(self.base, bank, reg);
            key.push(0);
            match bank {
                Bank::Real => key.extend(self.machine.reals[place].value().to_bits().to_le_bytes()),
                Bank::Int => key.extend(self.machine.ints[place].to_le_bytes()),
                Bank::Str => key.extend(self.machine.strs[place].bytes()),
                Bank::Reals => {
                    let array = &self.machine.ra[place];
                    array
                        .dims
                        .iter()
                        .for_each(|size| key.extend(size.to_le_bytes()));
                    let bits = array.data.iter().map(|x| x.value().to_bits().to_le_bytes());
                    bits.for_each(|bytes| key.extend(bytes));
                }
                Bank::Ints => {
                    let array = &self.machine.ia[place];
                    array.data.iter().for_each(|x| key.extend(x.to_le_bytes()));
                }
                Bank::Strs | Bank::Function => {}
            }
        }
        key
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
