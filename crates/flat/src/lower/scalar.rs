//! Scalar expressions.

use super::shape::{rank, type_of};
use super::{Cx, Scope};
use crate::model::{FlatExp, FlatRef};
use crate::simplify;
use modeshift_inst::exp::{BinaryOp, Callee, Exp, Range, Reduction, Subscript};
use modeshift_inst::ty::{Dim, Type};

/// Loops and ranges longer than this are not unrolled.
const UNROLL_LIMIT: usize = 10_000_000;

impl Cx<'_> {
    /// An expression of any type: arrays and records stay whole.
    pub fn value(&mut self, exp: &Exp) -> FlatExp {
        if rank(exp) > 0 {
            self.whole(exp)
        } else {
            self.scalar(exp)
        }
    }

    /// An expression without dimensions (records included).
    pub fn scalar(&mut self, exp: &Exp) -> FlatExp {
        match exp {
            Exp::Int(value) => Exp::Int(*value),
            Exp::Real(value) => Exp::Real(*value),
            Exp::Bool(value) => Exp::Bool(*value),
            Exp::Str(text) => Exp::Str(text.clone()),
            Exp::Enum(ty, index) => Exp::Enum(ty.clone(), *index),
            Exp::Time => Exp::Time,
            Exp::Ref(cref) => self.reference(cref),
            Exp::Iterator(name) => self
                .iterator(*name)
                .cloned()
                .unwrap_or(Exp::Iterator(*name)),
            Exp::Tuple(elements) => {
                let elements = elements
                    .iter()
                    .map(|element| element.as_ref().map(|element| self.value(element)))
                    .collect();
                Exp::Tuple(elements)
            }
            Exp::Record(ty, fields) => {
                let fields = fields.iter().map(|field| self.value(field)).collect();
                Exp::Record(ty.clone(), fields)
            }
            Exp::Call(call) => self.scalar_call(call),
            Exp::Reduction(reduction) => self.scalar_reduction(reduction),
            Exp::Unary(op, operand) => {
                let operand = self.scalar(operand);
                simplify::unary(*op, operand)
            }
            Exp::Binary(BinaryOp::MatMul, operands) => {
                self.scalar_product(&operands.0, &operands.1)
            }
            Exp::Binary(op, operands) => {
                let lhs = self.scalar(&operands.0);
                if let Some(value) = short_circuit(*op, &lhs) {
                    return value;
                }
                let rhs = self.scalar(&operands.1);
                simplify::binary(scalar_form(*op), lhs, rhs)
            }
            Exp::If(branches) => self.scalar_if(branches),
            Exp::Cast(ty, operand) => {
                let operand = self.scalar(operand);
                simplify::cast(ty.clone(), operand)
            }
            Exp::Subscripted(operand, subscripts) => self.subscripted(operand, subscripts),
            Exp::TupleElement(call, index) => {
                let call = self.scalar(call);
                Exp::TupleElement(Box::new(call), *index)
            }
            Exp::Field(operand, name) => {
                if self.scope == Scope::Model
                    && let Some(cref) = self.named_field(operand, *name)
                {
                    return self.value(&Exp::Ref(cref));
                }
                let operand = self.value(operand);
                field(operand, *name)
            }
            Exp::PartialFunction(name, args, ty) => {
                let args = args
                    .iter()
                    .map(|(name, arg)| (*name, self.value(arg)))
                    .collect();
                Exp::PartialFunction(name.clone(), args, ty.clone())
            }
            Exp::Size(operand, dimension) => self.size(operand, dimension.as_deref()),
            Exp::TypeRange(dim) => Exp::TypeRange(dim.clone()),
            Exp::Array(..) | Exp::Range(_) => self.whole(exp),
            Exp::Error => Exp::Error,
        }
    }

    fn scalar_if(&mut self, branches: &modeshift_inst::exp::IfExp) -> FlatExp {
        let condition = self.scalar(&branches.condition);
        match condition {
            Exp::Bool(true) => self.scalar(&branches.then),
            Exp::Bool(false) => self.scalar(&branches.else_),
            condition => {
                let then = self.value(&branches.then);
                let else_ = self.value(&branches.else_);
                simplify::if_(condition, then, else_, branches.ty.clone())
            }
        }
    }

    /// `v * w` of two vectors.
    fn scalar_product(&mut self, lhs: &Exp, rhs: &Exp) -> FlatExp {
        let elements = if self.scope == Scope::Function {
            None
        } else {
            self.elements(lhs).zip(self.elements(rhs))
        };
        match elements {
            Some((left, right)) => {
                let products = left
                    .into_iter()
                    .zip(right)
                    .map(|(a, b)| simplify::binary(BinaryOp::Mul, a, b));
                simplify::sum(products, Exp::Real(0.0))
            }
            None if self.scalar
                && let Some(sum) = self.product_of_calls(lhs, rhs) =>
            {
                sum
            }
            None => {
                let (lhs, rhs) = (self.value(lhs), self.value(rhs));
                Exp::Binary(BinaryOp::MatMul, Box::new((lhs, rhs)))
            }
        }
    }

    /// `v * f(x)` as `v[1] * f(x)[1] + …`
    fn product_of_calls(&mut self, lhs: &Exp, rhs: &Exp) -> Option<FlatExp> {
        let [extent] = self.shape(lhs)?[..] else {
            return None;
        };
        let mut terms = Vec::with_capacity(extent);
        for k in 0..extent {
            let (a, b) = (self.element(lhs, &[k]), self.element(rhs, &[k]));
            terms.push(simplify::binary(BinaryOp::Mul, a, b));
        }
        Some(simplify::sum(terms, Exp::Real(0.0)))
    }

    /// One element of a value; of a call with an array result `f(x)[1]`.
    pub fn element(&mut self, exp: &Exp, index: &[usize]) -> FlatExp {
        let rank = rank(exp);
        // A scalar given for an array is the same for all elements.
        let index = if rank < index.len() {
            &index[..rank]
        } else {
            index
        };
        if let Some(value) = self.at(exp, index) {
            return value;
        }
        let whole = self.value(exp);
        let subscripts: Vec<_> = index
            .iter()
            .map(|&k| Subscript::Index(Exp::Int(k as i64 + 1)))
            .collect();
        if self.scalar
            && let Some(value) = super::array::pick(&whole, &subscripts)
        {
            return value;
        }
        Exp::Subscripted(Box::new(whole), subscripts)
    }

    /// `sum(e for i in r)` and its like: unrolled where the ranges are known.
    fn scalar_reduction(&mut self, reduction: &Reduction) -> FlatExp {
        let Callee::Builtin(function) = &reduction.function else {
            return self.whole_reduction(reduction);
        };
        if self.scope == Scope::Function || rank(&reduction.body) > 0 {
            return self.whole_reduction(reduction);
        }
        let Some(terms) = self.unroll(reduction) else {
            return self.whole_reduction(reduction);
        };
        let zero = |value: i64| match reduction.ty {
            Type::Integer => Exp::Int(value),
            _ => Exp::Real(value as f64),
        };
        if reduction.ty.is_record() {
            return match self.sum_of_records(terms, &reduction.ty) {
                Some(sum) => sum,
                None => self.whole_reduction(reduction),
            };
        }
        match function.as_str() {
            "sum" => simplify::sum(terms, zero(0)),
            "product" => terms
                .into_iter()
                .reduce(|product, term| simplify::binary(BinaryOp::Mul, product, term))
                .unwrap_or_else(|| zero(1)),
            name @ ("min" | "max") if terms.is_empty() => {
                super::builtin::extreme(name, &reduction.ty)
                    .unwrap_or_else(|| self.whole_reduction(reduction))
            }
            name @ ("min" | "max")
                if terms.iter().all(simplify::is_literal) && !terms.is_empty() =>
            {
                terms
                    .into_iter()
                    .reduce(|a, b| simplify::call(name.into(), vec![a, b], reduction.ty.clone()))
                    .unwrap_or_else(|| zero(0))
            }
            name @ ("min" | "max") if self.scalar => terms
                .into_iter()
                .reduce(|a, b| simplify::call(name.into(), vec![a, b], reduction.ty.clone()))
                .unwrap_or(Exp::Error),
            _ => self.whole_reduction(reduction),
        }
    }

    /// `{f(1), f(2)}` for `{f(i) for i in 1:2}` whatever the body is; `None` if a range is not known.
    pub(super) fn unrolled(&mut self, reduction: &Reduction) -> Option<FlatExp> {
        if !matches!(&reduction.function, Callee::Builtin(name) if *name == "array") {
            return None;
        }
        self.unrolled_over(&reduction.iterators, reduction, &reduction.ty)
    }

    /// The last iterator is the first dimension.
    fn unrolled_over(
        &mut self,
        iterators: &[(modeshift_base::Name, Exp)],
        reduction: &Reduction,
        ty: &Type,
    ) -> Option<FlatExp> {
        let Some(((name, range), rest)) = iterators.split_last() else {
            return Some(self.value(&reduction.body));
        };
        let inner = ty.strip(1);
        let mut elements = Vec::new();
        for value in self.values(range)? {
            let element =
                self.with_iterator(*name, value, |cx| cx.unrolled_over(rest, reduction, &inner))?;
            elements.push(element);
        }
        Some(Exp::Array(elements, ty.clone()))
    }

    /// All values of the body, in order of the iterators; `None` if a range is not known.
    pub(super) fn unroll(&mut self, reduction: &Reduction) -> Option<Vec<FlatExp>> {
        let mut terms = Vec::new();
        self.unroll_into(&reduction.iterators, reduction, &mut terms)?;
        Some(terms)
    }

    /// The first iterator runs fastest.
    fn unroll_into(
        &mut self,
        iterators: &[(modeshift_base::Name, Exp)],
        reduction: &Reduction,
        terms: &mut Vec<FlatExp>,
    ) -> Option<()> {
        let Some(((name, range), rest)) = iterators.split_last() else {
            terms.push(self.scalar(&reduction.body));
            return Some(());
        };
        for value in self.values(range)? {
            self.with_iterator(*name, value, |cx| cx.unroll_into(rest, reduction, terms))?;
        }
        Some(())
    }

    /// A reduction that stays: its iterators stay names.
    pub(super) fn whole_reduction(&mut self, reduction: &Reduction) -> FlatExp {
        let iterators: Vec<_> = reduction
            .iterators
            .iter()
            .map(|(name, range)| (*name, self.value(range)))
            .collect();
        // Inside, the names mean these iterators, whatever was unrolled outside under the same name.
        let depth = self.iterators.len();
        for (name, _) in &iterators {
            self.iterators.push((*name, Exp::Iterator(*name)));
        }
        let body = self.value(&reduction.body);
        self.iterators.truncate(depth);
        Exp::Reduction(Box::new(Reduction {
            function: reduction.function.clone(),
            body,
            iterators,
            ty: reduction.ty.clone(),
        }))
    }

    /// The values a range or vector of literals takes; `None` if they are not known here.
    pub fn values(&mut self, range: &Exp) -> Option<Vec<FlatExp>> {
        match range {
            Exp::Range(range) => self.range_values(range),
            Exp::TypeRange(dim) => dim_values(dim),
            // An array of Integers or Booleans cannot be an iterator's range by its type alone.
            other => {
                let elements = self.elements(other)?;
                elements.iter().all(is_value).then_some(elements)
            }
        }
    }

    fn range_values(&mut self, range: &Range) -> Option<Vec<FlatExp>> {
        let (start, step, stop) = self.deciding(|cx| {
            let step = range.step.as_ref().map(|step| cx.scalar(step));
            (cx.scalar(&range.start), step, cx.scalar(&range.stop))
        });
        match (start, step.unwrap_or(Exp::Int(1)), stop) {
            (Exp::Int(start), Exp::Int(step), Exp::Int(stop)) if step != 0 => {
                let count = (stop.saturating_sub(start) as f64 / step as f64).floor() + 1.0;
                let count = if count > 0.0 { count as usize } else { 0 };
                (count <= UNROLL_LIMIT).then(|| {
                    (0..count as i64)
                        .map(|k| Exp::Int(start + k * step))
                        .collect()
                })
            }
            (Exp::Enum(ty, start), _, Exp::Enum(_, stop)) => {
                Some((start..=stop).map(|k| Exp::Enum(ty.clone(), k)).collect())
            }
            (Exp::Bool(start), _, Exp::Bool(stop)) => Some(
                [false, true]
                    .into_iter()
                    .filter(|value| *value >= start && *value <= stop)
                    .map(Exp::Bool)
                    .collect(),
            ),
            (start, step, stop) => real_range(number(&start)?, number(&step)?, number(&stop)?),
        }
    }

    fn size(&mut self, operand: &Exp, dimension: Option<&Exp>) -> FlatExp {
        let known = if self.scope == Scope::Function {
            None
        } else {
            self.shape(operand)
        };
        match (known, dimension) {
            (Some(shape), Some(dimension)) => {
                let dimension = self.scalar(dimension);
                if let Exp::Int(n) = dimension
                    && let Ok(n) = usize::try_from(n)
                    && let Some(extent) = n.checked_sub(1).and_then(|n| shape.get(n))
                {
                    return Exp::Int(*extent as i64);
                }
                let operand = self.value(operand);
                Exp::Size(Box::new(operand), Some(Box::new(dimension)))
            }
            (Some(shape), None) => {
                let extents = shape.iter().map(|&n| Exp::Int(n as i64)).collect();
                super::reference::nest(extents, &[shape.len()], &Type::Integer)
            }
            (None, dimension) => {
                let dimension = dimension.map(|dimension| Box::new(self.scalar(dimension)));
                let operand = self.value(operand);
                Exp::Size(Box::new(operand), dimension)
            }
        }
    }

    /// Text of an expression without references to variables.
    pub(super) fn write_exp(&self, out: &mut String, exp: &FlatExp) {
        out.push_str(&crate::export::modelica::exp_text(
            &crate::model::FlatModel::default(),
            exp,
        ));
    }

    pub(super) fn type_of(&self, exp: &Exp) -> Type {
        type_of(exp)
    }
}

