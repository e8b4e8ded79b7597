//! Array constructors, matrices, and subscripts and fields of values.

use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::{Call, Callee, Cref, Exp, Subscript};
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{self, Expr, Ident};

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_array(&mut self, items: &[Expr], place: Place, env: &mut Env) -> Typed {
        // Modelica 3.6 §10.4: the elements give the type.
        if items.is_empty() {
            let diagnostic = Diagnostic::new(
                Code::MS2040,
                "`{}` has no type: an array constructor needs at least one element",
            )
            .label(place, "no elements")
            .note("An array without elements is written `zeros(0)` or `fill(value, 0)`.");
            self.report(diagnostic);
            return Typed::error();
        }
        let mut typed = Vec::with_capacity(items.len());
        for item in items {
            let value = super::operator::first_output(self.type_exp(item, env));
            typed.push((value, env.place(item.span)));
        }
        self.array_of(typed, place)
    }

    /// `{a, b}` of typed elements.
    pub(crate) fn array_of(&mut self, items: Vec<(Typed, Place)>, place: Place) -> Typed {
        if items.is_empty() {
            let ty = Type::array(Type::Unknown, vec![Dim::Known(0)]);
            return Typed::constant(Exp::Array(Vec::new(), ty.clone()), ty);
        }
        if items
            .iter()
            .any(|(item, _)| item.is_error() && !matches!(item.exp, Exp::Array(..)))
        {
            return Typed::error();
        }
        let mut ty = items[0].0.ty.clone();
        for (item, at) in &items[1..] {
            match fit::join(&ty, &item.ty) {
                Some(joined) => ty = joined,
                None => {
                    let diagnostic = Diagnostic::new(
                        Code::MS2024,
                        format!(
                            "elements of an array must have one type, but here are {ty} and {}",
                            item.ty
                        ),
                    )
                    .label(*at, format!("this is {}", item.ty))
                    .label(items[0].1, format!("this is {}", items[0].0.ty));
                    self.report(diagnostic);
                    return Typed::error();
                }
            }
        }
        let _ = place;
        let var = items
            .iter()
            .map(|(item, _)| item.var)
            .max()
            .unwrap_or(Variability::Constant);
        let whole = Type::array(ty.clone(), vec![Dim::Known(items.len() as i64)]);
        let exps = items
            .into_iter()
            .map(|(item, _)| fit(item.exp, &item.ty, &ty).unwrap_or(Exp::Error))
            .collect();
        Typed::new(Exp::Array(exps, whole.clone()), whole, var)
    }

    /// `[a, b; c, d]`: rows are concatenated along the second dimension, then along the first.
    pub(crate) fn type_matrix(&mut self, rows: &[Vec<Expr>], place: Place, env: &mut Env) -> Typed {
        let mut typed_items: Vec<Vec<(Typed, Place)>> = Vec::with_capacity(rows.len());
        let mut rank = 2;
        for row in rows {
            let mut items = Vec::with_capacity(row.len());
            for item in row {
                let value = super::operator::first_output(self.type_exp(item, env));
                if value.is_error() {
                    return Typed::error();
                }
                rank = rank.max(value.ty.rank());
                items.push((value, env.place(item.span)));
            }
            typed_items.push(items);
        }
        let mut typed_rows: Vec<(Typed, Place)> = Vec::with_capacity(rows.len());
        for items in typed_items {
            let items: Vec<_> = items
                .into_iter()
                .map(|(item, at)| (promote(item, rank), at))
                .collect();
            let row = if items.len() == 1 {
                items.into_iter().next().map(|it| it.0)
            } else {
                Some(self.concatenate(1, items, place))
            };
            typed_rows.push((row.unwrap_or_else(Typed::error), place));
        }
        match typed_rows.len() {
            0 => Typed::error(),
            1 => typed_rows.pop().map_or_else(Typed::error, |row| row.0),
            _ => self.concatenate(0, typed_rows, place),
        }
    }

    /// `cat(dim + 1, items...)`, as an array constructor where all elements are in sight.
    pub(crate) fn concatenate(
        &mut self,
        dim: usize,
        items: Vec<(Typed, Place)>,
        place: Place,
    ) -> Typed {
        if items
            .iter()
            .any(|(item, _)| item.is_error() && item.ty.size() != Some(0))
        {
            return Typed::error();
        }
        let mut element: Option<Type> = None;
        for (item, _) in &items {
            let next = item.ty.element().clone();
            element = match element {
                None => Some(next),
                Some(element) => fit::join(&element, &next),
            };
            if element.is_none() {
                break;
            }
        }
        let rank = items.first().map_or(0, |(item, _)| item.ty.rank());
        let fits = items.iter().all(|(item, _)| {
            item.ty.rank() == rank
                && items[0]
                    .0
                    .ty
                    .dims()
                    .iter()
                    .zip(item.ty.dims())
                    .enumerate()
                    .all(|(at, (a, b))| at == dim || a.compatible(b))
        });
        let Some(element) = element.filter(|_| fits && dim < rank) else {
            let columns = items.iter().map(|(item, _)| match item.ty.dims() {
                [Dim::Known(1), Dim::Known(columns)] => Some(columns.to_string()),
                _ => None,
            });
            // Rows as they are written in a matrix.
            if let Some(columns) = columns.collect::<Option<Vec<String>>>()
                && let [first @ .., last] = &columns[..]
                && dim == 0
                && !first.is_empty()
            {
                let message = format!(
                    "the rows of this matrix have different lengths: {} and {last}",
                    first.join(", ")
                );
                self.report(
                    Diagnostic::new(Code::MS2024, message)
                        .label(place, "`,` separates elements of a row, `;` separates rows"),
                );
                return Typed::error();
            }
            let mut diagnostic = Diagnostic::new(
                Code::MS2024,
                "these arrays cannot be joined: their sizes differ",
            )
            .label(place, "joined here");
            for (item, at) in items.iter().take(4) {
                diagnostic = diagnostic.label(*at, format!("this is {}", item.ty));
            }
            self.report(diagnostic);
            return Typed::error();
        };
        let var = items
            .iter()
            .map(|(item, _)| item.var)
            .max()
            .unwrap_or(Variability::Constant);
        let mut total = Some(0i64);
        for (item, _) in &items {
            total = total.zip(item.ty.dims()[dim].known()).map(|(a, b)| a + b);
        }
        let mut dims: Vec<Dim> = items[0].0.ty.dims().to_vec();
        for (item, _) in &items {
            dims = dims
                .iter()
                .zip(item.ty.dims())
                .map(|(a, b)| fit::better(a, b))
                .collect();
        }
        dims[dim] = total.map_or(Dim::Flexible(None), Dim::Known);
        let ty = Type::array(element.clone(), dims);
        let exps: Vec<Exp> = items
            .into_iter()
            .map(|(item, _)| {
                let to = item.ty.with_element(element.clone());
                fit::fit_element(item.exp, &item.ty, &to).unwrap_or(Exp::Error)
            })
            .collect();
        if let Some(exp) = join_literals(&exps, dim, &ty) {
            return Typed::new(exp, ty, var);
        }
        let mut args = vec![Exp::Int(dim as i64 + 1)];
        args.extend(exps);
        let call = Call {
            function: Callee::Builtin(Name::new("cat")),
            args,
            ty: ty.clone(),
        };
        Typed::new(Exp::Call(Box::new(call)), ty, var)
    }

    /// Subscripts on something that is not a reference.
    pub(crate) fn type_index(
        &mut self,
        base: Typed,
        subscripts: &[ast::Subscript],
        place: Place,
        env: &mut Env,
    ) -> Typed {
        if base.is_error() {
            return base;
        }
        let dims = base.ty.dims().to_vec();
        if subscripts.len() > dims.len() {
            self.too_many_subscripts(subscripts.len(), dims.len(), "this value", place);
            return Typed::error();
        }
        let Some((subscripts, left, var)) = self.type_subscripts(subscripts, &dims, &base.exp, env)
        else {
            return Typed::error();
        };
        let ty = Type::array(base.ty.element().clone(), left);
        Typed::new(
            Exp::Subscripted(Box::new(base.exp), subscripts),
            ty,
            base.var.max(var),
        )
    }

    pub(crate) fn too_many_subscripts(
        &mut self,
        given: usize,
        dims: usize,
        what: &str,
        place: Place,
    ) {
        let message = if dims == 0 {
            format!("{what} is not an array and cannot have subscripts")
        } else {
            format!(
                "{what} has {dims} dimension{}, but {given} subscripts are given",
                if dims == 1 { "" } else { "s" }
            )
        };
        self.error(Code::MS2027, place, message, "too many subscripts");
    }

    /// Typed subscripts, one per dimension, and the dimensions they leave over. `base` is what `end` counts.
    pub(crate) fn type_subscripts(
        &mut self,
        subscripts: &[ast::Subscript],
        dims: &[Dim],
        base: &Exp,
        env: &mut Env,
    ) -> Option<(Vec<Subscript>, Vec<Dim>, Variability)> {
        let mut typed = Vec::with_capacity(dims.len());
        let mut left = Vec::new();
        let mut var = Variability::Constant;
        for (index, dim) in dims.iter().enumerate() {
            match subscripts.get(index) {
                None | Some(ast::Subscript::All(_)) => {
                    typed.push(Subscript::All);
                    left.push(dim.clone());
                }
                Some(ast::Subscript::Expr(exp)) => {
                    let end = match dim {
                        Dim::Known(size) => Exp::Int(*size),
                        Dim::Enumeration(ty) => Exp::Enum(ty.clone(), ty.literals.len() as u32),
                        Dim::Boolean => Exp::Bool(true),
                        Dim::Flexible(_) => Exp::Size(
                            Box::new(base.clone()),
                            Some(Box::new(Exp::Int(index as i64 + 1))),
                        ),
                    };
                    env.ends.push(end);
                    let value = super::operator::first_output(self.type_exp(exp, env));
                    env.ends.pop();
                    if value.is_error() {
                        return None;
                    }
                    var = var.max(value.var);
                    let place = env.place(exp.span);
                    let value = self.known_subscript(value, env);
                    let (subscript, rest) =
                        self.subscript(value, dim, (base, index), place, env)?;
                    typed.push(subscript);
                    left.extend(rest);
                }
            }
        }
        Some((typed, left, var))
    }

    /// A subscript that a parameter decides is settled now, as it decides which variable is meant.
    fn known_subscript(&mut self, value: Typed, env: &Env) -> Typed {
        let parameter = value.var == Variability::Parameter || value.var == Variability::Structural;
        if !parameter || env.function || crate::exp::has_iterator(&value.exp) {
            return value;
        }
        match self.eval_quiet(&value.exp) {
            Some(known) => {
                self.mark_structural(&value.exp);
                Typed::new(known.to_exp(), value.ty, value.var)
            }
            None => value,
        }
    }

    /// How to make an array of a component as large as `needed`, where a parameter of the component gives its size.
    fn where_size_is_from(&mut self, cref: &Cref, index: usize, needed: i64) -> Option<String> {
        let [.., owner, part] = &cref.parts[..] else {
            return None;
        };
        let declared = self.elem(self.info(part.component).elem).component()?.decl;
        let all = declared.dims.iter().chain(declared.clause_dims);
        let name = match all.clone().nth(index)? {
            ast::Subscript::Expr(size) => crate::print::expr(size),
            _ => return None,
        };
        let node = self.info(owner.component).node?;
        self.lookup_member(node, Name::new(&name))?;
        let owner = self.out.components[owner.component].name;
        Some(format!(
            "the parameter `{name}` of `{owner}` gives the size: `{owner}({name} = {needed})`"
        ))
    }

    fn subscript(
        &mut self,
        value: Typed,
        dim: &Dim,
        (base, index): (&Exp, usize),
        place: Place,
        env: &Env,
    ) -> Option<(Subscript, Option<Dim>)> {
        let wanted = match dim {
            Dim::Boolean => Type::Boolean,
            Dim::Enumeration(ty) => Type::Enumeration(ty.clone()),
            Dim::Known(_) | Dim::Flexible(_) => Type::Integer,
        };
        let element = value.ty.element();
        let ok = fit::compatible(element, &wanted)
            || matches!(dim, Dim::Flexible(_))
                && matches!(element, Type::Boolean | Type::Enumeration(_));
        if !ok || value.ty.rank() > 1 {
            let diagnostic = Diagnostic::new(
                Code::MS2026,
                format!("a subscript must be {wanted}, but this is {}", value.ty),
            )
            .label(place, format!("this is {}", value.ty));
            let around = env.iterators.last().map(|it| it.name);
            let is_variable = matches!(&value.exp, Exp::Ref(_));
            self.report(match (&wanted, element) {
                (Type::Integer, Type::Real) if is_variable && let Some(name) = around => diagnostic
                    .note(format!("the variable of the loop around it is `{name}`")),
                (Type::Integer, Type::Real) => diagnostic.note(
                    "`integer(x)` is the Integer below a Real; for values between the elements of a table, interpolate: \
                     `Modelica.Math.Vectors.interpolate` or the blocks in `Modelica.Blocks.Tables`",
                ),
                _ => diagnostic,
            });
            return None;
        }
        if let Some(size) = dim.known()
            && let Some(given) = outside(&value.exp, size)
            && !env.dynamic
        {
            let array = match base {
                Exp::Ref(cref) => cref.component().map(|id| self.out.components[id].name),
                _ => None,
            };
            let message = match (size, array) {
                (0, Some(name)) => format!("`{name}` has no elements: its size is 0"),
                (_, Some(name)) => format!(
                    "subscript {given} is out of bounds: dimension {} of `{name}` has size {size}",
                    index + 1
                ),
                _ => format!(
                    "subscript {given} is out of bounds: dimension {} has size {size}",
                    index + 1
                ),
            };
            let label = match size {
                0 => format!("there is no element {given}"),
                _ => format!("must be between 1 and {size}"),
            };
            let mut diagnostic = Diagnostic::new(Code::MS2026, message).label(place, label);
            if let Exp::Ref(cref) = base
                && let Some(note) = self.where_size_is_from(cref, index, given)
            {
                diagnostic = diagnostic.note(note);
            }
            if given == 0 && size > 0 {
                diagnostic = diagnostic.note("the first element has the subscript 1");
            }
            self.report_once(self.label_declaration(diagnostic, base));
            return None;
        }
        if value.ty.is_array() {
            let rest = value.ty.dims()[0].clone();
            return Some((Subscript::Slice(value.exp), Some(rest)));
        }
        Some((Subscript::Index(value.exp), None))
    }

    /// `value.field`
    pub(crate) fn type_field(&mut self, base: Typed, field: &Ident, env: &Env) -> Typed {
        let base = super::operator::first_output(base);
        let Type::Record(record) = base.ty.element() else {
            if !base.is_error() {
                let message = format!("a value of type {} has no fields", base.ty);
                self.error(Code::MS2004, env.place(field.span), message, "not a record");
            }
            return Typed::error();
        };
        let Some((_, ty)) = record.fields.iter().find(|(name, _)| *name == field.name) else {
            let message = format!("record `{}` has no field `{}`", record.path, field.name);
            self.error(Code::MS2004, env.place(field.span), message, "not found");
            return Typed::error();
        };
        let ty = Type::array(ty.clone(), base.ty.dims().to_vec());
        Typed::new(Exp::Field(Box::new(base.exp), field.name), ty, base.var)
    }
}

