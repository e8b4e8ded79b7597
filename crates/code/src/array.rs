//! Arrays of any number of dimensions whose sizes are known when the function runs.

use crate::error::Trouble;
use crate::num::Num;
use modeshift_inst::builtin::Binary;
use smallvec::SmallVec;

pub type Dims = SmallVec<[usize; 3]>;

/// Row by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Array<T> {
    pub dims: Dims,
    pub data: Vec<T>,
}

/// A subscript with its value.
#[derive(Clone, Debug)]
pub enum Choice<'a> {
    All,
    Index(i64),
    Vector(&'a [i64]),
}

impl<T: Clone + Default> Array<T> {
    pub fn vector(data: Vec<T>) -> Self {
        Self {
            dims: SmallVec::from_slice(&[data.len()]),
            data,
        }
    }

    pub fn reset(&mut self, dims: &[usize]) {
        self.dims.clear();
        self.dims.extend_from_slice(dims);
        self.data.clear();
    }

    pub fn filled(&mut self, dims: &[usize], value: T) {
        self.reset(dims);
        self.data.resize(dims.iter().product(), value);
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.reset(&other.dims);
        self.data.extend_from_slice(&other.data);
    }

    pub fn offset(&self, indices: &[i64]) -> Result<usize, Trouble> {
        let mut at = 0;
        for (dim, (&index, &size)) in indices.iter().zip(&self.dims).enumerate() {
            at = at * size + position(index, size, dim)?;
        }
        if indices.len() != self.dims.len() {
            return Err(Trouble::Subscripts(indices.len(), self.dims.len()));
        }
        Ok(at)
    }

