//! Built-in functions: those that make, reshape or reduce arrays, and those that work elementwise.

use super::shape::{element_of, rank, type_shape};
use super::{Cx, Scope};
use crate::model::{FlatExp, FlatRef};
use crate::simplify;
use modeshift_base::Name;
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, Reduction, Subscript};
use modeshift_inst::ty::{Causality, Type};

/// Functions whose calls with constant shape become array constructors even where arrays stay whole.
fn builds_array(name: &str) -> bool {
    matches!(
        name,
        "fill"
            | "zeros"
            | "ones"
            | "identity"
            | "diagonal"
            | "transpose"
            | "cat"
            | "vector"
            | "matrix"
            | "skew"
            | "cross"
            | "promote"
            | "scalar"
    )
}

/// Functions of scalars that apply to each element of an array.
fn is_elementwise(name: &str) -> bool {
    matches!(
        name,
        "abs"
            | "sign"
            | "sqrt"
            | "sin"
            | "cos"
            | "tan"
            | "asin"
            | "acos"
            | "atan"
            | "atan2"
            | "sinh"
            | "cosh"
            | "tanh"
            | "exp"
            | "log"
            | "log10"
            | "ceil"
            | "floor"
            | "integer"
            | "div"
            | "mod"
            | "rem"
            | "der"
            | "pre"
            | "previous"
            | "edge"
            | "change"
            | "noEvent"
            | "smooth"
            | "delay"
            | "homotopy"
            | "semiLinear"
            | "inStream"
            | "actualStream"
            | "Integer"
            | "max"
            | "min"
            | "reinit"
            | "sample"
            | "hold"
    )
}

/// Whether an expression that stays whole keeps loops in it: elementwise calls on arrays and
/// comprehensions are then not unrolled.
pub fn keeps_loops(exp: &Exp) -> bool {
    let mut found = false;
    modeshift_inst::exp::visit_exps(exp, &mut |part| match part {
        Exp::Call(call) => {
            let Callee::Builtin(name) = &call.function else {
                return;
            };
            let plain = |arg: &Exp| rank(arg) == 0 || matches!(arg, Exp::Array(..));
            // Derivatives and streams are told element by element wherever they stand.
            let splits = matches!(name.as_str(), "der" | "inStream" | "actualStream");
            let elementwise = is_elementwise(name.as_str()) && !splits;
            found |= rank(part) > 0 && elementwise && !call.args.iter().all(plain);
        }
        Exp::Reduction(reduction) => found |= rank(part) > 0 && !is_overloaded(reduction),
        _ => {}
    });
    found
}

/// An overloaded operator applied to arrays of records is told element by element.
fn is_overloaded(reduction: &Reduction) -> bool {
    matches!(&reduction.body, Exp::Call(call)
        if matches!(&call.function, Callee::User(name) if name.contains(".'")))
}

/// Operators whose value follows from the connections of the whole model.
fn asks_connections(name: &str) -> bool {
    matches!(name, "inStream" | "actualStream" | "cardinality" | "rooted")
        || name.starts_with("Connections.")
}

