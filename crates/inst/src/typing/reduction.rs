//! Array constructors with iterators, reductions, and the ranges of iterators.

use super::{Env, Iter, Typed};
use crate::cx::Cx;
use crate::exp::{Callee, Exp, Range, Reduction};
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_syntax::ast::{self, Expr, Node, Visit};

impl<'a> Cx<'_, 'a> {
    /// `function(body for iterators)`
    pub(crate) fn type_reduction(
        &mut self,
        function: &str,
        body: &Expr,
        iterators: &[ast::Iterator],
        place: Place,
        env: &mut Env,
    ) -> Typed {
        if self.mentions_split(std::slice::from_ref(body))
            && let Some(typed) = self.unrolled_reduction(function, body, iterators, place, env)
        {
            return typed;
        }
        let depth = env.iterators.len();
        let mut ranges: Vec<(Name, Exp)> = Vec::with_capacity(iterators.len());
        let mut dims = Vec::with_capacity(iterators.len());
        let mut var = Variability::Constant;
        let mut failed = false;
        // The last iterator runs fastest, and the first may use the later ones: type them from the right.
        let mut entered = Vec::new();
        for iterator in iterators.iter().rev() {
            let typed = self.type_iterator_range(iterator, Some(body), env);
            failed |= typed.is_error();
            var = var.max(typed.var);
            let dim = typed
                .ty
                .dims()
                .first()
                .cloned()
                .unwrap_or(Dim::Flexible(None));
            dims.push(dim);
            ranges.push((iterator.name.name, typed.exp));
            let ty = typed.ty.element().clone();
            env.iterators.push(Iter {
                name: iterator.name.name,
                ty,
                var: typed.var,
                max: None,
                value: None,
            });
            entered.push(());
        }
        dims.reverse();
        ranges.reverse();
        let value = super::operator::first_output(self.type_exp(body, env));
        env.iterators.truncate(depth);
        if failed || value.is_error() {
            return Typed::error();
        }
        var = var.max(value.var);
        let ty = match function {
            // The dimensions of the last iterator come first.
            "array" => {
                dims.reverse();
                Type::array(value.ty.clone(), dims)
            }
            _ => {
                let added = function == "sum" && value.ty.is_record();
                if added {
                    self.require_addition(&value.ty);
                }
                if !added
                    && !value.ty.is_numeric()
                    && !matches!(value.ty.element(), Type::Boolean | Type::Enumeration(_))
                {
                    self.wrong_operand(function, &value.ty, "numbers", place);
                    return Typed::error();
                }
                value.ty.clone()
            }
        };
        let reduction = Reduction {
            function: Callee::Builtin(Name::new(function)),
            body: value.exp,
            iterators: ranges,
            ty: ty.clone(),
        };
        Typed::new(Exp::Reduction(Box::new(reduction)), ty, var)
    }

    /// A reduction over elements of a split array, told element by element.
    fn unrolled_reduction(
        &mut self,
        function: &str,
        body: &Expr,
        iterators: &[ast::Iterator],
        place: Place,
        env: &mut Env,
    ) -> Option<Typed> {
        let array = self.unrolled_array(body, iterators, env)?;
        if function == "array" || array.is_error() {
            return Some(array);
        }
        if array.ty.is_record() {
            self.unsupported("the sum of records of unequal components", place);
            return Some(Typed::error());
        }
        let ty = array.ty.element().clone();
        let args = vec![array.exp];
        Some(super::builtin::builtin(function, args, ty, array.var))
    }

    /// The last iterator is the first dimension.
    fn unrolled_array(
        &mut self,
        body: &Expr,
        iterators: &[ast::Iterator],
        env: &mut Env,
    ) -> Option<Typed> {
        let Some((iterator, rest)) = iterators.split_last() else {
            return Some(super::operator::first_output(self.type_exp(body, env)));
        };
        iterator.range.as_ref()?;
        let range = self.type_iterator_range(iterator, Some(body), env);
        let values = self.unrolled_values(&range)?;
        let mut items = Vec::with_capacity(values.len());
        let mut inner: Option<Type> = None;
        let mut var = Variability::Constant;
        for value in values {
            let known = Iter::known(iterator.name.name, range.ty.element().clone(), value);
            env.iterators.push(known);
            let item = self.unrolled_array(body, rest, env);
            env.iterators.pop();
            let item = item?;
            if item.is_error() {
                return Some(item);
            }
            inner = match inner {
                None => Some(item.ty.clone()),
                Some(ty) => Some(super::fit::join(&ty, &item.ty)?),
            };
            var = var.max(item.var);
            items.push(item);
        }
        let inner = inner.unwrap_or(Type::Real);
        let ty = Type::array(inner.clone(), vec![Dim::Known(items.len() as i64)]);
        let items = items
            .into_iter()
            .map(|item| super::fit(item.exp, &item.ty, &inner).unwrap_or(Exp::Error))
            .collect();
        Some(Typed::new(Exp::Array(items, ty.clone()), ty, var))
    }

    /// The range of an iterator; without one, it follows from the arrays that the iterator indexes.
    pub(crate) fn type_iterator_range(
        &mut self,
        iterator: &ast::Iterator,
        body: Option<&Expr>,
        env: &mut Env,
    ) -> Typed {
        let Some(range) = &iterator.range else {
            return self.implicit_range(iterator, body, env);
        };
        let typed = super::operator::first_output(self.type_exp(range, env));
        if typed.is_error() {
            return typed;
        }
        if typed.ty.rank() != 1 {
            let message = format!("a loop runs over a vector, but this is {}", typed.ty);
            self.error(
                Code::MS2024,
                env.place(range.span),
                message,
                format!("this is {}", typed.ty),
            );
            return Typed::error();
        }
        typed
    }

    fn implicit_range(
        &mut self,
        iterator: &ast::Iterator,
        body: Option<&Expr>,
        env: &mut Env,
    ) -> Typed {
        let found = body.map(|body| indexed(body, iterator.name.name));
        self.range_of_indexed(found.unwrap_or_default(), iterator, env)
    }

    /// The range that the arrays ask for that an iterator indexes; they must agree about it (Modelica 3.6 §11.2.2.1).
    pub(crate) fn range_of_indexed(
        &mut self,
        found: Vec<Indexed>,
        iterator: &ast::Iterator,
        env: &mut Env,
    ) -> Typed {
        let mut dim: Option<(Dim, Typed)> = None;
        for (mut reference, part, index) in found {
            reference.parts.truncate(part + 1);
            for part in &mut reference.parts {
                part.subscripts.clear();
            }
            let typed = match &dim {
                None => self.type_ref(&reference, env),
                Some(_) => self.quietly(|cx| cx.type_ref(&reference, env)).0,
            };
            let Some(own) = typed.ty.dims().get(index).cloned() else {
                continue;
            };
            match &dim {
                Some((Dim::Known(first), _)) => {
                    if let Dim::Known(second) = own
                        && *first != second
                    {
                        let message = format!(
                            "`{}` has no definite range: it indexes arrays of {first} and of {second} elements",
                            iterator.name.name
                        );
                        self.error(
                            Code::MS2024,
                            env.place(reference.span),
                            message,
                            format!("this has {second} elements"),
                        );
                        return Typed::error();
                    }
                }
                Some(_) => {}
                None => dim = Some((own, typed)),
            }
        }
        match dim {
            Some((dim @ Dim::Known(_), _)) => {
                let Dim::Known(size) = dim else {
                    return Typed::error();
                };
                let ty = Type::array(Type::Integer, vec![dim]);
                let range = Range {
                    start: Exp::Int(1),
                    step: None,
                    stop: Exp::Int(size),
                    ty: ty.clone(),
                };
                Typed::constant(Exp::Range(Box::new(range)), ty)
            }
            Some((Dim::Boolean, _)) => Typed::constant(
                Exp::TypeRange(Dim::Boolean),
                Type::array(Type::Boolean, vec![Dim::Boolean]),
            ),
            Some((dim @ Dim::Enumeration(_), _)) => {
                let Dim::Enumeration(ty) = &dim else {
                    return Typed::error();
                };
                let ty = Type::array(Type::Enumeration(ty.clone()), vec![dim.clone()]);
                Typed::constant(Exp::TypeRange(dim), ty)
            }
            Some((dim @ Dim::Flexible(_), typed)) => {
                let size = Exp::Size(Box::new(typed.exp), Some(Box::new(Exp::Int(1))));
                let ty = Type::array(Type::Integer, vec![dim]);
                let range = Range {
                    start: Exp::Int(1),
                    step: None,
                    stop: size,
                    ty: ty.clone(),
                };
                Typed::new(Exp::Range(Box::new(range)), ty, Variability::Discrete)
            }
            None => {
                let message = format!(
                    "the range of `{}` is not given and does not follow from its use",
                    iterator.name.name
                );
                self.error(
                    Code::MS2040,
                    env.place(iterator.name.span),
                    message,
                    "no array is indexed by it",
                );
                Typed::error()
            }
        }
    }
}

/// Where an iterator alone is a subscript: the reference, which part of it, which dimension.
pub(crate) type Indexed = (ast::ComponentRef, usize, usize);

/// All places where `name` alone is a subscript.
pub(crate) fn indexed(tree: &(impl Visit + ?Sized), name: Name) -> Vec<Indexed> {
    let mut found = Vec::new();
    tree.visit(&mut |node| {
        if let Node::ComponentRef(reference) = node {
            for (part, index) in subscripts_named(reference, name) {
                found.push((reference.clone(), part, index));
            }
        }
        true
    });
    found
}

fn subscripts_named(
    reference: &ast::ComponentRef,
    name: Name,
) -> impl Iterator<Item = (usize, usize)> {
    let is_name = move |subscript: &ast::Subscript| {
        matches!(subscript, ast::Subscript::Expr(Expr { kind: ast::ExprKind::Ref(inner), .. })
            if inner.parts.len() == 1 && inner.parts[0].name == name)
    };
    let parts = reference.parts.iter().enumerate();
    parts.flat_map(move |(number, part)| {
        let subscripts = part.subscripts.iter().enumerate();
        let named = subscripts.filter(move |(_, subscript)| is_name(subscript));
        named.map(move |(index, _)| (number, index))
    })
}