/// Adds dimensions of size one behind those there are.
pub(crate) fn promote(typed: Typed, rank: usize) -> Typed {
    let have = typed.ty.rank();
    if have >= rank {
        return typed;
    }
    let mut dims = typed.ty.dims().to_vec();
    dims.resize(rank, Dim::Known(1));
    let ty = Type::array(typed.ty.element().clone(), dims);
    let exp = promote_exp(typed.exp, &typed.ty, rank, &ty);
    Typed::new(exp, ty, typed.var)
}

fn promote_exp(exp: Exp, from: &Type, rank: usize, to: &Type) -> Exp {
    if !from.is_array() {
        let mut result = exp;
        for depth in (0..rank).rev() {
            result = Exp::Array(vec![result], to.strip(depth));
        }
        return result;
    }
    match exp {
        Exp::Array(items, _) => {
            let inner = from.strip(1);
            let items = items
                .into_iter()
                .map(|item| promote_exp(item, &inner, rank - 1, &to.strip(1)))
                .collect();
            Exp::Array(items, to.clone())
        }
        exp => {
            let args = vec![exp, Exp::Int(rank as i64)];
            Exp::Call(Box::new(Call {
                function: Callee::Builtin(Name::new("promote")),
                args,
                ty: to.clone(),
            }))
        }
    }
}

