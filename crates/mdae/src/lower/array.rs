//! Expressions with several values: arrays, records, functions with several outputs.

use super::Lower;
use super::constants::Value;
use super::numeric::{if_else, named_part};
use crate::sym::{Expr, Func, Rational};
use modeshift_base::Name;
use modeshift_flat::model::{self as flat, FlatExp, FlatRef};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, Reduction, Subscript, UnaryOp};
use modeshift_inst::ty::{Dim, Type};

/// Arrays with more elements than this are not written out.
const MAX_ELEMENTS: usize = 1 << 20;

impl Lower<'_> {
    /// The scalars of an expression, row by row, fields in order of declaration.
    pub(super) fn components(&mut self, exp: &FlatExp) -> Vec<Expr> {
        self.deeper(|this| this.components_inner(exp))
            .unwrap_or_default()
    }

    fn components_inner(&mut self, exp: &FlatExp) -> Vec<Expr> {
        match exp {
            Exp::Ref(FlatRef::Group(group)) => {
                let members = self.flat.groups[*group].members.clone();
                members.into_iter().map(|id| self.value_of(id)).collect()
            }
            Exp::Array(items, _) | Exp::Record(_, items) => items
                .iter()
                .flat_map(|item| self.components(item))
                .collect(),
            Exp::Tuple(items) => items
                .iter()
                .flatten()
                .flat_map(|item| self.components(item))
                .collect(),
            Exp::Range(range) => {
                let part = |this: &Self, exp: &FlatExp| {
                    this.constants
                        .evaluate(exp)
                        .and_then(|value| value.integer())
                };
                let (start, stop) = (part(self, &range.start), part(self, &range.stop));
                let step = match &range.step {
                    Some(step) => part(self, step),
                    None => Some(1),
                };
                match (start, step, stop) {
                    (Some(start), Some(step), Some(stop)) if step != 0 => {
                        integers(start, step, stop)
                    }
                    _ => vec![self.no_number("a range that is not known")],
                }
            }
            Exp::Cast(_, inner) => self.components(inner),
            Exp::Unary(UnaryOp::Neg, inner) => {
                self.components(inner).iter().map(Expr::neg).collect()
            }
            Exp::Binary(op, sides) => self.elementwise(*op, sides, exp),
            Exp::If(branch) => {
                if !matches!(branch.ty, Type::Array(_) | Type::Record(_)) {
                    return vec![self.number(exp)];
                }
                let then = self.components(&branch.then);
                let otherwise = self.components(&branch.else_);
                let condition = self.cond(&branch.condition);
                then.iter()
                    .zip(&otherwise)
                    .map(|(a, b)| if_else(condition, a, b))
                    .collect()
            }
            Exp::Call(call) => self.components_of_call(call),
            Exp::Reduction(reduction) => match self.unrolled(reduction) {
                Some(items) => items,
                None => vec![self.number(exp)],
            },
            _ => vec![self.number(exp)],
        }
    }

    /// The elements of `{e for i in 1:n}` with one iterator over integers that are known.
    fn unrolled(&mut self, reduction: &Reduction<FlatRef>) -> Option<Vec<Expr>> {
        let [(name, range)] = reduction.iterators.as_slice() else {
            return None;
        };
        let is_array = matches!(&reduction.function, Callee::Builtin(name) if *name == "array");
        if !is_array || !matches!(range, Exp::Range(_)) {
            return None;
        }
        let values = self.components(range);
        let values: Option<Vec<i64>> = values
            .iter()
            .map(|value| value.as_const().and_then(Rational::to_i64))
            .collect();
        let mut items = Vec::new();
        for value in values? {
            self.iterators.push((*name, value));
            items.extend(self.components(&reduction.body));
            self.iterators.pop();
        }
        Some(items)
    }

    fn elementwise(
        &mut self,
        op: BinaryOp,
        sides: &(FlatExp, FlatExp),
        exp: &FlatExp,
    ) -> Vec<Expr> {
        use BinaryOp as B;
        let combine: fn(&Expr, &Expr) -> Expr = match op {
            B::Add | B::AddElem => Expr::add,
            B::Sub | B::SubElem => Expr::sub,
            B::Mul | B::MulElem => Expr::mul,
            B::Div | B::DivElem => Expr::div,
            B::PowElem => Expr::power,
            _ => return vec![self.number(exp)],
        };
        if !is_array(&sides.0) && !is_array(&sides.1) {
            return vec![self.number(exp)];
        }
        let (a, b) = (self.components(&sides.0), self.components(&sides.1));
        match (a.len(), b.len()) {
            (1, _) => b.iter().map(|item| combine(&a[0], item)).collect(),
            (_, 1) => a.iter().map(|item| combine(item, &b[0])).collect(),
            _ => a.iter().zip(&b).map(|(x, y)| combine(x, y)).collect(),
        }
    }

    pub(super) fn scalar_product(&mut self, sides: &(FlatExp, FlatExp)) -> Expr {
        let (a, b) = (self.components(&sides.0), self.components(&sides.1));
        if a.len() != b.len() {
            return self.no_number("a product of matrices");
        }
        Expr::sum(a.iter().zip(&b).map(|(x, y)| x.mul(y)))
    }

    /// A function with several scalars as its result becomes one function per scalar.
    fn components_of_call(&mut self, call: &Call<FlatRef>) -> Vec<Expr> {
        let name = match &call.function {
            Callee::Builtin(name) => {
                let name = name.as_str();
                if let ("der" | "pre" | "noEvent", [inner]) = (name, &call.args[..])
                    && is_array(inner)
                {
                    let items = self.components(inner);
                    return items
                        .iter()
                        .map(|item| self.apply_to_scalar(name, item))
                        .collect();
                }
                name.to_owned()
            }
            Callee::User(name) => name.to_string(),
        };
        let parts = parts_of(&call.ty);
        match parts {
            Some(parts) if parts.len() != 1 || !parts[0].is_empty() => {
                let args = self.arguments(&call.args);
                parts
                    .iter()
                    .map(|part| {
                        Expr::apply(Func::new(&format!("{name}{part}")), args.iter().cloned())
                    })
                    .collect()
            }
            Some(_) => vec![self.call_value(call)],
            None => vec![self.no_number("a function with a result of unknown size")],
        }
    }

    fn apply_to_scalar(&mut self, name: &str, item: &Expr) -> Expr {
        match name {
            "der" => self.derivative(item),
            "pre" => super::numeric::left_limit(item),
            _ => item.clone(),
        }
    }

    /// `f(x)[i]`
    pub(super) fn element_of_call(
        &mut self,
        inner: &FlatExp,
        subscripts: &[Subscript<FlatRef>],
    ) -> Expr {
        let Some(indices) = self.indices(subscripts) else {
            return self.chosen_element(inner, subscripts);
        };
        let text: Vec<String> = indices.iter().map(i64::to_string).collect();
        let part = format!("[{}]", text.join(","));
        if let Exp::TupleElement(call, output) = inner {
            let whole = self.output_of_call(call, *output);
            return super::numeric::appended(&whole, &part);
        }
        if let Exp::Call(call) = inner {
            let whole = self.call_value(call);
            return match whole.kind() {
                crate::sym::Kind::Call(function, args) => {
                    let name = format!("{}{part}", function.name);
                    Expr::apply(Func::new(&name), args.iter().cloned())
                }
                _ => whole,
            };
        }
        let items = self.components(inner);
        let at = match indices[..] {
            [index] => usize::try_from(index - 1).ok(),
            _ => None,
        };
        match at.and_then(|at| items.get(at)) {
            Some(item) => item.clone(),
            None => self.no_number("these subscripts on an expression"),
        }
    }

    /// `{a, b}[i]` with an index that is known at run time only: a function of it and of all elements.
    fn chosen_element(&mut self, inner: &FlatExp, subscripts: &[Subscript<FlatRef>]) -> Expr {
        let mut args: Vec<Expr> = Vec::new();
        for subscript in subscripts {
            let Subscript::Index(index) = subscript else {
                return self.no_number("a slice that is not constant");
            };
            args.push(self.number(index));
        }
        args.extend(self.components(inner));
        // The shape is not known here.
        let name = if subscripts.len() == 1 {
            "element"
        } else {
            "elements"
        };
        Expr::call(name, args)
    }

    /// The `output`-th result of a function with several.
    pub(super) fn output_of_call(&mut self, inner: &FlatExp, output: u32) -> Expr {
        let call = match inner {
            Exp::Call(call) => call,
            // A call whose arguments were known.
            Exp::Tuple(items) => {
                let item = items.get((output as usize).wrapping_sub(1));
                return match item.and_then(Option::as_ref) {
                    Some(item) => self.number(item),
                    None => self.no_number("an element of this tuple"),
                };
            }
            _ => return self.no_number("an element of this tuple"),
        };
        let whole = self.call_value(call);
        if output == 1 {
            return whole;
        }
        named_part(&whole, &output.to_string()).unwrap_or(whole)
    }

    /// How the scalars of something that is assigned a result are written behind the call.
    pub(super) fn parts_of_target(&self, target: &FlatExp, count: usize) -> Vec<String> {
        let ty = match target {
            Exp::Ref(FlatRef::Group(group)) => parts_of(&self.flat.groups[*group].ty),
            Exp::Array(_, ty) | Exp::Cast(ty, _) => parts_of(ty),
            _ => None,
        };
        match ty {
            Some(parts) if parts.len() == count => parts,
            _ if count == 1 => vec![String::new()],
            _ => (1..=count).map(|i| format!("[{i}]")).collect(),
        }
    }

    /// `x[i]` with an index that may only be known at run time: then a function of all elements.
    pub(super) fn element(
        &mut self,
        group: flat::GroupId,
        subscripts: &[Subscript<FlatRef>],
    ) -> Expr {
        let group = &self.flat.groups[group];
        let members = group.members.clone();
        if let Some(indices) = self.indices(subscripts)
            && let Some(id) = member(group, &indices)
        {
            return self.value_of(id);
        }
        // Of the members only those are left that the known subscripts choose.
        let last = members.last().map(|&id| &self.flat.variables[id].name);
        let sizes = last.and_then(|name| subscripts_of(name));
        let sizes = sizes.filter(|sizes| sizes.len() == subscripts.len());
        let mut places: Vec<Expr> = Vec::new();
        let mut dims = Vec::new();
        for (i, subscript) in subscripts.iter().enumerate() {
            if let Subscript::Index(index) = subscript
                && self.integer(index).is_none()
            {
                places.push(self.number(index));
                dims.extend(sizes.as_ref().map(|sizes| sizes[i]));
            }
        }
        if places.len() == 1 {
            dims = vec![members.len()];
        }
        let items: Vec<Expr> = members.into_iter().map(|id| self.value_of(id)).collect();
        if dims.len() == places.len() && dims.iter().product::<usize>() == items.len() {
            return chosen(&places, &dims, &items);
        }
        places.extend(items);
        Expr::call("elements", places)
    }

    fn indices(&mut self, subscripts: &[Subscript<FlatRef>]) -> Option<Vec<i64>> {
        subscripts
            .iter()
            .map(|subscript| match subscript {
                Subscript::Index(index) => self.integer(index),
                _ => None,
            })
            .collect()
    }

    /// The value of an integer expression that is known here, loop variables included.
    pub(super) fn integer(&mut self, exp: &FlatExp) -> Option<i64> {
        if let Some(value) = self.constants.evaluate(exp) {
            return match value {
                Value::Real(_) | Value::Str(_) => None,
                other => other.integer(),
            };
        }
        let before = self.diagnostics.len();
        let value = self.number(exp).as_const().and_then(Rational::to_i64);
        self.diagnostics.truncate(before);
        value
    }

    /// The value of a loop variable while its loop is being unrolled.
    pub(super) fn iterator(&self, name: Name) -> Option<i64> {
        self.iterators
            .iter()
            .rev()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }
}