impl Cx<'_> {
    pub(super) fn scalar_call(&mut self, call: &Call) -> FlatExp {
        let Callee::Builtin(name) = &call.function else {
            return self.keep_call(call);
        };
        if asks_connections(name.as_str()) {
            self.uses_connections = true;
        }
        if (self.scope == Scope::Model || call.args.iter().all(is_array_of_scalars))
            && let Some(value) = self.reduce(name.as_str(), call)
        {
            return value;
        }
        if *name == "sum"
            && let Some(value) = self.sum_of_local(call)
        {
            return value;
        }
        let args = call.args.iter().map(|arg| self.value(arg)).collect();
        if *name == "String" && call.args.iter().any(|arg| self.mentions_loop(arg)) {
            // OpenModelica leaves the text of a loop's counter to the run time.
            return plain_call(*name, args, call.ty.clone());
        }
        simplify::call(*name, args, call.ty.clone())
    }

    pub(super) fn keep_call(&mut self, call: &Call) -> FlatExp {
        let args: Vec<FlatExp> = call.args.iter().map(|arg| self.value(arg)).collect();
        if self.scope == Scope::Model
            && let Some(value) = super::evaluate::call(self.instance, call, &args)
        {
            return value;
        }
        Exp::Call(Box::new(Call::<FlatRef> {
            function: call.function.clone(),
            args,
            ty: call.ty.clone(),
        }))
    }

    /// Functions from arrays to scalars.
    fn reduce(&mut self, name: &str, call: &Call) -> Option<FlatExp> {
        let arg = call.args.first()?;
        match name {
            "sum" | "product" => {
                let elements = self.elements(arg)?;
                let unit = |value: i64| match call.ty {
                    Type::Integer => Exp::Int(value),
                    _ => Exp::Real(value as f64),
                };
                if name == "sum" && call.ty.is_record() {
                    return self.sum_of_records(elements, &call.ty);
                }
                if name == "sum" {
                    return Some(simplify::sum(elements, unit(0)));
                }
                let product = elements
                    .into_iter()
                    .reduce(|a, b| simplify::binary(BinaryOp::Mul, a, b));
                Some(product.unwrap_or_else(|| unit(1)))
            }
            "max" | "min" if rank(arg) > 0 && call.args.len() == 1 => {
                let elements = self.elements(arg)?;
                if elements.is_empty() {
                    return extreme(name, &call.ty);
                }
                if !elements.iter().all(simplify::is_literal) {
                    return None;
                }
                elements
                    .into_iter()
                    .reduce(|a, b| simplify::call(name.into(), vec![a, b], call.ty.clone()))
            }
            "scalar" => self.elements(arg)?.into_iter().next(),
            "ndims" => Some(Exp::Int(rank(arg) as i64)),
            _ => None,
        }
    }

    /// The sum of records by their own `'+'`; `None` if the text shall keep it as it is, or there is no such function.
    pub(super) fn sum_of_records(&self, terms: Vec<FlatExp>, ty: &Type) -> Option<FlatExp> {
        let Type::Record(record) = ty else {
            return None;
        };
        if !self.scalar {
            return None;
        }
        let stem = format!("{}.'+'", record.path);
        let is_plus = |function: &modeshift_inst::tree::Function| {
            let inputs = function.variables.iter().filter(|id| {
                let variable = &self.instance.components[**id];
                variable.causality == Some(Causality::Input) && variable.ty.is_record()
            });
            function.name.starts_with(&stem) && inputs.count() == 2
        };
        let plus = self.instance.functions.iter().find(|it| is_plus(it))?;
        let add = |a, b| {
            Exp::Call(Box::new(Call::<FlatRef> {
                function: Callee::User(plus.name.clone()),
                args: vec![a, b],
                ty: ty.clone(),
            }))
        };
        terms.into_iter().reduce(add)
    }

    pub(super) fn whole_call(&mut self, call: &Call) -> FlatExp {
        let Callee::Builtin(name) = &call.function else {
            return self.keep_call(call);
        };
        if asks_connections(name.as_str()) {
            self.uses_connections = true;
        }
        let text = name.as_str();
        if text == "linspace" {
            let exp = Exp::Call(Box::new(call.clone()));
            if self.scalar
                && self.scope == Scope::Model
                && let Some(array) = self.split(&exp)
            {
                return array;
            }
            return self.linspace(call);
        }
        if self.scope == Scope::Model {
            let exp = Exp::Call(Box::new(call.clone()));
            if builds_array(text)
                && let Some(array) = self.split(&exp)
            {
                return array;
            }
            if text == "outerProduct"
                && let [a, b] = call.args.as_slice()
            {
                return self.outer_product(a, b, &call.ty);
            }
            if is_elementwise(text)
                && !self.keep_arrays
                && let Some(array) = self.vectorised(call, *name)
            {
                return array;
            }
        }
        if self.is_printed_function()
            && builds_array(text)
            && call
                .args
                .iter()
                .all(|arg| matches!(arg, Exp::Int(_) | Exp::Real(_)))
            && let Some(array) = self.known_constructor(text, call)
        {
            return array;
        }
        self.keep_call(call)
    }

    /// `linspace(a, b, n)` as `array(a + (b - a) * (i - 1) / (n - 1) for i in 1:n)`.
    fn linspace(&mut self, call: &Call) -> FlatExp {
        let [start, stop, count] = call.args.as_slice() else {
            return self.keep_call(call);
        };
        let (start, stop) = (self.scalar(start), self.scalar(stop));
        let count = self.scalar(count);
        let counter = Name::new("i");
        let steps = |n: FlatExp| {
            let less = simplify::binary(BinaryOp::Sub, n, Exp::Int(1));
            simplify::cast(Type::Real, less)
        };
        let span = simplify::binary(BinaryOp::Sub, stop, start.clone());
        let way = simplify::binary(BinaryOp::Mul, span, steps(Exp::Iterator(counter)));
        let share = simplify::binary(BinaryOp::Div, way, steps(count.clone()));
        let range = Exp::Range(Box::new(modeshift_inst::exp::Range {
            start: Exp::Int(1),
            step: None,
            stop: count,
            ty: array_type(&Type::Integer, &[0]),
        }));
        Exp::Reduction(Box::new(Reduction {
            function: Callee::Builtin(Name::new("array")),
            body: simplify::binary(BinaryOp::Add, start, share),
            iterators: vec![(counter, range)],
            ty: call.ty.clone(),
        }))
    }

    /// `outerProduct(a, b)` is a column times a row.
    fn outer_product(&mut self, a: &Exp, b: &Exp, ty: &Type) -> FlatExp {
        let mut column = |exp: &Exp| {
            let args = vec![self.value(exp), Exp::Int(2)];
            simplify::call(Name::new("promote"), args, ty.clone())
        };
        let (a, b) = (column(a), column(b));
        let row = simplify::call(Name::new("transpose"), vec![b], ty.clone());
        Exp::Binary(BinaryOp::MatMul, Box::new((a, row)))
    }

    /// `sin(x)` of an array as `array(sin(x[$i0]) for $i0 in 1:3)`.
    fn vectorised(&mut self, call: &Call, name: Name) -> Option<FlatExp> {
        let shape = type_shape(&call.ty)?;
        if shape.contains(&0) {
            return self.split(&Exp::Call(Box::new(call.clone())));
        }
        let all_literal = call
            .args
            .iter()
            .all(|arg| rank(arg) == 0 || matches!(arg, Exp::Array(..)));
        if all_literal || self.scalar {
            let exp = Exp::Call(Box::new(call.clone()));
            let split = self.split(&exp);
            if all_literal || split.is_some() {
                return split;
            }
        }
        let first = self.invented;
        self.invented += shape.len() as u32;
        let iterators: Vec<Name> = (0..shape.len() as u32)
            .map(|k| Name::new(&format!("$i{}", first + k)))
            .collect();
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(if rank(arg) == 0 {
                arg.clone()
            } else if let Some(same) = self.all_the_same(arg) {
                same
            } else {
                let subscripts = iterators
                    .iter()
                    .map(|name| Subscript::Index(Exp::Iterator(*name)))
                    .collect();
                subscript(arg, subscripts)
            });
        }
        let element = element_of(&call.ty).clone();
        let scalar = Exp::Call(Box::new(Call {
            function: Callee::Builtin(name),
            args,
            ty: element.clone(),
        }));
        let mut body = self.scalar(&scalar);
        for (k, iterator) in iterators.iter().enumerate().rev() {
            let range = Exp::Range(Box::new(modeshift_inst::exp::Range {
                start: Exp::Int(1),
                step: None,
                stop: Exp::Int(shape[k] as i64),
                ty: array_type(&Type::Integer, &shape[k..=k]),
            }));
            body = Exp::Reduction(Box::new(Reduction {
                function: Callee::Builtin(Name::new("array")),
                body,
                iterators: vec![(*iterator, range)],
                ty: array_type(&element, &shape[k..]),
            }));
        }
        Some(body)
    }

    /// The element of an array whose elements are all the same literal: `ones(3)`.
    fn all_the_same(&mut self, exp: &Exp) -> Option<Exp> {
        if let Exp::Cast(ty, inner) = exp {
            let same = self.all_the_same(inner)?;
            return Some(Exp::Cast(element_of(ty).clone(), Box::new(same)));
        }
        if let Exp::Array(elements, _) = exp {
            let (first, rest) = elements.split_first()?;
            let literal = matches!(first, Exp::Int(_) | Exp::Real(_) | Exp::Bool(_));
            return (literal && rest.iter().all(|element| element == first)).then(|| first.clone());
        }
        let Exp::Call(call) = exp else { return None };
        let Callee::Builtin(name) = &call.function else {
            return None;
        };
        match name.as_str() {
            "fill" => call.args.first().filter(|arg| rank(arg) == 0).cloned(),
            "ones" => Some(Exp::Real(1.0)),
            "zeros" => Some(Exp::Real(0.0)),
            _ => None,
        }
    }

    /// One element of a call with an array result.
    pub(super) fn call_at(&mut self, call: &Call, index: &[usize]) -> Option<FlatExp> {
        let Callee::Builtin(name) = &call.function else {
            return self.user_call_at(call, index);
        };
        if asks_connections(name.as_str()) {
            self.uses_connections = true;
        }
        if is_elementwise(name.as_str()) {
            let mut args = Vec::with_capacity(call.args.len());
            for arg in &call.args {
                args.push(self.broadcast(arg, index)?);
            }
            return Some(simplify::call(*name, args, element_of(&call.ty).clone()));
        }
        self.constructor_at(name.as_str(), call, index)
    }

    /// One element of the result of a function: of its value where that is known, which is computed once for all
    /// elements.
    fn user_call_at(&mut self, call: &Call, index: &[usize]) -> Option<FlatExp> {
        let args: Vec<FlatExp> = call.args.iter().map(|arg| self.value(arg)).collect();
        let same = matches!(&self.evaluated, Some((last, _))
            if last.function == call.function && last.args == args);
        if !same {
            let value = super::evaluate::call(self.instance, call, &args);
            let call = Call {
                function: call.function.clone(),
                args: args.clone(),
                ty: call.ty.clone(),
            };
            self.evaluated = Some((call, value));
        }
        match &self.evaluated {
            Some((_, Some(value))) => super::array::element(value, index),
            Some((call, None)) if self.splits_calls || self.splits_booleans(call) => {
                let subscripts = index
                    .iter()
                    .map(|&k| Subscript::Index(Exp::Int(k as i64 + 1)))
                    .collect();
                let whole = Exp::Call(Box::new(call.clone()));
                Some(Exp::Subscripted(Box::new(whole), subscripts))
            }
            _ => None,
        }
    }

    /// The analyses give each Boolean a definition of its own.
    fn splits_booleans(&self, call: &Call<FlatRef>) -> bool {
        let Callee::User(name) = &call.function else {
            return false;
        };
        let mut functions = self.instance.functions.iter();
        self.scalar
            && self.scope == Scope::Model
            && *element_of(&call.ty) == Type::Boolean
            && functions.any(|function| function.name == *name && function.pure)
    }

    pub(super) fn constructor_at(
        &mut self,
        name: &str,
        call: &Call,
        index: &[usize],
    ) -> Option<FlatExp> {
        let number = |value: f64| match element_of(&call.ty) {
            Type::Integer => Exp::Int(value as i64),
            _ => Exp::Real(value),
        };
        let first = call.args.first()?;
        match (name, index) {
            ("fill", _) => {
                let outer = call.args.len() - 1;
                self.at(first, index.get(outer..)?)
            }
            ("zeros", _) => Some(number(0.0)),
            ("ones", _) => Some(number(1.0)),
            ("identity", [i, j]) => Some(number(if i == j { 1.0 } else { 0.0 })),
            ("diagonal", [i, j]) if i == j => self.at(first, &[*i]),
            ("diagonal", [_, _]) => Some(number(0.0)),
            ("transpose", [i, j, rest @ ..]) => self.at(first, &[&[*j, *i], rest].concat()),
            ("linspace", [k]) => self.linspace_at(call, *k),
            ("cross", [k]) => self.cross_at(first, call.args.get(1)?, *k),
            ("skew", [i, j]) => self.skew_at(first, *i, *j),
            ("symmetric", [i, j]) => {
                let (i, j) = if i > j { (j, i) } else { (i, j) };
                self.at(first, &[*i, *j])
            }
            ("outerProduct", [i, j]) => {
                let a = self.at(first, &[*i])?;
                let b = self.at(call.args.get(1)?, &[*j])?;
                Some(simplify::binary(BinaryOp::Mul, a, b))
            }
            ("vector" | "matrix" | "promote" | "scalar", _) => self.reshaped_at(first, index),
            ("cat", _) => self.cat_at(call, index),
            ("array", [k, rest @ ..]) => self.at(call.args.get(*k)?, rest),
            _ => None,
        }
    }

    fn linspace_at(&mut self, call: &Call, k: usize) -> Option<FlatExp> {
        let [start, stop, count] = call.args.as_slice() else {
            return None;
        };
        let (start, stop) = (self.scalar(start), self.scalar(stop));
        let Exp::Int(count) = self.scalar(count) else {
            return None;
        };
        let span = simplify::binary(BinaryOp::Sub, stop, start.clone());
        let way = simplify::binary(BinaryOp::Mul, span, Exp::Real(k as f64));
        let step = simplify::binary(BinaryOp::Div, way, Exp::Real((count - 1) as f64));
        Some(simplify::binary(BinaryOp::Add, start, step))
    }

    fn cross_at(&mut self, x: &Exp, y: &Exp, k: usize) -> Option<FlatExp> {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let first = simplify::binary(BinaryOp::Mul, self.at(x, &[i])?, self.at(y, &[j])?);
        let second = simplify::binary(BinaryOp::Mul, self.at(x, &[j])?, self.at(y, &[i])?);
        Some(simplify::binary(BinaryOp::Sub, first, second))
    }

    /// `{{0, -x3, x2}, {x3, 0, -x1}, {-x2, x1, 0}}`
    fn skew_at(&mut self, x: &Exp, i: usize, j: usize) -> Option<FlatExp> {
        if i == j {
            return Some(Exp::Real(0.0));
        }
        let entry = self.at(x, &[3usize.checked_sub(i + j)?])?;
        Some(if (i + 1) % 3 == j {
            simplify::negate(entry)
        } else {
            entry
        })
    }

    /// Dimensions of size one come and go; the order of elements stays.
    fn reshaped_at(&mut self, arg: &Exp, index: &[usize]) -> Option<FlatExp> {
        let inner = self.shape(arg)?;
        if inner.is_empty() {
            return Some(self.scalar(arg));
        }
        // Match the extents that are larger than one; indices of the others are zero.
        let mut position = vec![0; inner.len()];
        if index.len() >= inner.len() {
            position.copy_from_slice(&index[..inner.len()]);
            if index[inner.len()..].iter().all(|&k| k == 0) {
                return self.at(arg, &position);
            }
        }
        let mut rest = index.iter().filter(|_| true);
        for (place, extent) in position.iter_mut().zip(&inner) {
            if *extent > 1 {
                *place = *rest.next()?;
            }
        }
        self.at(arg, &position)
    }

    fn cat_at(&mut self, call: &Call, index: &[usize]) -> Option<FlatExp> {
        let (dimension, parts) = call.args.split_first()?;
        let Exp::Int(dimension) = self.scalar(dimension) else {
            return None;
        };
        let axis = usize::try_from(dimension - 1).ok()?;
        let mut index = index.to_vec();
        for part in parts {
            let extent = *self.shape(part)?.get(axis)?;
            let place = index.get_mut(axis)?;
            if *place < extent {
                return self.at(part, &index);
            }
            *place -= extent;
        }
        None
    }

    /// Shapes that the type does not know but the arguments do.
    pub(super) fn builtin_shape(&mut self, name: &str, call: &Call) -> Option<Vec<usize>> {
        let extent = |cx: &mut Self, exp: &Exp| match cx.scalar(exp) {
            Exp::Int(value) => usize::try_from(value).ok(),
            _ => None,
        };
        match name {
            "fill" => call
                .args
                .get(1..)?
                .iter()
                .map(|arg| extent(self, arg))
                .collect(),
            "zeros" | "ones" => call.args.iter().map(|arg| extent(self, arg)).collect(),
            "identity" => {
                let n = extent(self, call.args.first()?)?;
                Some(vec![n, n])
            }
            "diagonal" => {
                let n = *self.shape(call.args.first()?)?.first()?;
                Some(vec![n, n])
            }
            "linspace" => Some(vec![extent(self, call.args.get(2)?)?]),
            "transpose" => {
                let mut shape = self.shape(call.args.first()?)?;
                if shape.len() < 2 {
                    return None;
                }
                shape.swap(0, 1);
                Some(shape)
            }
            "vector" => Some(vec![self.shape(call.args.first()?)?.iter().product()]),
            "cat" => {
                let (dimension, parts) = call.args.split_first()?;
                let axis = extent(self, dimension)?.checked_sub(1)?;
                let mut shape = self.shape(parts.first()?)?;
                *shape.get_mut(axis)? = 0;
                for part in parts {
                    let more = *self.shape(part)?.get(axis)?;
                    *shape.get_mut(axis)? += more;
                }
                Some(shape)
            }
            _ if is_elementwise(name) => {
                let widest = call.args.iter().max_by_key(|arg| rank(arg))?;
                self.shape(widest)
            }
            _ => None,
        }
    }
}