/// `false and x`, `true or x`: the right side may not even have a value.
fn short_circuit(op: BinaryOp, lhs: &FlatExp) -> Option<FlatExp> {
    match (op, lhs) {
        (BinaryOp::And, Exp::Bool(false)) => Some(Exp::Bool(false)),
        (BinaryOp::Or, Exp::Bool(true)) => Some(Exp::Bool(true)),
        _ => None,
    }
}

/// Between scalars an elementwise operator is the plain one.
pub fn scalar_form(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::AddElem => BinaryOp::Add,
        BinaryOp::SubElem => BinaryOp::Sub,
        BinaryOp::MulElem => BinaryOp::Mul,
        BinaryOp::DivElem => BinaryOp::Div,
        BinaryOp::PowElem => BinaryOp::Pow,
        other => other,
    }
}

/// `operand.name`; of a record value the field itself.
pub(super) fn field(operand: FlatExp, name: modeshift_base::Name) -> FlatExp {
    if let Exp::Record(Type::Record(ty), fields) = &operand
        && let Some(position) = ty.fields.iter().position(|(field, _)| *field == name)
        && let Some(value) = fields.get(position)
    {
        return value.clone();
    }
    Exp::Field(Box::new(operand), name)
}

/// A literal, or a record or group that an iterator may stand for.
fn is_value(exp: &FlatExp) -> bool {
    simplify::is_literal(exp)
        || matches!(
            exp,
            Exp::Ref(FlatRef::Group(_) | FlatRef::Var(_)) | Exp::Record(..)
        )
}

fn number(exp: &FlatExp) -> Option<f64> {
    match exp {
        Exp::Int(value) => Some(*value as f64),
        Exp::Real(value) => Some(*value),
        _ => None,
    }
}

/// `start:step:stop` with a tolerance for rounding at the end.
fn real_range(start: f64, step: f64, stop: f64) -> Option<Vec<FlatExp>> {
    let count = ((stop - start) / step + 1e-10).floor() + 1.0;
    if !count.is_finite() || count > UNROLL_LIMIT as f64 {
        return None;
    }
    let count = count.max(0.0) as usize;
    Some(
        (0..count)
            .map(|k| Exp::Real(start + k as f64 * step))
            .collect(),
    )
}

/// All values of an index type.
pub fn dim_values(dim: &Dim) -> Option<Vec<FlatExp>> {
    let count = crate::layout::extent(dim)?;
    Some(
        (0..count)
            .map(|position| super::reference::literal(position, dim))
            .collect(),
    )
}
