//! Typed expressions. One tree serves the instance phase, the flat model and functions: what differs
//! is only how a variable is named, the leaf `R`.

use crate::tree::ComponentId;
use crate::ty::{Dim, EnumType, Type};
use modeshift_base::{FxHashMap, Name};
use std::sync::Arc;

/// How the instance phase names a component: by the ids of the components on its path. What stands
/// before the first part follows from that component's parents, see [`crate::tree`].
#[derive(Clone, PartialEq, Debug)]
pub struct Cref {
    /// Never empty. Each part but the first is a component of the class of the part before.
    pub parts: Vec<CrefPart>,
    /// Type of the whole reference: dimensions that subscripts leave over, of all parts.
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CrefPart {
    pub component: ComponentId,
    /// Empty, or one for each dimension of the component.
    pub subscripts: Vec<Subscript<Cref>>,
}

impl Cref {
    /// The component that is meant in the end.
    pub fn component(&self) -> Option<ComponentId> {
        self.parts.last().map(|part| part.component)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Subscript<R = Cref> {
    All,
    Index(Exp<R>),
    /// A vector of indices.
    Slice(Exp<R>),
}

/// A typed expression over references `R`.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp<R = Cref> {
    Int(i64),
    Real(f64),
    Bool(bool),
    Str(Arc<str>),
    /// Literal `index` (from 1) of the enumeration.
    Enum(Arc<EnumType>, u32),
    Time,
    Ref(R),
    /// An iterator of an enclosing `for` or comprehension.
    Iterator(Name),
    /// `{a, b}`; `dims` of the whole, elements of one dimension less.
    Array(Vec<Exp<R>>, Type),
    Range(Box<Range<R>>),
    Tuple(Vec<Option<Exp<R>>>),
    /// A record value, fields in order of declaration.
    Record(Type, Vec<Exp<R>>),
    Call(Box<Call<R>>),
    /// `array(e for i in r)`, `sum(e for …)`: `function` is `array`, `sum`, `product`, `min`, `max`.
    Reduction(Box<Reduction<R>>),
    Unary(UnaryOp, Box<Exp<R>>),
    Binary(BinaryOp, Box<(Exp<R>, Exp<R>)>),
    If(Box<IfExp<R>>),
    /// `Integer` used where a `Real` is expected, and `size`-changing casts of arrays of them.
    Cast(Type, Box<Exp<R>>),
    /// Subscripts on something that is not a reference.
    Subscripted(Box<Exp<R>>, Vec<Subscript<R>>),
    /// The `index`-th (from 1) output of a call with several.
    TupleElement(Box<Exp<R>>, u32),
    /// `f(x).field`
    Field(Box<Exp<R>>, Name),
    /// `function f(a = 1)`
    PartialFunction(Arc<str>, Vec<(Name, Exp<R>)>, Type),
    /// `size(A, i)` that is not known; also `end`.
    Size(Box<Exp<R>>, Option<Box<Exp<R>>>),
    /// A dimension's type used as a value: `Boolean` or an enumeration as a range.
    TypeRange(Dim),
    /// An expression that failed to type; said already.
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Range<R = Cref> {
    pub start: Exp<R>,
    pub step: Option<Exp<R>>,
    pub stop: Exp<R>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call<R = Cref> {
    pub function: Callee,
    pub args: Vec<Exp<R>>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A built-in operator or function: `der`, `pre`, `sin`, `noEvent`, `assert` …
    Builtin(Name),
    /// A user function, by the name it is printed with.
    User(Arc<str>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reduction<R = Cref> {
    pub function: Callee,
    pub body: Exp<R>,
    pub iterators: Vec<(Name, Exp<R>)>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct IfExp<R = Cref> {
    pub condition: Exp<R>,
    pub then: Exp<R>,
    pub else_: Exp<R>,
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Neg,
    Not,
}

/// Operators after typing: which array form is meant is settled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// Elementwise forms, scalars broadcast: `.+ .- .* ./ .^`
    AddElem,
    SubElem,
    MulElem,
    DivElem,
    PowElem,
    /// Scalar product, matrix–vector and matrix–matrix products, matrix power.
    MatMul,
    MatPow,
    And,
    Or,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    NotEqual,
}

/// Calls `visit` for every reference, those in subscripts included.
pub fn visit_refs<R>(exp: &Exp<R>, visit: &mut dyn FnMut(&R))
where
    R: Subscripts,
{
    visit_exps(exp, &mut |exp| {
        if let Exp::Ref(reference) = exp {
            visit(reference);
        }
    });
}

/// A reference that may have subscripts.
pub trait Subscripts: Sized {
    fn subscripts(&self, each: &mut dyn FnMut(&Subscript<Self>));
}

impl Subscripts for Cref {
    fn subscripts(&self, each: &mut dyn FnMut(&Subscript<Self>)) {
        self.parts
            .iter()
            .flat_map(|part| &part.subscripts)
            .for_each(each);
    }
}

/// Calls `visit` for the expression and everything in it, outside in.
pub fn visit_exps<R: Subscripts>(exp: &Exp<R>, visit: &mut dyn FnMut(&Exp<R>)) {
    visit(exp);
    let subscript = |subscript: &Subscript<R>, visit: &mut dyn FnMut(&Exp<R>)| match subscript {
        Subscript::All => {}
        Subscript::Index(exp) | Subscript::Slice(exp) => visit_exps(exp, visit),
    };
    match exp {
        Exp::Int(_) | Exp::Real(_) | Exp::Bool(_) | Exp::Str(_) | Exp::Enum(..) | Exp::Time => {}
        Exp::Iterator(_) | Exp::TypeRange(_) | Exp::Error => {}
        Exp::Ref(reference) => reference.subscripts(&mut |it| subscript(it, visit)),
        Exp::Array(items, _) | Exp::Record(_, items) => {
            items.iter().for_each(|item| visit_exps(item, visit))
        }
        Exp::Range(range) => {
            visit_exps(&range.start, visit);
            if let Some(step) = &range.step {
                visit_exps(step, visit);
            }
            visit_exps(&range.stop, visit);
        }
        Exp::Tuple(items) => items
            .iter()
            .flatten()
            .for_each(|item| visit_exps(item, visit)),
        Exp::Call(call) => call.args.iter().for_each(|arg| visit_exps(arg, visit)),
        Exp::Reduction(reduction) => {
            visit_exps(&reduction.body, visit);
            reduction
                .iterators
                .iter()
                .for_each(|(_, range)| visit_exps(range, visit));
        }
        Exp::Unary(_, inner)
        | Exp::Cast(_, inner)
        | Exp::TupleElement(inner, _)
        | Exp::Field(inner, _) => {
            visit_exps(inner, visit);
        }
        Exp::Binary(_, operands) => {
            visit_exps(&operands.0, visit);
            visit_exps(&operands.1, visit);
        }
        Exp::If(inner) => {
            visit_exps(&inner.condition, visit);
            visit_exps(&inner.then, visit);
            visit_exps(&inner.else_, visit);
        }
        Exp::Subscripted(base, subscripts) => {
            visit_exps(base, visit);
            subscripts.iter().for_each(|it| subscript(it, visit));
        }
        Exp::PartialFunction(_, bound, _) => {
            bound.iter().for_each(|(_, exp)| visit_exps(exp, visit))
        }
        Exp::Size(base, index) => {
            visit_exps(base, visit);
            if let Some(index) = index {
                visit_exps(index, visit);
            }
        }
    }
}

/// Whether an iterator that is not bound inside occurs.
pub fn has_iterator(exp: &Exp) -> bool {
    let mut bound: Vec<Name> = Vec::new();
    let mut used: Vec<Name> = Vec::new();
    visit_exps(exp, &mut |exp| match exp {
        Exp::Iterator(name) => used.push(*name),
        Exp::Reduction(reduction) => {
            bound.extend(reduction.iterators.iter().map(|(name, _)| *name))
        }
        _ => {}
    });
    used.iter().any(|name| !bound.contains(name))
}

/// The expression with whole variables replaced by expressions, as when a default refers to other inputs. Fields of
/// what is replaced are told by the name that `name` gives them.
pub fn substitute(
    exp: Exp,
    map: &FxHashMap<ComponentId, Exp>,
    name: &dyn Fn(ComponentId) -> Name,
) -> Exp {
    if map.is_empty() {
        return exp;
    }
    let go = |exp: Exp| substitute(exp, map, name);
    let boxed = |exp: Box<Exp>| Box::new(substitute(*exp, map, name));
    let subscripts = |subscripts: Vec<Subscript>| -> Vec<Subscript> {
        subscripts
            .into_iter()
            .map(|subscript| match subscript {
                Subscript::All => Subscript::All,
                Subscript::Index(exp) => Subscript::Index(substitute(exp, map, name)),
                Subscript::Slice(exp) => Subscript::Slice(substitute(exp, map, name)),
            })
            .collect()
    };
    match exp {
        Exp::Ref(cref) => {
            let Some(replacement) = cref.parts.first().and_then(|part| map.get(&part.component))
            else {
                let parts = cref
                    .parts
                    .into_iter()
                    .map(|part| CrefPart {
                        component: part.component,
                        subscripts: subscripts(part.subscripts),
                    })
                    .collect();
                return Exp::Ref(Cref { parts, ty: cref.ty });
            };
            let mut value = replacement.clone();
            for (position, part) in cref.parts.into_iter().enumerate() {
                if position > 0 {
                    value = Exp::Field(Box::new(value), name(part.component));
                }
                if !part.subscripts.is_empty() {
                    value = Exp::Subscripted(Box::new(value), subscripts(part.subscripts));
                }
            }
            value
        }
        Exp::Array(items, ty) => Exp::Array(items.into_iter().map(go).collect(), ty),
        Exp::Record(ty, items) => Exp::Record(ty, items.into_iter().map(go).collect()),
        Exp::Range(range) => {
            let Range {
                start,
                step,
                stop,
                ty,
            } = *range;
            Exp::Range(Box::new(Range {
                start: go(start),
                step: step.map(go),
                stop: go(stop),
                ty,
            }))
        }
        Exp::Tuple(items) => Exp::Tuple(items.into_iter().map(|item| item.map(go)).collect()),
        Exp::Call(call) => {
            let Call { function, args, ty } = *call;
            Exp::Call(Box::new(Call {
                function,
                args: args.into_iter().map(go).collect(),
                ty,
            }))
        }
        Exp::Reduction(reduction) => {
            let Reduction {
                function,
                body,
                iterators,
                ty,
            } = *reduction;
            let iterators = iterators
                .into_iter()
                .map(|(name, range)| (name, go(range)))
                .collect();
            Exp::Reduction(Box::new(Reduction {
                function,
                body: go(body),
                iterators,
                ty,
            }))
        }
        Exp::Unary(op, inner) => Exp::Unary(op, boxed(inner)),
        Exp::Binary(op, operands) => {
            let (a, b) = *operands;
            Exp::Binary(op, Box::new((go(a), go(b))))
        }
        Exp::If(inner) => {
            let IfExp {
                condition,
                then,
                else_,
                ty,
            } = *inner;
            Exp::If(Box::new(IfExp {
                condition: go(condition),
                then: go(then),
                else_: go(else_),
                ty,
            }))
        }
        Exp::Cast(ty, inner) => Exp::Cast(ty, boxed(inner)),
        Exp::Subscripted(base, own) => Exp::Subscripted(boxed(base), subscripts(own)),
        Exp::TupleElement(inner, index) => Exp::TupleElement(boxed(inner), index),
        Exp::Field(inner, name) => Exp::Field(boxed(inner), name),
        Exp::PartialFunction(name, bound, ty) => Exp::PartialFunction(
            name,
            bound
                .into_iter()
                .map(|(input, exp)| (input, go(exp)))
                .collect(),
            ty,
        ),
        Exp::Size(base, index) => Exp::Size(boxed(base), index.map(boxed)),
        other => other,
    }
}

/// The dimensions of an expression, as far as it tells them without being evaluated. Linear in its size.
pub fn dims(exp: &Exp) -> Vec<Dim> {
    match exp {
        Exp::Ref(cref) => cref.ty.dims().to_vec(),
        Exp::Array(items, ty) => {
            let mut all = ty.dims().to_vec();
            match all.first_mut() {
                Some(first) => *first = Dim::Known(items.len() as i64),
                None => all.push(Dim::Known(items.len() as i64)),
            }
            all
        }
        Exp::Range(range) => range.ty.dims().to_vec(),
        Exp::Call(call) => call.ty.dims().to_vec(),
        Exp::Reduction(reduction) => reduction.ty.dims().to_vec(),
        Exp::If(inner) => inner.ty.dims().to_vec(),
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => dims(inner),
        Exp::Binary(BinaryOp::MatMul, operands) => {
            let (a, b) = (dims(&operands.0), dims(&operands.1));
            let rows = a.len().saturating_sub(1);
            a.into_iter()
                .take(rows)
                .chain(b.into_iter().skip(1))
                .collect()
        }
        Exp::Binary(_, operands) => {
            let left = dims(&operands.0);
            if left.is_empty() {
                dims(&operands.1)
            } else {
                left
            }
        }
        Exp::Subscripted(base, subscripts) => {
            let mut left = Vec::new();
            for (position, dim) in dims(base).into_iter().enumerate() {
                match subscripts.get(position) {
                    None | Some(Subscript::All) => left.push(dim),
                    Some(Subscript::Index(_)) => {}
                    Some(Subscript::Slice(chosen)) => left.extend(dims(chosen)),
                }
            }
            left
        }
        Exp::Field(base, name) => {
            let inner = field_of(base, *name).map_or(&[][..], Type::dims);
            dims(base)
                .into_iter()
                .chain(inner.iter().cloned())
                .collect()
        }
        Exp::TupleElement(call, index) => match &**call {
            Exp::Call(call) => match &call.ty {
                Type::Tuple(items) => (items.get((*index as usize).wrapping_sub(1)))
                    .map_or_else(Vec::new, |ty| ty.dims().to_vec()),
                ty => ty.dims().to_vec(),
            },
            _ => Vec::new(),
        },
        Exp::Size(base, None) => vec![Dim::Known(dims(base).len() as i64)],
        Exp::TypeRange(dim) => vec![dim.clone()],
        _ => Vec::new(),
    }
}

/// The type of a field in the record that an expression gives, or in each of the records.
fn field_of(exp: &Exp, name: Name) -> Option<&Type> {
    let ty = match exp {
        Exp::Ref(cref) => &cref.ty,
        Exp::Call(call) => &call.ty,
        Exp::Subscripted(base, _) => return field_of(base, name),
        Exp::Field(base, outer) => field_of(base, *outer)?,
        _ => return None,
    };
    let Type::Record(record) = ty.element() else {
        return None;
    };
    let mut fields = record.fields.iter();
    fields.find(|field| field.0 == name).map(|field| &field.1)
}

/// Whether [`dims`] says all there is: the field of something that is no reference has dimensions of its own.
pub fn tells_dims(exp: &Exp) -> bool {
    match exp {
        Exp::Field(base, name) => tells_dims(base) && field_of(base, *name).is_some(),
        Exp::Error | Exp::Iterator(_) => false,
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => tells_dims(inner),
        Exp::Binary(_, operands) => tells_dims(&operands.0) && tells_dims(&operands.1),
        Exp::Subscripted(base, _) => tells_dims(base),
        Exp::TupleElement(call, _) => matches!(**call, Exp::Call(_)),
        _ => true,
    }
}
