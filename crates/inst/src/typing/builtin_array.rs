//! Predefined array functions (Modelica 3.6 §10.3).

use super::array::promote;
use super::builtin::builtin;
use super::call::{Arg, TypedArgs};
use super::{Env, Typed, fit};
use crate::ceval::Value;
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_syntax::ast::Args;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_array_builtin(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let TypedArgs {
            positional: args,
            named,
        } = self.type_args(args, env);
        if let Some((ident, _)) = named.first() {
            let message = format!("`{name}` takes its arguments by position");
            self.error(
                Code::MS2022,
                env.place(ident.span),
                message,
                "given by name",
            );
            return Typed::error();
        }
        if args
            .iter()
            .any(|arg| arg.value.is_error() && !arg.value.ty.is_array())
        {
            return Typed::error();
        }
        match name {
            "size" => self.type_size(args, place, env),
            "ndims" => self
                .one(name, args, place)
                .map_or_else(Typed::error, |arg| {
                    Typed::constant(Exp::Int(arg.value.ty.rank() as i64), Type::Integer)
                }),
            "zeros" | "ones" => {
                let value = if name == "zeros" { 0 } else { 1 };
                self.filled(
                    name,
                    Typed::constant(Exp::Int(value), Type::Integer),
                    args,
                    place,
                    env,
                )
            }
            "fill" => {
                let mut args = args;
                if args.len() < 2 {
                    return self.bad_count(name, "a value and the sizes", place);
                }
                let value = args.remove(0).value;
                self.filled(name, value, args, place, env)
            }
            "identity" => self.type_identity(args, place, env),
            "diagonal" => self.type_diagonal(args, place),
            "linspace" => self.type_linspace(args, place, env),
            "min" | "max" => self.type_min_max(name, args, place),
            "sum" | "product" => self.type_sum(name, args, place),
            "scalar" | "vector" | "matrix" => self.type_reshape(name, args, place),
            "transpose" => self.type_transpose(args, place),
            "outerProduct" | "cross" => self.type_two_vectors(name, args, place),
            "symmetric" | "skew" => self.type_square(name, args, place),
            "cat" => self.type_cat(args, place),
            "promote" => self.type_promote(args, place),
            "array" => {
                let items = args.into_iter().map(|arg| (arg.value, arg.place)).collect();
                self.array_of(items, place)
            }
            "DynamicSelect" => args
                .into_iter()
                .next()
                .map_or_else(Typed::error, |arg| arg.value),
            _ => {
                self.error(
                    Code::MS2042,
                    place,
                    format!("no function is called `{name}`"),
                    "not found",
                );
                Typed::error()
            }
        }
    }

    fn bad_count(&mut self, name: &str, wanted: &str, place: Place) -> Typed {
        self.error(
            Code::MS2022,
            place,
            format!("`{name}` needs {wanted}"),
            "wrong number of arguments",
        );
        Typed::error()
    }

    fn one(&mut self, name: &str, mut args: Vec<Arg>, place: Place) -> Option<Arg> {
        if args.len() != 1 {
            self.bad_count(name, "one argument", place);
            return None;
        }
        args.pop()
    }

    fn bad_argument(&mut self, name: &str, arg: &Arg, wanted: &str) -> Typed {
        let message = format!("`{name}` needs {wanted}, but this is {}", arg.value.ty);
        self.error(
            Code::MS2023,
            arg.place,
            message,
            format!("this is {}", arg.value.ty),
        );
        Typed::error()
    }

    fn type_size(&mut self, mut args: Vec<Arg>, place: Place, env: &Env) -> Typed {
        if args.is_empty() || args.len() > 2 {
            return self.bad_count("size", "an array and possibly a dimension", place);
        }
        let index = (args.len() == 2).then(|| args.remove(1));
        let array = args.remove(0);
        let dims = array.value.ty.dims().to_vec();
        let size_of = |at: usize| match &dims[at] {
            Dim::Flexible(_) => Exp::Size(
                Box::new(array.value.exp.clone()),
                Some(Box::new(Exp::Int(at as i64 + 1))),
            ),
            dim => Exp::Int(dim.known().unwrap_or(0)),
        };
        let var = if dims.iter().all(|dim| dim.known().is_some()) {
            Variability::Constant
        } else if env.function {
            Variability::Discrete
        } else {
            Variability::Parameter
        };
        let Some(index) = index else {
            let ty = Type::array(Type::Integer, vec![Dim::Known(dims.len() as i64)]);
            let items = (0..dims.len()).map(size_of).collect();
            return Typed::new(Exp::Array(items, ty.clone()), ty, var);
        };
        if index.value.ty != Type::Integer {
            return self.bad_argument("size", &index, "the number of a dimension");
        }
        let known = match (&index.value.exp, index.value.var <= Variability::Structural) {
            (Exp::Int(at), _) => Some(*at),
            (exp, true) if env.iterators.is_empty() || !crate::exp::has_iterator(exp) => {
                match self.eval_quiet(exp) {
                    Some(Value::Int(at)) => Some(at),
                    _ => None,
                }
            }
            _ => None,
        };
        match known {
            Some(at) if at >= 1 && at as usize <= dims.len() => {
                Typed::new(size_of(at as usize - 1), Type::Integer, var)
            }
            Some(at) => {
                let message = format!("there is no dimension {at}: this is {}", array.value.ty);
                self.error(
                    Code::MS2026,
                    index.place,
                    message,
                    format!("has {} dimensions", dims.len()),
                );
                Typed::error()
            }
            None if dims.iter().all(|dim| dim.known().is_some())
                && index.value.var > Variability::Parameter =>
            {
                let ty = Type::array(Type::Integer, vec![Dim::Known(dims.len() as i64)]);
                let sizes = Exp::Array((0..dims.len()).map(size_of).collect(), ty);
                let exp = Exp::Subscripted(
                    Box::new(sizes),
                    vec![crate::exp::Subscript::Index(index.value.exp)],
                );
                Typed::new(exp, Type::Integer, index.value.var)
            }
            None => {
                let exp = Exp::Size(Box::new(array.value.exp), Some(Box::new(index.value.exp)));
                Typed::new(exp, Type::Integer, index.value.var.max(var))
            }
        }
    }

    /// A size given as an argument.
    fn dim_of(&mut self, name: &str, arg: &Arg, env: &Env) -> Option<Dim> {
        if arg.value.ty != Type::Integer {
            self.bad_argument(name, arg, "Integer sizes");
            return None;
        }
        if let Exp::Int(size) = arg.value.exp
            && size >= 0
        {
            return Some(Dim::Known(size));
        }
        if crate::exp::has_iterator(&arg.value.exp)
            || env.function && arg.value.var > Variability::Structural
            || env.algorithm && arg.value.var > Variability::Parameter
        {
            return Some(Dim::Flexible(None));
        }
        if arg.value.var > Variability::Parameter {
            let message = format!("a size given to `{name}` must be a parameter expression");
            self.error(
                Code::MS2025,
                arg.place,
                message,
                format!("this is {}", arg.value.var.describe()),
            );
            return None;
        }
        if env.function && self.eval_quiet(&arg.value.exp).is_none() {
            return Some(Dim::Flexible(Some(Box::new(arg.value.exp.clone()))));
        }
        match self.eval_structural(&arg.value.exp, arg.place) {
            Some(Value::Int(size)) if size >= 0 => Some(Dim::Known(size)),
            Some(Value::Int(size)) => {
                self.error(
                    Code::MS2040,
                    arg.place,
                    format!("a size cannot be negative, but this is {size}"),
                    format!("this is {size}"),
                );
                None
            }
            _ => Some(Dim::Flexible(None)),
        }
    }

    fn filled(
        &mut self,
        name: &str,
        value: Typed,
        sizes: Vec<Arg>,
        place: Place,
        env: &Env,
    ) -> Typed {
        if sizes.is_empty() {
            return self.bad_count(name, "at least one size", place);
        }
        let mut dims = Vec::with_capacity(sizes.len());
        let mut args = vec![value.exp.clone()];
        let mut var = value.var;
        for size in &sizes {
            let Some(dim) = self.dim_of(name, size, env) else {
                return Typed::error();
            };
            if dim.known().is_none() {
                var = var.max(size.value.var);
            }
            args.push(match &dim {
                Dim::Known(size) => Exp::Int(*size),
                _ => size.value.exp.clone(),
            });
            dims.push(dim);
        }
        let ty = Type::array(value.ty, dims);
        builtin("fill", args, ty, var)
    }

    fn type_identity(&mut self, args: Vec<Arg>, place: Place, env: &Env) -> Typed {
        let Some(arg) = self.one("identity", args, place) else {
            return Typed::error();
        };
        let Some(dim) = self.dim_of("identity", &arg, env) else {
            return Typed::error();
        };
        let ty = Type::array(Type::Integer, vec![dim.clone(), dim.clone()]);
        let (exp, var) = match dim {
            Dim::Known(size) => (Exp::Int(size), Variability::Constant),
            _ => (arg.value.exp, arg.value.var),
        };
        builtin("identity", vec![exp], ty, var)
    }

    fn type_diagonal(&mut self, args: Vec<Arg>, place: Place) -> Typed {
        let Some(arg) = self.one("diagonal", args, place) else {
            return Typed::error();
        };
        if arg.value.ty.rank() != 1 {
            return self.bad_argument("diagonal", &arg, "a vector");
        }
        let dim = arg.value.ty.dims()[0].clone();
        let ty = Type::array(arg.value.ty.element().clone(), vec![dim.clone(), dim]);
        builtin("diagonal", vec![arg.value.exp], ty, arg.value.var)
    }

    fn type_linspace(&mut self, args: Vec<Arg>, place: Place, env: &Env) -> Typed {
        let [a, b, n] = args.as_slice() else {
            return self.bad_count("linspace", "start, end and number of points", place);
        };
        let Some(dim) = self.dim_of("linspace", n, env) else {
            return Typed::error();
        };
        let mut exps = Vec::new();
        for arg in [a, b] {
            match fit(arg.value.exp.clone(), &arg.value.ty, &Type::Real) {
                Some(exp) => exps.push(exp),
                None => return self.bad_argument("linspace", arg, "a Real"),
            }
        }
        exps.push(match &dim {
            Dim::Known(size) => Exp::Int(*size),
            _ => n.value.exp.clone(),
        });
        let var = a.value.var.max(b.value.var);
        builtin("linspace", exps, Type::array(Type::Real, vec![dim]), var)
    }

    fn type_min_max(&mut self, name: &str, args: Vec<Arg>, place: Place) -> Typed {
        let comparable = |ty: &Type| {
            matches!(
                ty.element(),
                Type::Real | Type::Integer | Type::Boolean | Type::Enumeration(_)
            )
        };
        match args.as_slice() {
            [one] => {
                if !one.value.ty.is_array() || !comparable(&one.value.ty) {
                    return self.bad_argument(name, one, "an array of numbers");
                }
                let ty = one.value.ty.element().clone();
                builtin(name, vec![one.value.exp.clone()], ty, one.value.var)
            }
            [a, b] => {
                let joined = fit::join(&a.value.ty, &b.value.ty);
                let Some(ty) = joined.filter(|ty| !ty.is_array() && comparable(ty)) else {
                    return self.bad_argument(
                        name,
                        b,
                        &format!("two scalars of one type, and the first is {}", a.value.ty),
                    );
                };
                let exps = [a, b].map(|arg| {
                    fit(arg.value.exp.clone(), &arg.value.ty, &ty).unwrap_or(Exp::Error)
                });
                builtin(name, exps.to_vec(), ty, a.value.var.max(b.value.var))
            }
            _ => self.bad_count(name, "an array or two scalars", place),
        }
    }

    fn type_sum(&mut self, name: &str, args: Vec<Arg>, place: Place) -> Typed {
        let Some(arg) = self.one(name, args, place) else {
            return Typed::error();
        };
        let ok = arg.value.ty.is_array()
            && (arg.value.ty.is_numeric() || arg.value.ty.is_record() || arg.value.ty.is_unknown());
        if !ok {
            return self.bad_argument(name, &arg, "an array of numbers");
        }
        let ty = match arg.value.ty.element() {
            Type::Unknown => Type::Real,
            other => other.clone(),
        };
        if ty.is_record() {
            self.require_addition(&ty);
        }
        // `sum(array(e for i in r))` is `sum(e for i in r)`.
        if let Exp::Reduction(inner) = &arg.value.exp
            && arg.value.ty.rank() == 1
            && inner.iterators.len() == 1
            && !arg.value.ty.is_record()
        {
            let mut reduction = inner.clone();
            reduction.function = crate::exp::Callee::Builtin(Name::new(name));
            reduction.ty = ty.clone();
            return Typed::new(Exp::Reduction(reduction), ty, arg.value.var);
        }
        builtin(name, vec![arg.value.exp], ty, arg.value.var)
    }

    fn type_reshape(&mut self, name: &str, args: Vec<Arg>, place: Place) -> Typed {
        let Some(arg) = self.one(name, args, place) else {
            return Typed::error();
        };
        let element = arg.value.ty.element().clone();
        let dims = arg.value.ty.dims().to_vec();
        let large: Vec<Dim> = dims
            .iter()
            .filter(|dim| dim.known() != Some(1))
            .cloned()
            .collect();
        // A size that is not known may well be 1: the sizes of a function's arrays are those of its call.
        let may_be_one = |dim: &Dim| matches!(dim.known(), None | Some(1));
        let surely_large = large.iter().filter(|dim| !may_be_one(dim)).count();
        let dims = match name {
            "scalar" if surely_large == 0 => Vec::new(),
            "vector" if large.len() <= 1 => vec![large.first().cloned().unwrap_or(Dim::Known(1))],
            "vector" if surely_large <= 1 => vec![Dim::Flexible(None)],
            "matrix" if dims.len() < 2 => return promote(arg.value, 2),
            "matrix" if dims.iter().skip(2).all(may_be_one) => dims[..2].to_vec(),
            "scalar" => return self.bad_argument(name, &arg, "an array with a single element"),
            "vector" => {
                return self.bad_argument(
                    name,
                    &arg,
                    "an array with at most one dimension larger than 1",
                );
            }
            _ => {
                return self.bad_argument(
                    name,
                    &arg,
                    "an array whose dimensions after the second are 1",
                );
            }
        };
        let ty = Type::array(element, dims);
        if ty.rank() == arg.value.ty.rank() {
            return arg.value;
        }
        builtin(name, vec![arg.value.exp], ty, arg.value.var)
    }

    fn type_transpose(&mut self, args: Vec<Arg>, place: Place) -> Typed {
        let Some(arg) = self.one("transpose", args, place) else {
            return Typed::error();
        };
        if arg.value.ty.rank() < 2 {
            return self.bad_argument("transpose", &arg, "a matrix");
        }
        let mut dims = arg.value.ty.dims().to_vec();
        dims.swap(0, 1);
        let ty = Type::array(arg.value.ty.element().clone(), dims);
        builtin("transpose", vec![arg.value.exp], ty, arg.value.var)
    }

    fn type_two_vectors(&mut self, name: &str, args: Vec<Arg>, place: Place) -> Typed {
        let [a, b] = args.as_slice() else {
            return self.bad_count(name, "two vectors", place);
        };
        for arg in [a, b] {
            let size_ok = name != "cross"
                || arg
                    .value
                    .ty
                    .dims()
                    .first()
                    .is_some_and(|dim| dim.compatible(&Dim::Known(3)));
            if arg.value.ty.rank() != 1 || !arg.value.ty.is_numeric() || !size_ok {
                return self.bad_argument(
                    name,
                    arg,
                    if name == "cross" {
                        "a vector of 3 elements"
                    } else {
                        "a vector"
                    },
                );
            }
        }
        let element = if [a, b]
            .iter()
            .all(|arg| *arg.value.ty.element() == Type::Integer)
        {
            Type::Integer
        } else {
            Type::Real
        };
        let exps = [a, b]
            .map(|arg| {
                let to = arg.value.ty.with_element(element.clone());
                fit(arg.value.exp.clone(), &arg.value.ty, &to).unwrap_or(Exp::Error)
            })
            .to_vec();
        let dims = if name == "cross" {
            vec![Dim::Known(3)]
        } else {
            vec![a.value.ty.dims()[0].clone(), b.value.ty.dims()[0].clone()]
        };
        builtin(
            name,
            exps,
            Type::array(element, dims),
            a.value.var.max(b.value.var),
        )
    }

    fn type_square(&mut self, name: &str, args: Vec<Arg>, place: Place) -> Typed {
        let Some(arg) = self.one(name, args, place) else {
            return Typed::error();
        };
        let ty = if name == "skew" {
            if arg.value.ty.rank() != 1 || !arg.value.ty.dims()[0].compatible(&Dim::Known(3)) {
                return self.bad_argument(name, &arg, "a vector of 3 elements");
            }
            Type::array(
                arg.value.ty.element().clone(),
                vec![Dim::Known(3), Dim::Known(3)],
            )
        } else {
            let dims = arg.value.ty.dims();
            if dims.len() != 2 || !dims[0].compatible(&dims[1]) {
                return self.bad_argument(name, &arg, "a square matrix");
            }
            arg.value.ty.clone()
        };
        builtin(name, vec![arg.value.exp], ty, arg.value.var)
    }

    fn type_cat(&mut self, mut args: Vec<Arg>, place: Place) -> Typed {
        if args.len() < 2 {
            return self.bad_count("cat", "a dimension and at least one array", place);
        }
        let first = args.remove(0);
        let dim = match self.eval_structural(&first.value.exp, first.place) {
            Some(Value::Int(dim)) if dim >= 1 => dim as usize - 1,
            _ => return self.bad_argument("cat", &first, "the number of a dimension"),
        };
        let items = args.into_iter().map(|arg| (arg.value, arg.place)).collect();
        self.concatenate(dim, items, place)
    }

    fn type_promote(&mut self, args: Vec<Arg>, place: Place) -> Typed {
        let [value, rank] = args.as_slice() else {
            return self.bad_count("promote", "a value and a number of dimensions", place);
        };
        match self.eval_structural(&rank.value.exp, rank.place) {
            Some(Value::Int(rank)) if rank >= value.value.ty.rank() as i64 && rank < 16 => {
                promote(value.value.clone(), rank as usize)
            }
            _ => self.bad_argument("promote", rank, "a number of dimensions"),
        }
    }

    /// A name used in messages for positional arguments.
    pub(crate) fn position(index: usize) -> Name {
        Name::new(&format!("{}", index + 1))
    }
}
