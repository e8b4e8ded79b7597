//! Instructions on arrays and strings, and calls of external functions.

#![allow(
    clippy::clone_on_copy,
    reason = "one macro for numbers and for strings, which are not `Copy`"
)]

use super::{Closure, MAX_TEXT, Machine, Value, at, integer, strings};
use crate::array::{Array, Choice, Dims, int_step, product, real_step};
use crate::context::{Context, WarningKind};
use crate::error::Trouble;
use crate::external;
use crate::ins::{BANKS, Bank, Code, Fold, Ins, List, Of, Rearrange, Sel, Zip};
use crate::num::Num;
use modeshift_inst::builtin::{Binary, Unary};
use smallvec::SmallVec;
use std::sync::Arc;

/// The same for each bank of arrays.
macro_rules! of {
    ($of:expr, $self:ident, $bank:ident, $scalars:ident => $body:expr) => {
        match $of {
            Of::Real => {
                let ($bank, $scalars) = (&mut $self.ra, &mut $self.reals);
                $body
            }
            Of::Int => {
                let ($bank, $scalars) = (&mut $self.ia, &mut $self.ints);
                $body
            }
            Of::Str => {
                let ($bank, $scalars) = (&mut $self.sa, &mut $self.strs);
                $body
            }
        }
    };
}

const fn arrays(of: Of) -> Bank {
    match of {
        Of::Real => Bank::Reals,
        Of::Int => Bank::Ints,
        Of::Str => Bank::Strs,
    }
}

const fn scalars(of: Of) -> Bank {
    match of {
        Of::Real => Bank::Real,
        Of::Int => Bank::Int,
        Of::Str => Bank::Str,
    }
}

type Base = [usize; BANKS];