/// Array constructors joined along a dimension; `None` when something else is among them.
fn join_literals(items: &[Exp], dim: usize, ty: &Type) -> Option<Exp> {
    if dim == 0 {
        let mut all = Vec::new();
        for item in items {
            let Exp::Array(inner, _) = item else {
                return None;
            };
            all.extend(inner.iter().cloned());
        }
        return Some(Exp::Array(all, ty.clone()));
    }
    let count = match items.first()? {
        Exp::Array(rows, _) => rows.len(),
        _ => return None,
    };
    let inner = ty.strip(1);
    let mut rows = Vec::with_capacity(count);
    for row in 0..count {
        let parts: Option<Vec<Exp>> = items
            .iter()
            .map(|item| match item {
                Exp::Array(rows, _) => rows.get(row).cloned(),
                _ => None,
            })
            .collect();
        rows.push(join_literals(&parts?, dim - 1, &inner)?);
    }
    Some(Exp::Array(rows, ty.clone()))
}

/// A subscript, or the first of several, that is not between 1 and `size`. Linear in the number of subscripts.
fn outside(exp: &Exp, size: i64) -> Option<i64> {
    match exp {
        Exp::Int(given) => (*given < 1 || *given > size).then_some(*given),
        Exp::Array(items, _) => items.iter().find_map(|item| outside(item, size)),
        Exp::Range(range) => {
            let (Exp::Int(start), Exp::Int(stop)) = (&range.start, &range.stop) else {
                return None;
            };
            let step = match &range.step {
                None => 1,
                Some(Exp::Int(step)) if *step != 0 => *step,
                Some(_) => return None,
            };
            let distance = stop.checked_sub(*start)?;
            if distance != 0 && (distance < 0) != (step < 0) {
                // An empty range chooses nothing.
                return None;
            }
            let last = start.checked_add(distance - distance % step)?;
            [*start, last].into_iter().find(|it| *it < 1 || *it > size)
        }
        _ => None,
    }
}
