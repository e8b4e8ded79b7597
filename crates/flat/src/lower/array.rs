//! Array-valued expressions: one element at a time, or whole.

use super::reference::{literal, nest, ordinal};
use super::scalar::scalar_form;
use super::shape::{element_of, rank};
use super::{Cx, Scope};
use crate::layout::extent;
use crate::model::{FlatExp, FlatRef};
use crate::simplify;
use modeshift_inst::exp::{BinaryOp, Callee, Exp, IfExp, Range, Subscript, UnaryOp};
use modeshift_inst::ty::Dim;

/// Arrays with more elements than this stay whole.
const SPLIT_LIMIT: usize = 10_000_000;

/// All index vectors of a shape in row-major order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let total: usize = shape.iter().product();
    (0..total).map(move |number| unravel(number, shape))
}

/// The index vector of a row-major position.
pub fn unravel(mut number: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (place, extent) in index.iter_mut().zip(shape).rev() {
        if *extent > 0 {
            *place = number % extent;
            number /= extent;
        }
    }
    index
}

impl Cx<'_> {
    /// All elements in row-major order; `None` if the expression cannot be split (a call of a function
    /// with an array result, a size that is not known).
    pub fn elements(&mut self, exp: &Exp) -> Option<Vec<FlatExp>> {
        let shape = self.shape(exp)?;
        if shape.is_empty() {
            return Some(vec![self.scalar(exp)]);
        }
        if shape
            .iter()
            .try_fold(1usize, |n, &extent| n.checked_mul(extent))?
            > SPLIT_LIMIT
        {
            return None;
        }
        if let Exp::Range(_) | Exp::TypeRange(_) = exp {
            return self.values(exp);
        }
        let outer = self.splits_calls;
        self.splits_calls |= self.scalar && has_product(exp);
        let elements = indices(&shape).map(|index| self.at(exp, &index)).collect();
        self.splits_calls = outer;
        elements
    }

    /// The element at a zero-based index; `None` if the expression cannot be split.
    pub fn at(&mut self, exp: &Exp, index: &[usize]) -> Option<FlatExp> {
        if index.is_empty() {
            return Some(self.value(exp));
        }
        match exp {
            Exp::Ref(cref) => self.reference_at(cref, index),
            Exp::Array(elements, _) => self.at(elements.get(index[0])?, &index[1..]),
            Exp::Range(range) => self.range_at(range, index[0]),
            Exp::TypeRange(dim) => Some(literal(index[0], dim)),
            Exp::Unary(op, operand) => {
                let operand = self.at(operand, index)?;
                Some(simplify::unary(*op, operand))
            }
            Exp::Binary(op, operands) => self.binary_at(*op, &operands.0, &operands.1, index),
            Exp::If(branches) => self.if_at(branches, index),
            Exp::Cast(ty, operand) => {
                let operand = self.at(operand, index)?;
                Some(simplify::cast(element_of(ty).clone(), operand))
            }
            Exp::Subscripted(operand, subscripts) => {
                self.subscripted_at(operand, subscripts, index)
            }
            Exp::Reduction(reduction) => self.comprehension_at(reduction, index),
            Exp::Field(operand, name)
                if self.scope == Scope::Model
                    && let Some(cref) = self.named_field(operand, *name) =>
            {
                self.reference_at(&cref, index)
            }
            Exp::Field(operand, name) => {
                let outer = rank(operand).min(index.len());
                let record = self.at(operand, &index[..outer])?;
                let value = super::scalar::field(record, *name);
                let subscripts: Vec<Subscript<FlatRef>> = index[outer..]
                    .iter()
                    .map(|&k| Subscript::Index(Exp::Int(k as i64 + 1)))
                    .collect();
                if subscripts.is_empty() {
                    return Some(value);
                }
                pick(&value, &subscripts)
            }
            Exp::Call(call) => self.call_at(call, index),
            Exp::Size(operand, None) => {
                let shape = self.shape(operand)?;
                Some(Exp::Int(*shape.get(index[0])? as i64))
            }
            _ => None,
        }
    }

    fn range_at(&mut self, range: &Range, position: usize) -> Option<FlatExp> {
        let start = self.scalar(&range.start);
        let step = range.step.as_ref().map(|step| self.scalar(step));
        match (start, step) {
            (Exp::Enum(ty, start), _) => Some(Exp::Enum(ty, start + position as u32)),
            (Exp::Bool(start), _) => Some(Exp::Bool(start || position > 0)),
            (start, step) => {
                let step = step.unwrap_or(Exp::Int(1));
                let distance = simplify::binary(BinaryOp::Mul, Exp::Int(position as i64), step);
                Some(simplify::binary(BinaryOp::Add, start, distance))
            }
        }
    }

    fn binary_at(
        &mut self,
        op: BinaryOp,
        lhs: &Exp,
        rhs: &Exp,
        index: &[usize],
    ) -> Option<FlatExp> {
        match op {
            BinaryOp::MatMul => self.product_at(lhs, rhs, index),
            BinaryOp::MatPow => self.power_at(lhs, rhs, index),
            _ => {
                let lhs = self.broadcast(lhs, index)?;
                let rhs = self.broadcast(rhs, index)?;
                Some(simplify::binary(scalar_form(op), lhs, rhs))
            }
        }
    }

    /// An element of an array, or the scalar itself.
    pub(super) fn broadcast(&mut self, exp: &Exp, index: &[usize]) -> Option<FlatExp> {
        if rank(exp) == 0 {
            Some(self.scalar(exp))
        } else {
            self.at(exp, index)
        }
    }

    /// Matrix–matrix, matrix–vector and vector–matrix products.
    fn product_at(&mut self, lhs: &Exp, rhs: &Exp, index: &[usize]) -> Option<FlatExp> {
        let inner = *self.shape(lhs)?.last()?;
        let (row, column) = if rank(lhs) == 2 {
            index.split_at(1)
        } else {
            index.split_at(0)
        };
        let mut terms = Vec::with_capacity(inner);
        for k in 0..inner {
            let a = self.at(lhs, &[row, &[k]].concat())?;
            let b = self.at(rhs, &[&[k], column].concat())?;
            terms.push(simplify::binary(BinaryOp::Mul, a, b));
        }
        Some(simplify::sum(terms, Exp::Real(0.0)))
    }

    /// `A^n`: squares of the power for half the exponent, `A * A^(n-1)` for odd ones.
    fn power_at(&mut self, base: &Exp, exponent: &Exp, index: &[usize]) -> Option<FlatExp> {
        let Exp::Int(exponent @ 0..=64) = self.scalar(exponent) else {
            let whole = Exp::Binary(
                BinaryOp::MatPow,
                Box::new((self.value(base), self.scalar(exponent))),
            );
            let subscripts = index
                .iter()
                .map(|&k| Subscript::Index(Exp::Int(k as i64 + 1)));
            return Some(Exp::Subscripted(Box::new(whole), subscripts.collect()));
        };
        let extent = self.shape(base)?.first().copied()?;
        let [row, column] = *index else { return None };
        let mut entries = Vec::with_capacity(extent * extent);
        for i in 0..extent {
            for j in 0..extent {
                entries.push(self.at(base, &[i, j])?);
            }
        }
        let power = matrix_power(&entries, extent, exponent);
        power.into_iter().nth(row * extent + column)
    }

    fn if_at(&mut self, branches: &IfExp, index: &[usize]) -> Option<FlatExp> {
        match self.scalar(&branches.condition) {
            Exp::Bool(true) => self.at(&branches.then, index),
            Exp::Bool(false) => self.at(&branches.else_, index),
            condition => {
                let then = self.at(&branches.then, index)?;
                let else_ = self.at(&branches.else_, index)?;
                Some(simplify::if_(
                    condition,
                    then,
                    else_,
                    element_of(&branches.ty).clone(),
                ))
            }
        }
    }

    fn comprehension_at(
        &mut self,
        reduction: &modeshift_inst::exp::Reduction,
        index: &[usize],
    ) -> Option<FlatExp> {
        if !matches!(&reduction.function, Callee::Builtin(name) if *name == "array") {
            return None;
        }
        // The last iterator is the first dimension.
        let depth = self.iterators.len();
        let mut rest = index;
        let mut bound = Vec::new();
        for (name, range) in reduction.iterators.iter().rev() {
            let (first, after) = rest.split_first()?;
            let value = match range {
                Exp::Range(range) => self.deciding(|cx| cx.range_at(range, *first))?,
                other => self.values(other)?.into_iter().nth(*first)?,
            };
            bound.push((*name, value));
            rest = after;
        }
        self.iterators.extend(bound);
        let value = self.at(&reduction.body, rest);
        self.iterators.truncate(depth);
        value
    }

    fn subscripted_at(
        &mut self,
        operand: &Exp,
        subscripts: &[Subscript],
        index: &[usize],
    ) -> Option<FlatExp> {
        let shape = self.shape(operand)?;
        let mut rest = index.iter();
        let mut inner = Vec::with_capacity(shape.len());
        // Constants of which an element is chosen by what is known at run time only.
        let mut chosen = None;
        for (i, extent) in shape.iter().enumerate() {
            let dim = Dim::Known(*extent as i64);
            let position = match subscripts.get(i) {
                None | Some(Subscript::All) => *rest.next()?,
                Some(Subscript::Index(exp)) => {
                    let exp = self.scalar(exp);
                    match ordinal(&exp, &dim) {
                        Some(position) => position,
                        None if !index.is_empty() && matches!(operand, Exp::Array(..)) => {
                            chosen.get_or_insert_with(Vec::new).push((i, exp));
                            0
                        }
                        None => return None,
                    }
                }
                Some(Subscript::Slice(exp)) => {
                    let chosen = self.at(exp, &[*rest.next()?])?;
                    ordinal(&chosen, &dim)?
                }
            };
            inner.push(position);
        }
        let Some(chosen) = chosen else {
            return self.at(operand, &inner);
        };
        let mut subscripts: Vec<_> = inner
            .iter()
            .map(|&position| Subscript::Index(Exp::Int(position as i64 + 1)))
            .collect();
        for (i, exp) in chosen {
            subscripts[i] = Subscript::Index(exp);
        }
        Some(Exp::Subscripted(Box::new(self.value(operand)), subscripts))
    }

    /// `exp[subscripts]` of something that is no reference.
    pub(super) fn subscripted(&mut self, operand: &Exp, subscripts: &[Subscript]) -> FlatExp {
        let split = if self.scope == Scope::Function {
            None
        } else {
            self.subscripted_at(operand, subscripts, &[])
        };
        if let Some(element) = split {
            return element;
        }
        let operand = self.value(operand);
        let subscripts = self.subscripts(subscripts);
        if let Some(element) =
            pick(&operand, &subscripts).or_else(|| only_value(&operand, &subscripts))
        {
            return element;
        }
        Exp::Subscripted(Box::new(operand), subscripts)
    }

    pub(super) fn subscripts(&mut self, subscripts: &[Subscript]) -> Vec<Subscript<FlatRef>> {
        subscripts
            .iter()
            .map(|subscript| match subscript {
                Subscript::All => Subscript::All,
                Subscript::Index(exp) => Subscript::Index(self.scalar(exp)),
                Subscript::Slice(exp) => Subscript::Slice(self.whole(exp)),
            })
            .collect()
    }

    /// An array-valued expression as one. Operators between arrays that can be split become array
    /// constructors of their elements; references and calls stay.
    pub fn whole(&mut self, exp: &Exp) -> FlatExp {
        let stays = match exp {
            Exp::Call(_) => true,
            Exp::Ref(_) => !self.classic,
            _ => !self.classic && !self.scalar,
        };
        if !stays && let Some(array) = self.split(exp) {
            return array;
        }
        if let Exp::Reduction(reduction) = exp
            && self.scalar
            && self.scope == Scope::Model
            && let Some(array) = self.unrolled(reduction)
        {
            return array;
        }
        self.kept(exp)
    }

    /// The range of a loop that stays.
    pub fn range(&mut self, exp: &Exp) -> FlatExp {
        match exp {
            Exp::Range(_) => self.kept(exp),
            other => self.value(other),
        }
    }

    fn kept(&mut self, exp: &Exp) -> FlatExp {
        match exp {
            Exp::Ref(cref) => self.whole_reference(cref),
            Exp::Array(elements, ty) => {
                let elements = elements.iter().map(|element| self.value(element)).collect();
                Exp::Array(elements, ty.clone())
            }
            Exp::Range(range) => {
                let start = self.scalar(&range.start);
                let step = range.step.as_ref().map(|step| self.scalar(step));
                let stop = self.scalar(&range.stop);
                let ty = range.ty.clone();
                Exp::Range(Box::new(Range {
                    start,
                    step,
                    stop,
                    ty,
                }))
            }
            Exp::TypeRange(dim) => Exp::TypeRange(dim.clone()),
            Exp::Call(call) => self.whole_call(call),
            Exp::Reduction(reduction) => self.whole_reduction(reduction),
            Exp::If(branches) => self.whole_if(branches),
            Exp::Cast(ty, operand) => {
                let operand = self.whole(operand);
                simplify::cast(ty.clone(), operand)
            }
            Exp::Unary(..) | Exp::Binary(..) | Exp::Subscripted(..) | Exp::Size(..) => {
                self.split_or_keep(exp)
            }
            other => self.scalar(other),
        }
    }

    /// The left side of an equation or an assignment: references stay whole in every shape.
    pub fn target(&mut self, exp: &Exp) -> FlatExp {
        match exp {
            Exp::Ref(cref) if self.classic || self.in_statement => self.reference(cref),
            other => match self.value(other) {
                Exp::Tuple(items) if !self.scalar && !self.keep_arrays && !self.classic => {
                    let is_there =
                        |it: &FlatExp| !matches!(it, Exp::Array(all, _) if all.is_empty());
                    Exp::Tuple(items.into_iter().map(|it| it.filter(is_there)).collect())
                }
                lowered => lowered,
            },
        }
    }

    /// The condition of a `when`: a vector of conditions is told element by element.
    pub fn when_condition(&mut self, exp: &Exp) -> FlatExp {
        if rank(exp) > 0
            && let Some(array) = self.split(exp)
        {
            return array;
        }
        self.value(exp)
    }

    /// Nested constructors of the elements where they are known.
    pub(super) fn split(&mut self, exp: &Exp) -> Option<FlatExp> {
        if self.scope == Scope::Function {
            return None;
        }
        let elements = self.elements(exp)?;
        let shape = self.shape(exp)?;
        let ty = self.type_of(exp);
        Some(nest(elements, &shape, element_of(&ty)))
    }

    fn split_or_keep(&mut self, exp: &Exp) -> FlatExp {
        let logical = matches!(
            exp,
            Exp::Binary(BinaryOp::And | BinaryOp::Or, _) | Exp::Unary(UnaryOp::Not, _)
        );
        // Logical operators between arrays stay unless their value is known.
        if !super::builtin::keeps_loops(exp)
            && let Some(array) = self.split(exp)
            && (!logical || simplify::is_literal(&array))
        {
            return array;
        }
        match exp {
            Exp::Unary(op, operand) => {
                let operand = self.value(operand);
                Exp::Unary(*op, Box::new(operand))
            }
            Exp::Binary(op, operands) => {
                let op = match op {
                    // Between an array and a scalar, these are the plain operators.
                    BinaryOp::MulElem if rank(&operands.0) == 0 || rank(&operands.1) == 0 => {
                        BinaryOp::Mul
                    }
                    BinaryOp::DivElem if rank(&operands.1) == 0 => BinaryOp::Div,
                    other => *other,
                };
                let lhs = self.value(&operands.0);
                let rhs = self.value(&operands.1);
                Exp::Binary(op, Box::new((lhs, rhs)))
            }
            Exp::Subscripted(operand, subscripts) => self.subscripted(operand, subscripts),
            Exp::Size(operand, _) => {
                let operand = self.value(operand);
                Exp::Size(Box::new(operand), None)
            }
            other => self.scalar(other),
        }
    }

    fn whole_if(&mut self, branches: &IfExp) -> FlatExp {
        match self.scalar(&branches.condition) {
            Exp::Bool(true) => self.value(&branches.then),
            Exp::Bool(false) => self.value(&branches.else_),
            condition => {
                let then = self.value(&branches.then);
                let else_ = self.value(&branches.else_);
                simplify::if_(condition, then, else_, branches.ty.clone())
            }
        }
    }
}