impl<R: Num> Machine<R> {
    pub(super) fn cold(
        &mut self,
        ins: Ins,
        code: &Code,
        base: Base,
        context: &mut Context,
    ) -> Result<(), Trouble> {
        let int = |this: &Self, reg| this.ints[at(base, Bank::Int, reg)];
        match ins {
            Ins::Count(d, start, step, stop) => {
                let count = count(int(self, start), int(self, step), int(self, stop))?;
                self.ints[at(base, Bank::Int, d)] = count;
            }
            Ins::GetS1(d, a, i) => {
                let array = &self.sa[at(base, Bank::Strs, a)];
                let place = array.offset(&[int(self, i)])?;
                self.strs[at(base, Bank::Str, d)] = array.data[place].clone();
            }
            Ins::Get(of, d, a, sel) => {
                let indices = self.indices(code, base, sel);
                of!(of, self, bank, out => {
                    let array = &bank[at(base, arrays(of), a)];
                    let place = array.offset(&indices)?;
                    out[at(base, scalars(of), d)] = array.data[place].clone();
                });
            }
            Ins::Set(of, a, v, sel) => {
                let indices = self.indices(code, base, sel);
                of!(of, self, bank, values => {
                    let array = &mut bank[at(base, arrays(of), a)];
                    let place = array.offset(&indices)?;
                    array.data[place] = values[at(base, scalars(of), v)].clone();
                });
            }
            Ins::New(of, d, list) => {
                let dims = self.sizes(code, base, list)?;
                match of {
                    Of::Real => self.ra[at(base, Bank::Reals, d)].filled(&dims, R::of(0.0)),
                    Of::Int => self.ia[at(base, Bank::Ints, d)].filled(&dims, 0),
                    Of::Str => self.sa[at(base, Bank::Strs, d)].filled(&dims, Arc::from("")),
                }
            }
            Ins::Copy(of, d, a) => {
                let size = of!(of, self, bank, _s => bank[at(base, arrays(of), a)].data.len());
                self.room(size)?;
                of!(of, self, bank, _s => {
                    super::copy(bank, at(base, arrays(of), a), at(base, arrays(of), d))
                });
            }
            Ins::Store(of, d, a, same) => of!(of, self, bank, _s => {
                let (d, a) = (at(base, arrays(of), d), at(base, arrays(of), a));
                if same && bank[d].dims != bank[a].dims {
                    return Err(Trouble::Sizes(bank[d].dims.clone(), bank[a].dims.clone()));
                }
                bank.swap(d, a);
            }),
            Ins::Slice(of, d, a, sel) => {
                let size = of!(of, self, bank, _s => bank[at(base, arrays(of), a)].data.len());
                self.room(size)?;
                let d = at(base, arrays(of), d);
                let mut out = Out::take(self, of, d);
                let choices = self.choices(code, base, sel);
                let result = match &mut out {
                    Out::Real(out) => self.ra[at(base, Bank::Reals, a)].slice_into(&choices, out),
                    Out::Int(out) => self.ia[at(base, Bank::Ints, a)].slice_into(&choices, out),
                    Out::Str(out) => self.sa[at(base, Bank::Strs, a)].slice_into(&choices, out),
                };
                drop(choices);
                out.give(self, d);
                result?;
            }
            Ins::Put(of, a, v, sel) => {
                let a = at(base, arrays(of), a);
                let mut out = Out::take(self, of, a);
                let choices = self.choices(code, base, sel);
                let result = match &mut out {
                    Out::Real(out) => out.put(&choices, &self.ra[at(base, Bank::Reals, v)]),
                    Out::Int(out) => out.put(&choices, &self.ia[at(base, Bank::Ints, v)]),
                    Out::Str(out) => out.put(&choices, &self.sa[at(base, Bank::Strs, v)]),
                };
                drop(choices);
                out.give(self, a);
                result?;
            }
            Ins::FromScalars(of, d, list) => {
                let list = &code.lists[usize::from(list)];
                of!(of, self, bank, values => {
                    let out = &mut bank[at(base, arrays(of), d)];
                    out.reset(&[list.len()]);
                    let items = list.iter().map(|slot| values[at(base, slot.0, slot.1)].clone());
                    out.data.extend(items);
                });
            }
            Ins::Stack(of, d, list) | Ins::Cat(of, d, list, _) => {
                let list = &code.lists[usize::from(list)];
                let total: usize = of!(of, self, bank, _s => {
                    list.iter().map(|slot| bank[at(base, slot.0, slot.1)].data.len()).sum()
                });
                self.room(total)?;
                of!(of, self, bank, _s => {
                    let mut out = std::mem::take(&mut bank[at(base, arrays(of), d)]);
                    let items: Vec<&Array<_>> = list
                        .iter()
                        .map(|slot| &bank[at(base, slot.0, slot.1)])
                        .collect();
                    let result = match ins {
                        Ins::Cat(_, _, _, dim) => Array::cat(&items, usize::from(dim), &mut out),
                        _ => Array::stack(&items, &mut out),
                    };
                    bank[at(base, arrays(of), d)] = out;
                    result?;
                });
            }
            Ins::Clear(of, d) => {
                of!(of, self, bank, _s => bank[at(base, arrays(of), d)].reset(&[0]));
            }
            Ins::Push(of, d, s) => {
                let size = of!(of, self, bank, values => {
                    let out = &mut bank[at(base, arrays(of), d)];
                    out.data.push(values[at(base, scalars(of), s)].clone());
                    out.dims.truncate(1);
                    out.dims[0] += 1;
                    out.data.len()
                });
                if size % 65536 == 0 {
                    self.room(size)?;
                }
            }
            Ins::Append(of, d, s) => {
                let size = of!(of, self, bank, _s => {
                    let (d, s) = (at(base, arrays(of), d), at(base, arrays(of), s));
                    let mut out = std::mem::take(&mut bank[d]);
                    let item = &bank[s];
                    let first = out.dims.first().copied().unwrap_or(0);
                    if first > 0 && out.dims[1..] != item.dims[..] {
                        return Err(Trouble::Sizes(out.dims, item.dims.clone()));
                    }
                    out.data.extend_from_slice(&item.data);
                    out.dims.clear();
                    out.dims.push(first + 1);
                    out.dims.extend_from_slice(&item.dims);
                    bank[d] = out;
                    bank[d].data.len()
                });
                self.room(size)?;
            }
            Ins::Shape(of, d, list, inner) => {
                let sizes = self.sizes(code, base, list)?;
                of!(of, self, bank, _s => {
                    let out = &mut bank[at(base, arrays(of), d)];
                    let mut dims: Dims = sizes;
                    let tail = out.dims.get(1..).unwrap_or(&[]);
                    if tail.len() == usize::from(inner) {
                        dims.extend_from_slice(tail);
                    } else {
                        dims.extend(std::iter::repeat_n(0, usize::from(inner)));
                    }
                    if dims.iter().product::<usize>() != out.data.len() {
                        return Err(Trouble::Sizes(dims, out.dims.clone()));
                    }
                    out.dims = dims;
                });
            }
            Ins::Fill(of, d, s, list) => {
                let dims = self.sizes(code, base, list)?;
                of!(of, self, bank, values => {
                    let value = values[at(base, scalars(of), s)].clone();
                    bank[at(base, arrays(of), d)].filled(&dims, value);
                });
            }
            Ins::FillArray(of, d, s, list) => {
                let sizes = self.sizes(code, base, list)?;
                let copies: usize = sizes.iter().product();
                let each = of!(of, self, bank, _s => bank[at(base, arrays(of), s)].data.len());
                self.room(copies.saturating_mul(each))?;
                of!(of, self, bank, _s => {
                    let mut out = std::mem::take(&mut bank[at(base, arrays(of), d)]);
                    let item = &bank[at(base, arrays(of), s)];
                    let mut dims = sizes;
                    dims.extend_from_slice(&item.dims);
                    out.reset(&dims);
                    for _ in 0..copies {
                        out.data.extend_from_slice(&item.data);
                    }
                    bank[at(base, arrays(of), d)] = out;
                });
            }
            Ins::RangeI(d, start, step, stop) => {
                let (start, step, stop) = (int(self, start), int(self, step), int(self, stop));
                let count = count(start, step, stop)?;
                self.room(usize::try_from(count).map_err(|_| Trouble::Memory)?)?;
                let out = &mut self.ia[at(base, Bank::Ints, d)];
                out.reset(&[count as usize]);
                out.data.extend((0..count).map(|i| start + i * step));
            }
            Ins::RangeR(d, start, step, stop) => {
                let get = |reg| self.reals[at(base, Bank::Real, reg)];
                let (start, step, stop) = (get(start), get(step), get(stop));
                let span = (stop.value() - start.value()) / step.value();
                if !span.is_finite() {
                    return Err(Trouble::DivisionByZero("a range"));
                }
                // A range meets its end though the step is rounded.
                let count = (span * (1.0 + 4.0 * f64::EPSILON) + 1e-12).floor() + 1.0;
                let count = count.max(0.0) as usize;
                self.room(count)?;
                let out = &mut self.ra[at(base, Bank::Reals, d)];
                out.reset(&[count]);
                let items = (0..count).map(|i| start.add(R::of(i as f64).mul(step)));
                out.data.extend(items);
            }
            Ins::ToReals(d, s) => {
                let ints = &self.ia[at(base, Bank::Ints, s)];
                let out = &mut self.ra[at(base, Bank::Reals, d)];
                out.reset(&ints.dims);
                out.data.extend(ints.data.iter().map(|&x| R::of(x as f64)));
            }
            Ins::ToInts(d, s) => {
                let reals = &self.ra[at(base, Bank::Reals, s)];
                let out = &mut self.ia[at(base, Bank::Ints, d)];
                out.reset(&reals.dims);
                out.data
                    .extend(reals.data.iter().map(|x| x.value().floor() as i64));
            }
            Ins::MapR(op, d, a) => {
                let mut out = std::mem::take(&mut self.ra[at(base, Bank::Reals, d)]);
                let array = &self.ra[at(base, Bank::Reals, a)];
                out.reset(&array.dims);
                out.data.extend(array.data.iter().map(|&x| R::unary(op, x)));
                self.ra[at(base, Bank::Reals, d)] = out;
            }
            Ins::MapI(op, d, a) => {
                let mut out = std::mem::take(&mut self.ia[at(base, Bank::Ints, d)]);
                let array = &self.ia[at(base, Bank::Ints, a)];
                out.reset(&array.dims);
                out.data.extend(array.data.iter().map(|&x| match op {
                    Unary::Neg => x.saturating_neg(),
                    Unary::Not => i64::from(x == 0),
                    Unary::Abs => x.saturating_abs(),
                    Unary::Sign => x.signum(),
                    _ => x,
                }));
                self.ia[at(base, Bank::Ints, d)] = out;
            }
            Ins::ZipR(op, zip, d, a, b) => self.zip_reals(op, zip, base, (d, a, b))?,
            Ins::ZipI(op, zip, d, a, b) => self.zip_ints(op, zip, base, (d, a, b))?,
            Ins::ZipS(zip, d, a, b) => {
                let mut out = std::mem::take(&mut self.sa[at(base, Bank::Strs, d)]);
                let whole = |reg| &self.sa[at(base, Bank::Strs, reg)];
                let one = |reg| &self.strs[at(base, Bank::Str, reg)];
                let mut bytes = 0;
                let result = zipped(
                    zip,
                    (zip != Zip::Right).then(|| whole(a)),
                    (zip != Zip::Left).then(|| whole(b)),
                    (zip == Zip::Right).then(|| one(a)),
                    (zip == Zip::Left).then(|| one(b)),
                    &mut out,
                    |x, y| concatenated(x, y, &mut bytes),
                );
                self.sa[at(base, Bank::Strs, d)] = out;
                result?;
                self.spend(bytes as u64 / 64)?;
            }
            Ins::MatMulR(d, a, b) => {
                let mut out = std::mem::take(&mut self.ra[at(base, Bank::Reals, d)]);
                let get = |reg| &self.ra[at(base, Bank::Reals, reg)];
                let result = product(get(a), get(b), &mut out, real_step);
                let cost = get(a).data.len() * get(b).dims.get(1).copied().unwrap_or(1);
                self.ra[at(base, Bank::Reals, d)] = out;
                self.spend(cost as u64 / 8)?;
                result?;
            }
            Ins::MatMulI(d, a, b) => {
                let mut out = std::mem::take(&mut self.ia[at(base, Bank::Ints, d)]);
                let get = |reg| &self.ia[at(base, Bank::Ints, reg)];
                let result = product(get(a), get(b), &mut out, int_step);
                self.ia[at(base, Bank::Ints, d)] = out;
                result?;
            }
            Ins::DotR(d, a, b) => {
                let get = |reg| &self.ra[at(base, Bank::Reals, reg)];
                let (a, b) = (get(a), get(b));
                if a.dims != b.dims {
                    return Err(Trouble::Sizes(a.dims.clone(), b.dims.clone()));
                }
                let terms = a.data.iter().zip(&b.data);
                let sum = terms.fold(R::of(0.0), |sum, (x, y)| sum.add(x.mul(*y)));
                self.reals[at(base, Bank::Real, d)] = sum;
            }
            Ins::DotI(d, a, b) => {
                let get = |reg| &self.ia[at(base, Bank::Ints, reg)];
                let mut terms = get(a).data.iter().zip(&get(b).data);
                let sum = terms.try_fold(0, |sum, (x, y)| int_step(sum, x, y))?;
                self.ints[at(base, Bank::Int, d)] = sum;
            }
            Ins::MatPow(d, a, n) => {
                let exponent = int(self, n);
                let array = self.ra[at(base, Bank::Reals, a)].clone();
                let (rows, columns) = array.matrix()?;
                if rows != columns || exponent < 0 {
                    return Err(Trouble::Sizes(array.dims.clone(), array.dims));
                }
                let mut out = Array::default();
                out.filled(&[rows, rows], R::of(0.0));
                (0..rows).for_each(|i| out.data[i * rows + i] = R::of(1.0));
                let (mut square, mut left) = (array, exponent);
                while left > 0 {
                    self.spend((rows * rows * rows) as u64 / 8 + 1)?;
                    let mut next = Array::default();
                    if left & 1 == 1 {
                        product(&out, &square, &mut next, real_step)?;
                        std::mem::swap(&mut out, &mut next);
                    }
                    product(&square, &square, &mut next, real_step)?;
                    square = next;
                    left >>= 1;
                }
                self.ra[at(base, Bank::Reals, d)] = out;
            }
            Ins::FoldR(fold, d, a) => {
                let items = &self.ra[at(base, Bank::Reals, a)].data;
                let value = match fold {
                    Fold::Sum => items.iter().fold(R::of(0.0), |sum, x| sum.add(*x)),
                    Fold::Product => items.iter().fold(R::of(1.0), |value, x| value.mul(*x)),
                    Fold::Min | Fold::Max => {
                        let op = if fold == Fold::Min {
                            Binary::Min
                        } else {
                            Binary::Max
                        };
                        let found = items.iter().copied().reduce(|a, b| R::binary(op, a, b));
                        let limit = if fold == Fold::Min {
                            f64::MAX
                        } else {
                            f64::MIN
                        };
                        found.unwrap_or(R::of(limit))
                    }
                };
                self.reals[at(base, Bank::Real, d)] = value;
            }
            Ins::FoldI(fold, d, a) => {
                let items = &self.ia[at(base, Bank::Ints, a)].data;
                let value = match fold {
                    Fold::Sum => items.iter().try_fold(0i64, |sum, x| sum.checked_add(*x)),
                    Fold::Product => items
                        .iter()
                        .try_fold(1i64, |value, x| value.checked_mul(*x)),
                    Fold::Min => Some(items.iter().copied().min().unwrap_or(i64::MAX)),
                    Fold::Max => Some(items.iter().copied().max().unwrap_or(i64::MIN)),
                };
                self.ints[at(base, Bank::Int, d)] = value.ok_or(Trouble::Overflow)?;
            }
            Ins::Dim(of, d, a, k) => {
                let k = int(self, k);
                let size = of!(of, self, bank, _s => {
                    let dims = &bank[at(base, arrays(of), a)].dims;
                    dims[crate::array::position(k, dims.len(), 0)?]
                });
                self.ints[at(base, Bank::Int, d)] = size as i64;
            }
            Ins::Dims(of, d, a) => {
                let dims = of!(of, self, bank, _s => bank[at(base, arrays(of), a)].dims.clone());
                let sizes = dims.iter().map(|&size| size as i64).collect();
                self.ia[at(base, Bank::Ints, d)] = Array::vector(sizes);
            }
            Ins::Rearrange(how, of, d, a) => of!(of, self, bank, _s => {
                let mut out = std::mem::take(&mut bank[at(base, arrays(of), d)]);
                let result = rearrange(how, &bank[at(base, arrays(of), a)], &mut out);
                bank[at(base, arrays(of), d)] = out;
                result?;
            }),
            Ins::Scalar(of, d, a) => of!(of, self, bank, values => {
                let array = &bank[at(base, arrays(of), a)];
                let [item] = &array.data[..] else {
                    return Err(Trouble::Sizes(array.dims.clone(), Dims::new()));
                };
                values[at(base, scalars(of), d)] = item.clone();
            }),
            Ins::Identity(d, n) => {
                let size = usize::try_from(int(self, n)).map_err(|_| Trouble::Memory)?;
                self.room(size.saturating_mul(size))?;
                let out = &mut self.ia[at(base, Bank::Ints, d)];
                out.filled(&[size, size], 0);
                (0..size).for_each(|i| out.data[i * size + i] = 1);
            }
            Ins::Linspace(d, a, b, n) => {
                let (count, get) = (int(self, n), |reg| self.reals[at(base, Bank::Real, reg)]);
                let (a, b) = (get(a), get(b));
                if count < 2 {
                    return Err(Trouble::External(format!("`linspace` of {count} points")));
                }
                self.room(usize::try_from(count).map_err(|_| Trouble::Memory)?)?;
                let out = &mut self.ra[at(base, Bank::Reals, d)];
                out.reset(&[count as usize]);
                let span = b.sub(a);
                let item = |i: i64| a.add(span.mul(R::of(i as f64)).div(R::of((count - 1) as f64)));
                out.data.extend((0..count).map(item));
            }
            Ins::Outer(d, a, b) => {
                let mut out = std::mem::take(&mut self.ra[at(base, Bank::Reals, d)]);
                let get = |reg| &self.ra[at(base, Bank::Reals, reg)];
                let (a, b) = (get(a), get(b));
                let cells = a.data.len().saturating_mul(b.data.len());
                out.reset(&[a.data.len(), b.data.len()]);
                if cells <= super::MAX_CELLS {
                    for x in &a.data {
                        out.data.extend(b.data.iter().map(|y| x.mul(*y)));
                    }
                }
                self.ra[at(base, Bank::Reals, d)] = out;
                self.room(cells)?;
            }
            Ins::Cross(d, a, b) => {
                let get = |reg| &self.ra[at(base, Bank::Reals, reg)];
                let (a, b) = (get(a), get(b));
                let ([a1, a2, a3], [b1, b2, b3]) = (&a.data[..], &b.data[..]) else {
                    return Err(Trouble::Sizes(a.dims.clone(), b.dims.clone()));
                };
                let items = vec![
                    a2.mul(*b3).sub(b2.mul(*a3)),
                    a3.mul(*b1).sub(b3.mul(*a1)),
                    a1.mul(*b2).sub(b1.mul(*a2)),
                ];
                self.ra[at(base, Bank::Reals, d)] = Array::vector(items);
            }
            Ins::Skew(d, a) => {
                let array = &self.ra[at(base, Bank::Reals, a)];
                let [x, y, z] = array.data[..] else {
                    return Err(Trouble::Sizes(array.dims.clone(), Dims::from_slice(&[3])));
                };
                let o = R::of(0.0);
                let items = [o, z.neg(), y, z, o, x.neg(), y.neg(), x, o];
                let out = &mut self.ra[at(base, Bank::Reals, d)];
                out.reset(&[3, 3]);
                out.data.extend_from_slice(&items);
            }
            Ins::CmpS(rel, d, a, b) => {
                let get = |reg| &self.strs[at(base, Bank::Str, reg)];
                self.ints[at(base, Bank::Int, d)] = i64::from(rel.holds(get(a), get(b)));
            }
            Ins::MovS(d, a) => {
                self.strs[at(base, Bank::Str, d)] = self.strs[at(base, Bank::Str, a)].clone();
            }
            Ins::LitS(d, k) => self.strs[at(base, Bank::Str, d)] = code.strings[k as usize].clone(),
            Ins::CatS(d, a, b) => {
                let get = |reg| &self.strs[at(base, Bank::Str, reg)];
                let text = concatenated(get(a), get(b), &mut 0)?;
                self.spend(text.len() as u64 / 64)?;
                self.strs[at(base, Bank::Str, d)] = text;
            }
            Ins::StrR(d, list) => {
                let slots = &code.lists[usize::from(list)];
                let value = self.reals[at(base, Bank::Real, slots[0].1)].value();
                let ints = self.flags(code, base, list);
                let text = strings::real(value, ints[0], ints[1], ints[2] != 0);
                self.strs[at(base, Bank::Str, d)] = text.into();
            }
            Ins::StrFormat(d, x, format) => {
                let value = self.reals[at(base, Bank::Real, x)].value();
                let text = strings::format_real(value, &self.strs[at(base, Bank::Str, format)]);
                self.strs[at(base, Bank::Str, d)] = text.map_err(Trouble::External)?.into();
            }
            Ins::StrI(d, list) | Ins::StrB(d, list) | Ins::StrE(d, list, _) => {
                let slots = &code.lists[usize::from(list)];
                let value = int(self, slots[0].1);
                let rest = self.flags(code, base, list);
                let text = match ins {
                    Ins::StrB(..) => (value != 0).to_string(),
                    Ins::StrE(_, _, ty) => literal(&code.enums[usize::from(ty)], value)?,
                    _ => value.to_string(),
                };
                let text = strings::padded(text, rest[0], rest[1] != 0);
                self.strs[at(base, Bank::Str, d)] = text.into();
            }
            Ins::Literal(d, a, ty) => {
                let value = int(self, a);
                literal(&code.enums[usize::from(ty)], value)?;
                self.ints[at(base, Bank::Int, d)] = value;
            }
            Ins::MovF(d, a) => {
                let value = self.functions[at(base, Bank::Function, a)].clone();
                self.functions[at(base, Bank::Function, d)] = value;
            }
            Ins::Closure(d, k) => {
                let binding = &code.closures[k as usize];
                let given = binding.given.iter().map(|&(param, bank, reg)| {
                    let place = at(base, bank, reg);
                    let value = match bank {
                        Bank::Real => Value::Real(self.reals[place]),
                        Bank::Int => Value::Int(self.ints[place]),
                        Bank::Str => Value::Str(self.strs[place].clone()),
                        Bank::Reals => Value::Reals(self.ra[place].clone()),
                        Bank::Ints => Value::Ints(self.ia[place].clone()),
                        Bank::Strs => Value::Strs(self.sa[place].clone()),
                        Bank::Function => Value::Function(self.functions[place].clone()),
                    };
                    (param, value)
                });
                let closure = Closure {
                    function: binding.function,
                    given: given.collect(),
                };
                self.functions[at(base, Bank::Function, d)] = Some(Arc::new(closure));
            }
            Ins::External(function, args, results) => {
                let lists = (
                    &code.lists[usize::from(args)][..],
                    &code.lists[usize::from(results)][..],
                );
                external::call(self, function, base, lists, context)?;
            }
            Ins::Native => external::run_native(self, code, base, context)?,
            Ins::Fail(message, level) => {
                let message = self.strs[at(base, Bank::Str, message)].clone();
                // AssertionLevel: 1 is a warning, 2 an error.
                if int(self, level) == 1 {
                    context.warn(WarningKind::Assertion, &message);
                } else {
                    return Err(Trouble::Assertion(message));
                }
            }
            Ins::Terminate(message) => {
                let message = self.strs[at(base, Bank::Str, message)].clone();
                return Err(Trouble::Terminate(message));
            }
            Ins::Check(of, a, dim, size) => {
                let wanted = int(self, size);
                of!(of, self, bank, _s => {
                    let dims = &bank[at(base, arrays(of), a)].dims;
                    let have = dims.get(usize::from(dim)).copied().unwrap_or(0);
                    if usize::try_from(wanted) != Ok(have) {
                        let mut should = dims.clone();
                        if let Some(size) = should.get_mut(usize::from(dim)) {
                            *size = wanted.max(0) as usize;
                        }
                        return Err(Trouble::Sizes(should, dims.clone()));
                    }
                });
            }
            Ins::Refuse(k) => return Err(Trouble::Refused(code.strings[k as usize].clone())),
            // The tight loop executes the others.
            _ => return Err(Trouble::Refused("an instruction is out of place".into())),
        }
        Ok(())
    }