fn array_type(element: &Type, shape: &[usize]) -> Type {
    Type::Array(std::sync::Arc::new(modeshift_inst::ty::ArrayType {
        element: element.clone(),
        dims: shape
            .iter()
            .map(|&n| modeshift_inst::ty::Dim::Known(n as i64))
            .collect(),
    }))
}

/// `{a, b}` with elements that are no arrays themselves: can be taken apart even in functions.
fn is_array_of_scalars(exp: &Exp) -> bool {
    matches!(exp, Exp::Array(elements, _) if elements.iter().all(|element| rank(element) == 0))
}

/// `min` of nothing is the largest value there is, `max` the smallest.
pub(super) fn extreme(name: &str, ty: &Type) -> Option<FlatExp> {
    let is_min = name == "min";
    Some(match ty {
        Type::Real => Exp::Real(if is_min { LARGEST } else { -LARGEST }),
        Type::Integer => Exp::Int(if is_min {
            LARGEST_INTEGER
        } else {
            -LARGEST_INTEGER
        }),
        Type::Boolean => Exp::Bool(is_min),
        Type::Enumeration(ty) => {
            let index = if is_min { ty.literals.len() as u32 } else { 1 };
            Exp::Enum(ty.clone(), index)
        }
        _ => return None,
    })
}

/// The bounds OpenModelica takes for numbers.
const LARGEST: f64 = 8.777798510069901e304;
const LARGEST_INTEGER: i64 = 4_611_686_018_427_387_903;

fn plain_call(name: Name, args: Vec<FlatExp>, ty: Type) -> FlatExp {
    Exp::Call(Box::new(Call {
        function: Callee::Builtin(name),
        args,
        ty,
    }))
}

/// `exp[subscripts]`: on the reference itself where it has no subscripts yet.
fn subscript(exp: &Exp, subscripts: Vec<Subscript>) -> Exp {
    if let Exp::Ref(cref) = exp
        && let Some(last) = cref.parts.last()
        && last.subscripts.is_empty()
    {
        let mut cref = cref.clone();
        cref.ty = element_of(&cref.ty).clone();
        if let Some(last) = cref.parts.last_mut() {
            last.subscripts = subscripts;
        }
        return Exp::Ref(cref);
    }
    Exp::Subscripted(Box::new(exp.clone()), subscripts)
}