/// Whether there is a product of matrices or vectors: each of its elements is a sum, which is told term by term even if
/// a factor is the result of a function.
fn has_product(exp: &Exp) -> bool {
    let mut found = false;
    modeshift_inst::exp::visit_exps(exp, &mut |part| {
        found |= matches!(part, Exp::Binary(BinaryOp::MatMul, _));
    });
    found
}

/// `{1, 1, 1}[i]`: whichever element is chosen, it is the same literal.
fn only_value(operand: &FlatExp, subscripts: &[Subscript<FlatRef>]) -> Option<FlatExp> {
    let (Exp::Array(elements, _), [Subscript::Index(_)]) = (operand, subscripts) else {
        return None;
    };
    let (first, rest) = elements.split_first()?;
    let same = simplify::is_literal(first) && rest.iter().all(|element| element == first);
    (same && !rest.is_empty()).then(|| first.clone())
}

/// The element of nested constructors at a zero-based index.
pub(super) fn element(value: &FlatExp, index: &[usize]) -> Option<FlatExp> {
    match (value, index) {
        (value, []) => Some(value.clone()),
        (Exp::Array(elements, _), [first, rest @ ..]) => element(elements.get(*first)?, rest),
        _ => None,
    }
}

fn matrix_power(entries: &[FlatExp], extent: usize, exponent: i64) -> Vec<FlatExp> {
    match exponent {
        0 => (0..extent * extent)
            .map(|k| Exp::Real(if k / extent == k % extent { 1.0 } else { 0.0 }))
            .collect(),
        1 => entries.to_vec(),
        n if n % 2 == 0 => {
            let half = matrix_power(entries, extent, n / 2);
            matrix_product(&half, &half, extent)
        }
        n => matrix_product(entries, &matrix_power(entries, extent, n - 1), extent),
    }
}

fn matrix_product(a: &[FlatExp], b: &[FlatExp], extent: usize) -> Vec<FlatExp> {
    let entry = |i: usize, j: usize| {
        let terms = (0..extent).map(|k| {
            simplify::binary(
                BinaryOp::Mul,
                a[i * extent + k].clone(),
                b[k * extent + j].clone(),
            )
        });
        simplify::sum(terms, Exp::Real(0.0))
    };
    (0..extent * extent)
        .map(|k| entry(k / extent, k % extent))
        .collect()
}

/// `{a, b}[2]` with a literal index.
pub(super) fn pick(operand: &FlatExp, subscripts: &[Subscript<FlatRef>]) -> Option<FlatExp> {
    let Some((first, rest)) = subscripts.split_first() else {
        return Some(operand.clone());
    };
    let (Exp::Array(elements, _), Subscript::Index(index)) = (operand, first) else {
        return None;
    };
    let dim = Dim::Known(elements.len() as i64);
    extent(&dim)?;
    pick(elements.get(ordinal(index, &dim)?)?, rest)
}