    /// The Integers of a list behind its first item.
    fn flags(&self, code: &Code, base: Base, list: List) -> SmallVec<[i64; 3]> {
        let slots = &code.lists[usize::from(list)][1..];
        let ints = slots
            .iter()
            .map(|slot| self.ints[at(base, Bank::Int, slot.1)]);
        ints.collect()
    }

    fn indices(&self, code: &Code, base: Base, sel: List) -> SmallVec<[i64; 4]> {
        let choices = code.selectors[usize::from(sel)].iter();
        let indices = choices.map(|sel| match sel {
            Sel::Index(reg) => self.ints[at(base, Bank::Int, *reg)],
            Sel::All | Sel::Vector(_) => 0,
        });
        indices.collect()
    }

    fn choices(&self, code: &Code, base: Base, sel: List) -> SmallVec<[Choice<'_>; 4]> {
        let choices = code.selectors[usize::from(sel)].iter();
        let choices = choices.map(|sel| match *sel {
            Sel::All => Choice::All,
            Sel::Index(reg) => Choice::Index(self.ints[at(base, Bank::Int, reg)]),
            Sel::Vector(reg) => Choice::Vector(&self.ia[at(base, Bank::Ints, reg)].data),
        });
        choices.collect()
    }

    /// Sizes of an array that is to be made.
    fn sizes(&mut self, code: &Code, base: Base, list: List) -> Result<Dims, Trouble> {
        let mut dims = Dims::new();
        let mut cells = 1usize;
        for slot in &code.lists[usize::from(list)] {
            let size = self.ints[at(base, Bank::Int, slot.1)];
            let size = usize::try_from(size).unwrap_or(0);
            cells = cells.saturating_mul(size);
            dims.push(size);
        }
        self.room(cells)?;
        Ok(dims)
    }