fn integers(start: i64, step: i64, stop: i64) -> Vec<Expr> {
    let mut values = Vec::new();
    let mut at = start;
    while (if step > 0 { at <= stop } else { at >= stop }) && values.len() < MAX_ELEMENTS {
        values.push(Expr::int(at));
        at += step;
    }
    values
}

/// Whether an expression has several values, as far as can be seen from its form.
fn is_array(exp: &FlatExp) -> bool {
    match exp {
        Exp::Ref(FlatRef::Group(_)) | Exp::Array(..) | Exp::Record(..) | Exp::Range(_) => true,
        Exp::Cast(ty, _) => matches!(ty, Type::Array(_) | Type::Record(_)),
        Exp::Unary(_, inner) => is_array(inner),
        Exp::Binary(_, sides) => is_array(&sides.0) || is_array(&sides.1),
        Exp::If(branch) => is_array(&branch.then),
        Exp::Call(call) => matches!(call.ty, Type::Array(_) | Type::Record(_)),
        _ => false,
    }
}

fn dimensions(dims: &[Dim]) -> Option<Vec<usize>> {
    dims.iter()
        .map(|dim| match dim {
            Dim::Known(size) => usize::try_from(*size).ok(),
            Dim::Boolean => Some(2),
            Dim::Enumeration(ty) => Some(ty.literals.len()),
            Dim::Flexible(_) => None,
        })
        .collect()
}