    /// Calls `each` with the positions that the subscripts choose, in order, and tells the dimensions that are left.
    pub fn chosen(
        &self,
        choices: &[Choice<'_>],
        each: &mut dyn FnMut(usize),
    ) -> Result<Dims, Trouble> {
        if choices.len() > self.dims.len() {
            return Err(Trouble::Subscripts(choices.len(), self.dims.len()));
        }
        let mut dims = Dims::new();
        for (dim, &size) in self.dims.iter().enumerate() {
            match choices.get(dim) {
                None | Some(Choice::All) => dims.push(size),
                Some(Choice::Index(index)) => {
                    position(*index, size, dim)?;
                }
                Some(Choice::Vector(indices)) => {
                    for &index in *indices {
                        position(index, size, dim)?;
                    }
                    dims.push(indices.len());
                }
            }
        }
        if dims.contains(&0) {
            return Ok(dims);
        }
        // An odometer over all dimensions.
        let rank = self.dims.len();
        let mut counters: SmallVec<[usize; 4]> = SmallVec::from_elem(0, rank);
        let limit = |dim: usize| match choices.get(dim) {
            None | Some(Choice::All) => self.dims[dim],
            Some(Choice::Index(_)) => 1,
            Some(Choice::Vector(indices)) => indices.len(),
        };
        loop {
            let mut at = 0;
            for (dim, &counter) in counters.iter().enumerate() {
                let index = match choices.get(dim) {
                    None | Some(Choice::All) => counter,
                    Some(Choice::Index(index)) => (*index - 1) as usize,
                    Some(Choice::Vector(indices)) => (indices[counter] - 1) as usize,
                };
                at = at * self.dims[dim] + index;
            }
            each(at);
            let mut dim = rank;
            loop {
                if dim == 0 {
                    return Ok(dims);
                }
                dim -= 1;
                counters[dim] += 1;
                if counters[dim] < limit(dim) {
                    break;
                }
                counters[dim] = 0;
            }
        }
    }

    pub fn slice_into(&self, choices: &[Choice<'_>], out: &mut Self) -> Result<(), Trouble> {
        out.data.clear();
        let data = &mut out.data;
        let dims = self.chosen(choices, &mut |at| data.push(self.data[at].clone()))?;
        out.dims = dims;
        Ok(())
    }

    pub fn put(&mut self, choices: &[Choice<'_>], value: &Self) -> Result<(), Trouble> {
        let mut places = Vec::with_capacity(value.data.len());
        let dims = self.chosen(choices, &mut |at| places.push(at))?;
        if dims != value.dims {
            return Err(Trouble::Sizes(dims, value.dims.clone()));
        }
        for (at, item) in places.into_iter().zip(&value.data) {
            self.data[at] = item.clone();
        }
        Ok(())
    }

    /// Arrays of one size as one with a dimension more in front.
    pub fn stack(items: &[&Self], out: &mut Self) -> Result<(), Trouble> {
        let inner = items
            .first()
            .map(|item| item.dims.clone())
            .unwrap_or_default();
        out.data.clear();
        for item in items {
            if item.dims != inner {
                return Err(Trouble::Sizes(inner, item.dims.clone()));
            }
            out.data.extend_from_slice(&item.data);
        }
        out.dims.clear();
        out.dims.push(items.len());
        out.dims.extend_from_slice(&inner);
        Ok(())
    }

    /// `cat(dim, …)`, `dim` from 0.
    pub fn cat(items: &[&Self], dim: usize, out: &mut Self) -> Result<(), Trouble> {
        let Some(first) = items.first() else {
            out.reset(&[0]);
            return Ok(());
        };
        let mut dims = first.dims.clone();
        if dim >= dims.len() {
            return Err(Trouble::Subscripts(dim + 1, dims.len()));
        }
        dims[dim] = 0;
        for item in items {
            let mut own = item.dims.clone();
            if own.len() != dims.len() {
                return Err(Trouble::Sizes(dims, own));
            }
            let size = std::mem::replace(&mut own[dim], dims[dim]);
            if own != dims {
                own[dim] = size;
                return Err(Trouble::Sizes(dims, own));
            }
            dims[dim] += size;
        }
        let outer: usize = dims[..dim].iter().product();
        let inner: usize = dims[dim + 1..].iter().product();
        out.data.clear();
        for row in 0..outer {
            for item in items {
                let width = item.dims[dim] * inner;
                out.data
                    .extend_from_slice(&item.data[row * width..(row + 1) * width]);
            }
        }
        out.dims = dims;
        Ok(())
    }

    pub fn transpose_into(&self, out: &mut Self) -> Result<(), Trouble> {
        let (rows, columns) = self.matrix()?;
        out.reset(&[columns, rows]);
        for j in 0..columns {
            for i in 0..rows {
                out.data.push(self.data[i * columns + j].clone());
            }
        }
        Ok(())
    }

    pub fn matrix(&self) -> Result<(usize, usize), Trouble> {
        match self.dims[..] {
            [rows, columns] => Ok((rows, columns)),
            _ => Err(Trouble::Subscripts(2, self.dims.len())),
        }
    }
}

/// A subscript counted from 0.
#[inline(always)]
pub fn position(index: i64, size: usize, dim: usize) -> Result<usize, Trouble> {
    let at = index.wrapping_sub(1) as usize;
    if at < size {
        Ok(at)
    } else {
        Err(Trouble::Bounds { index, size, dim })
    }
}

/// Sums of products; what is multiplied and added is told by the two functions.
pub fn product<T: Clone + Default>(
    a: &Array<T>,
    b: &Array<T>,
    out: &mut Array<T>,
    mut step: impl FnMut(T, &T, &T) -> Result<T, Trouble>,
) -> Result<(), Trouble> {
    let inner = a.dims.last().copied().unwrap_or(0);
    if b.dims.first() != Some(&inner) {
        return Err(Trouble::Sizes(a.dims.clone(), b.dims.clone()));
    }
    let rows: usize = a.dims[..a.dims.len() - 1].iter().product();
    let columns: usize = b.dims[1..].iter().product();
    let mut dims = Dims::from_slice(&a.dims[..a.dims.len() - 1]);
    dims.extend_from_slice(&b.dims[1..]);
    out.reset(&dims);
    for i in 0..rows {
        for j in 0..columns {
            let mut sum = T::default();
            for k in 0..inner {
                sum = step(sum, &a.data[i * inner + k], &b.data[k * columns + j])?;
            }
            out.data.push(sum);
        }
    }
    Ok(())
}

pub fn real_step<R: Num>(sum: R, a: &R, b: &R) -> Result<R, Trouble> {
    Ok(sum.add(a.mul(*b)))
}

pub fn int_step(sum: i64, a: &i64, b: &i64) -> Result<i64, Trouble> {
    let product = Binary::Mul.integer(*a, *b).ok_or(Trouble::Overflow)?;
    Binary::Add.integer(sum, product).ok_or(Trouble::Overflow)
}