    fn zip_reals(
        &mut self,
        op: Binary,
        zip: Zip,
        base: Base,
        (d, a, b): (u16, u16, u16),
    ) -> Result<(), Trouble> {
        let mut out = std::mem::take(&mut self.ra[at(base, Bank::Reals, d)]);
        let whole = |reg| &self.ra[at(base, Bank::Reals, reg)];
        let one = |reg| &self.reals[at(base, Bank::Real, reg)];
        let result = zipped(
            zip,
            (zip != Zip::Right).then(|| whole(a)),
            (zip != Zip::Left).then(|| whole(b)),
            (zip == Zip::Right).then(|| one(a)),
            (zip == Zip::Left).then(|| one(b)),
            &mut out,
            |x, y| {
                if op.jumps() && y.value() == 0.0 {
                    return Err(Trouble::DivisionByZero(op.name()));
                }
                Ok(R::binary(op, *x, *y))
            },
        );
        let cost = out.data.len() as u64 / 8;
        self.ra[at(base, Bank::Reals, d)] = out;
        self.spend(cost)?;
        result
    }

    fn zip_ints(
        &mut self,
        op: Binary,
        zip: Zip,
        base: Base,
        (d, a, b): (u16, u16, u16),
    ) -> Result<(), Trouble> {
        let mut out = std::mem::take(&mut self.ia[at(base, Bank::Ints, d)]);
        let whole = |reg| &self.ia[at(base, Bank::Ints, reg)];
        let one = |reg| &self.ints[at(base, Bank::Int, reg)];
        let result = zipped(
            zip,
            (zip != Zip::Right).then(|| whole(a)),
            (zip != Zip::Left).then(|| whole(b)),
            (zip == Zip::Right).then(|| one(a)),
            (zip == Zip::Left).then(|| one(b)),
            &mut out,
            |x, y| integer(op, *x, *y),
        );
        self.ia[at(base, Bank::Ints, d)] = out;
        result
    }
}