/// The subscripts at the end of a name: `[2, 3]` of `m[2,3]`.
fn subscripts_of(name: &str) -> Option<Vec<usize>> {
    let (_, list) = name.strip_suffix(']')?.rsplit_once('[')?;
    list.split(',').map(|i| i.trim().parse().ok()).collect()
}

/// The variable of a group at these indices.
pub(super) fn member(group: &flat::Group, indices: &[i64]) -> Option<flat::VarId> {
    let Type::Array(array) = &group.ty else {
        return None;
    };
    let at = offset(indices, &dimensions(&array.dims)?)?;
    group.members.get(at).copied()
}

fn offset(indices: &[i64], dims: &[usize]) -> Option<usize> {
    if indices.len() != dims.len() {
        return None;
    }
    let mut at = 0;
    for (&index, &size) in indices.iter().zip(dims) {
        let index = usize::try_from(index - 1).ok().filter(|&i| i < size)?;
        at = at * size + index;
    }
    Some(at)
}

/// Names for the scalars of a value of this type: `[1,2]`, `.re`; one empty name for a scalar.
fn parts_of(ty: &Type) -> Option<Vec<String>> {
    match ty {
        Type::Array(array) => {
            let dims = dimensions(&array.dims)?;
            let count: usize = dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d))?;
            if count > MAX_ELEMENTS {
                return None;
            }
            let inner = parts_of(&array.element)?;
            let mut parts = Vec::with_capacity(count * inner.len());
            for at in 0..count {
                let index = subscript_text(at, &dims);
                parts.extend(inner.iter().map(|part| format!("{index}{part}")));
            }
            Some(parts)
        }
        Type::Record(record) => {
            let mut parts = Vec::new();
            for (name, ty) in &record.fields {
                parts.extend(
                    parts_of(ty)?
                        .into_iter()
                        .map(|part| format!(".{name}{part}")),
                );
            }
            Some(parts)
        }
        Type::Tuple(types) => {
            let mut parts = Vec::new();
            for (i, ty) in types.iter().enumerate() {
                let output = if i == 0 {
                    String::new()
                } else {
                    format!(".{}", i + 1)
                };
                parts.extend(
                    parts_of(ty)?
                        .into_iter()
                        .map(|part| format!("{output}{part}")),
                );
            }
            Some(parts)
        }
        _ => Some(vec![String::new()]),
    }
}

fn subscript_text(mut at: usize, dims: &[usize]) -> String {
    let mut indices = Vec::with_capacity(dims.len());
    for &size in dims.iter().rev() {
        indices.push((at % size.max(1) + 1).to_string());
        at /= size.max(1);
    }
    indices.reverse();
    format!("[{}]", indices.join(","))
}

/// The item at `places`: of rows, the one that the first place chooses. Each place has bounds of its own.
fn chosen(places: &[Expr], dims: &[usize], items: &[Expr]) -> Expr {
    let ([place, places @ ..], [size, dims @ ..]) = (places, dims) else {
        return items.first().cloned().unwrap_or_else(Expr::zero);
    };
    let rows = items.chunks((items.len() / size.max(&1)).max(1));
    let mut args = vec![place.clone()];
    args.extend(rows.map(|row| chosen(places, dims, row)));
    Expr::call("element", args)
}