/// An array that was taken out of its register.
enum Out<R> {
    Real(Array<R>),
    Int(Array<i64>),
    Str(Array<Arc<str>>),
}

impl<R: Num> Out<R> {
    fn take(machine: &mut Machine<R>, of: Of, place: usize) -> Self {
        match of {
            Of::Real => Self::Real(std::mem::take(&mut machine.ra[place])),
            Of::Int => Self::Int(std::mem::take(&mut machine.ia[place])),
            Of::Str => Self::Str(std::mem::take(&mut machine.sa[place])),
        }
    }

    fn give(self, machine: &mut Machine<R>, place: usize) {
        match self {
            Self::Real(array) => machine.ra[place] = array,
            Self::Int(array) => machine.ia[place] = array,
            Self::Str(array) => machine.sa[place] = array,
        }
    }
}

/// Two strings as one; `bytes` counts what one instruction makes.
fn concatenated(x: &str, y: &str, bytes: &mut usize) -> Result<Arc<str>, Trouble> {
    *bytes += x.len() + y.len();
    match *bytes <= MAX_TEXT {
        true => Ok(format!("{x}{y}").into()),
        false => Err(Trouble::Memory),
    }
}

fn zipped<T: Clone + Default>(
    zip: Zip,
    left: Option<&Array<T>>,
    right: Option<&Array<T>>,
    one_left: Option<&T>,
    one_right: Option<&T>,
    out: &mut Array<T>,
    mut f: impl FnMut(&T, &T) -> Result<T, Trouble>,
) -> Result<(), Trouble> {
    match (left, right, one_left, one_right) {
        (Some(a), Some(b), ..) => {
            if a.dims != b.dims {
                return Err(Trouble::Sizes(a.dims.clone(), b.dims.clone()));
            }
            out.reset(&a.dims);
            for (x, y) in a.data.iter().zip(&b.data) {
                out.data.push(f(x, y)?);
            }
        }
        (Some(a), None, _, Some(y)) => {
            out.reset(&a.dims);
            for x in &a.data {
                out.data.push(f(x, y)?);
            }
        }
        (None, Some(b), Some(x), _) => {
            out.reset(&b.dims);
            for y in &b.data {
                out.data.push(f(x, y)?);
            }
        }
        _ => return Err(Trouble::Refused(format!("operands {zip:?}").into())),
    }
    Ok(())
}

fn rearrange<T: Clone + Default>(
    how: Rearrange,
    a: &Array<T>,
    out: &mut Array<T>,
) -> Result<(), Trouble> {
    match how {
        Rearrange::Transpose => return a.transpose_into(out),
        Rearrange::Symmetric => {
            let (rows, columns) = a.matrix()?;
            if rows != columns {
                return Err(Trouble::Sizes(a.dims.clone(), a.dims.clone()));
            }
            out.reset(&[rows, rows]);
            for i in 0..rows {
                for j in 0..rows {
                    out.data.push(a.data[i.min(j) * rows + i.max(j)].clone());
                }
            }
        }
        Rearrange::Vector => {
            if a.dims.iter().filter(|&&size| size > 1).count() > 1 {
                return Err(Trouble::Sizes(
                    a.dims.clone(),
                    Dims::from_slice(&[a.data.len()]),
                ));
            }
            out.copy_from(a);
            out.dims = Dims::from_slice(&[a.data.len()]);
        }
        Rearrange::Matrix => {
            let tail = a.dims.get(2..).unwrap_or(&[]);
            if tail.iter().any(|&size| size != 1) {
                return Err(Trouble::Sizes(a.dims.clone(), Dims::from_slice(&[1, 1])));
            }
            out.copy_from(a);
            out.dims.truncate(2);
            while out.dims.len() < 2 {
                out.dims.push(1);
            }
        }
        Rearrange::Promote(rank) => {
            out.copy_from(a);
            while out.dims.len() < usize::from(rank) {
                out.dims.push(1);
            }
        }
        Rearrange::Diagonal => {
            let n = a.data.len();
            out.filled(&[n, n], T::default());
            for (i, item) in a.data.iter().enumerate() {
                out.data[i * n + i] = item.clone();
            }
        }
    }
    Ok(())
}

/// How many items a range of Integers has.
pub(super) fn count(start: i64, step: i64, stop: i64) -> Result<i64, Trouble> {
    if step == 0 {
        return Err(Trouble::DivisionByZero("a range"));
    }
    let span = stop.checked_sub(start).ok_or(Trouble::Overflow)?;
    if (span < 0) != (step < 0) && span != 0 {
        return Ok(0);
    }
    Ok(span / step + 1)
}

fn literal(ty: &modeshift_inst::ty::EnumType, value: i64) -> Result<String, Trouble> {
    let index = usize::try_from(value - 1).ok();
    let found = index.and_then(|index| ty.literals.get(index));
    found
        .map(ToString::to_string)
        .ok_or_else(|| Trouble::NoLiteral(value, (&*ty.path).into()))
}
