//! Arrays of components whose elements differ in structure: `Pipe pipes[2](n = {1, 3})`.
//!
//! Usually an array of components is one entry of the instance tree, whatever its size. That cannot be where a parameter
//! that differs between the elements decides the size or the existence of something in them. Such an array is *split*: its
//! elements `pipes[1]`, `pipes[2]` become components of their own. Which arrays need that is only known when an evaluation
//! fails; then the model is instantiated again, with one more array split ([`crate::instantiate`]).
//!
//! References to split arrays are rewritten before they are typed: `pipes[2].x` names the component `pipes[2]`, `pipes.x`
//! is the array of what its elements have, and loops around such references are unrolled.

use crate::cx::Cx;
use crate::exp::{Cref, CrefPart, Exp, Subscript};
use crate::modifier::ModValue;
use crate::node::{ElemId, ElemKind, NodeId, Progress};
use crate::tree::{ComponentId, Place};
use crate::ty::{Dim, Type, Variability};
use crate::typing::{Env, Typed, fit};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_syntax::ast::{self, ClassKind, ComponentRef, Expr, ExprKind, Node, RefPart, Visit};
use std::sync::Arc;

/// Arrays with more elements than this are not split.
const MAX_ELEMENTS: i64 = 2_000;

/// The elements of a split array, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    sizes: Vec<i64>,
    elements: Vec<ElemId>,
}

/// What a subscript chooses.
enum Chosen {
    One(i64),
    Many(Vec<i64>),
    /// Known when the model runs only.
    Open(Exp),
}

impl<'a> Cx<'_, 'a> {
    /// Notes that the elements of an array differ in structure. Tells whether another attempt will split it.
    pub(crate) fn needs_split(&mut self, array: ComponentId) -> bool {
        let elem = self.info(array).elem;
        let component = &self.out.components[array];
        let home = self.derived_most(self.elem(elem).node);
        let value_kind = crate::component::is_value_kind(self.node(home).def.kind());
        let sizes: Option<Vec<i64>> = component.dims.iter().map(Dim::known).collect();
        let small = sizes.is_some_and(|sizes| {
            let count = sizes.iter().try_fold(1i64, |n, size| n.checked_mul(*size));
            count.is_some_and(|count| count <= MAX_ELEMENTS)
        });
        if self.info(array).node.is_none()
            || self.info(array).dims.is_empty()
            || self.info(array).in_function
            || component.inner
            || component.outer.is_some()
            || component.kind == ClassKind::ExpandableConnector
            || value_kind
            || !small
        {
            return false;
        }
        let path = self.component_path(elem);
        if !self.ragged.contains(&path) {
            self.ragged.push(path);
        }
        true
    }

    /// The elements of an array that is split.
    pub(crate) fn split_of(&mut self, elem: ElemId) -> Option<Arc<Split>> {
        if self.splits.is_empty() {
            return None;
        }
        if let Some(found) = self.split_elems.get(&elem) {
            return found.clone();
        }
        self.elem(elem).component()?;
        if !self.splits.contains(&self.component_path(elem)) {
            return None;
        }
        self.split_elems.insert(elem, None);
        let id = self.component(elem)?;
        // What the fields of a record are is a matter of each element.
        self.info_mut(id).typed = Progress::Busy;
        self.type_dims(id);
        self.info_mut(id).typed = Progress::Done(());
        let dims = &self.out.components[id].dims;
        let sizes: Vec<i64> = dims.iter().map(Dim::known).collect::<Option<_>>()?;
        let count: i64 = sizes.iter().product();
        let mut elements = Vec::new();
        for number in 0..count.min(MAX_ELEMENTS) {
            let index = position(number, &sizes);
            elements.push(self.split_element(elem, &index)?);
        }
        let split = Arc::new(Split { sizes, elements });
        self.split_elems.insert(elem, Some(split.clone()));
        Some(split)
    }

    fn split_element(&mut self, array: ElemId, index: &[i64]) -> Option<ElemId> {
        let mut elem = self.elem(array).clone();
        let text: Vec<String> = index.iter().map(i64::to_string).collect();
        elem.name = Name::new(&format!("{}[{}]", elem.name, text.join(",")));
        elem.class_node = None;
        let ElemKind::Component(comp) = &mut elem.kind else {
            return None;
        };
        comp.element = Some(index.into());
        comp.instance = Progress::Todo;
        let (name, node) = (elem.name, elem.node);
        let made = self.add_elem(elem);
        let top = self.derived_most(node);
        self.enter_everywhere(top, name, made);
        Some(made)
    }

    fn enter_everywhere(&mut self, node: NodeId, name: Name, elem: ElemId) {
        self.node_mut(node).members.insert(name, Some(elem));
        for base in self.node(node).bases.clone() {
            self.enter_everywhere(base, name, elem);
        }
    }

    /// The components that an element stands for: itself, or the elements of a split array.
    pub(crate) fn elements_of(&mut self, elem: ElemId) -> Vec<ElemId> {
        match self.split_of(elem) {
            Some(split) => split.elements.clone(),
            None => vec![elem],
        }
    }

    /// A value given to something in a split array, narrowed to the part that is meant for its element.
    pub(crate) fn of_element(
        &mut self,
        id: ComponentId,
        attribute: bool,
        value: &ModValue<'a>,
        typed: Typed,
    ) -> Typed {
        if self.splits.is_empty() || value.at == crate::cx::ALIAS {
            return typed;
        }
        let stop = self
            .node(value.at)
            .owner
            .and_then(|owner| self.component(owner));
        // Innermost first.
        let mut levels: Vec<Vec<Option<i64>>> = Vec::new();
        let own = |cx: &Self, id: ComponentId| -> Option<Vec<Option<i64>>> {
            let index = cx.info(id).element.as_ref()?;
            Some(index.iter().copied().map(Some).collect())
        };
        if !attribute {
            levels.extend(own(self, id));
        }
        let mut at = if attribute {
            Some(id)
        } else {
            self.out.components[id].parent
        };
        let mut count = 0;
        while let Some(component) = at {
            if Some(component) == stop || value.each.is_some_and(|each| count >= each) {
                break;
            }
            count += 1;
            match own(self, component) {
                Some(index) => levels.push(index),
                None => levels.push(vec![None; self.info(component).dims.len()]),
            }
            at = self.out.components[component].parent;
        }
        let index: Vec<Option<i64>> = levels.into_iter().rev().flatten().collect();
        if index.iter().all(Option::is_none) || typed.ty.rank() < index.len() {
            return typed;
        }
        let mut left = Vec::new();
        for (position, dim) in typed.ty.dims().iter().enumerate() {
            if !matches!(index.get(position), Some(Some(_))) {
                left.push(dim.clone());
            }
        }
        let ty = Type::array(typed.ty.element().clone(), left);
        let exp = narrowed(typed.exp, &index);
        // A record says best itself how large its fields are.
        let ty = match (&exp, ty.element()) {
            (Exp::Ref(cref), Type::Record(_)) if !ty.is_array() => cref.ty.clone(),
            (Exp::Record(own, _), Type::Record(_)) if !ty.is_array() => own.clone(),
            _ => ty,
        };
        Typed::new(exp, ty, typed.var)
    }

    /// Where a reference first goes through a split array.
    fn find_split(&mut self, reference: &ComponentRef, env: &Env) -> Option<(usize, Arc<Split>)> {
        let first = reference.parts.first()?;
        if !reference.global && env.iterators.iter().any(|iter| iter.name == first.name) {
            return None;
        }
        let mut elem = if reference.global {
            self.lookup_member(crate::cx::ROOT, first.name)?
        } else {
            self.lookup_name(env.scope, first.name)?
        };
        for index in 0..reference.parts.len() {
            if let Some(split) = self.split_of(elem) {
                return Some((index, split));
            }
            let next = reference.parts.get(index + 1)?;
            if self.elem(elem).component().is_some() {
                let id = self.component(elem)?;
                if let Some(inner) = self.out.components[id].outer {
                    elem = self.info(inner).elem;
                }
            }
            let node = self.inside(elem)?;
            elem = self.lookup_member(node, next.name)?;
        }
        None
    }

    /// A reference through a split array, typed; `None` for all others.
    pub(crate) fn type_split_ref(
        &mut self,
        reference: &ComponentRef,
        env: &mut Env,
    ) -> Option<Typed> {
        if self.splits.is_empty() {
            return None;
        }
        let (at, split) = self.find_split(reference, env)?;
        let Some(chosen) = self.chosen(&reference.parts[at], &split.sizes, env) else {
            return Some(Typed::error());
        };
        let value = self.array_of_elements(reference, at, &split, &chosen, &mut Vec::new(), env);
        let open: Vec<Subscript> = (chosen.iter())
            .filter_map(|it| match it {
                Chosen::One(_) => None,
                Chosen::Many(_) => Some(Subscript::All),
                Chosen::Open(exp) => Some(Subscript::Index(exp.clone())),
            })
            .collect();
        if value.is_error() || !open.iter().any(|it| matches!(it, Subscript::Index(_))) {
            return Some(value);
        }
        let dims = (value.ty.dims().iter().enumerate())
            .filter(|(position, _)| !matches!(open.get(*position), Some(Subscript::Index(_))))
            .map(|(_, dim)| dim.clone())
            .collect();
        let ty = Type::array(value.ty.element().clone(), dims);
        let var = value.var.max(Variability::Discrete);
        let exp = Exp::Subscripted(Box::new(value.exp), open);
        Some(Typed::new(exp, ty, var))
    }

    /// What the subscripts of a part choose in each dimension. What is wrong with them is reported.
    fn chosen(&mut self, part: &RefPart, sizes: &[i64], env: &mut Env) -> Option<Vec<Chosen>> {
        if part.subscripts.len() > sizes.len() {
            let what = format!("`{}`", part.name);
            let place = env.place(part.span);
            self.too_many_subscripts(part.subscripts.len(), sizes.len(), &what, place);
            return None;
        }
        let mut chosen = Vec::with_capacity(sizes.len());
        for (dim, &size) in sizes.iter().enumerate() {
            let exp = match part.subscripts.get(dim) {
                None | Some(ast::Subscript::All(_)) => {
                    chosen.push(Chosen::Many((1..=size).collect()));
                    continue;
                }
                Some(ast::Subscript::Expr(exp)) => exp,
            };
            env.ends.push(Exp::Int(size));
            let typed = self.type_exp(exp, env);
            env.ends.pop();
            if typed.is_error() {
                return None;
            }
            let place = env.place(exp.span);
            let value = if typed.var <= Variability::Parameter {
                self.eval_quiet(&typed.exp)
            } else {
                None
            };
            let one = match value {
                Some(value) => {
                    self.mark_structural(&typed.exp);
                    match value.items() {
                        Some(items) => {
                            let all: Option<Vec<i64>> =
                                items.iter().map(crate::ceval::Value::as_index).collect();
                            Chosen::Many(all?)
                        }
                        None => Chosen::One(value.as_index()?),
                    }
                }
                None if typed.ty.rank() == 0 => Chosen::Open(typed.exp),
                None => {
                    self.unsupported("a slice of unequal components that is not known", place);
                    return None;
                }
            };
            let wrong = match &one {
                Chosen::One(k) => Some(*k).filter(|k| !(1..=size).contains(k)),
                Chosen::Many(all) => all.iter().copied().find(|k| !(1..=size).contains(k)),
                Chosen::Open(_) => None,
            };
            if let Some(wrong) = wrong {
                self.out_of_bounds(wrong, dim, size, place);
                return None;
            }
            chosen.push(one);
        }
        Some(chosen)
    }

    fn out_of_bounds(&mut self, subscript: i64, dim: usize, size: i64, place: Place) {
        let message = format!(
            "subscript {subscript} is out of bounds: dimension {} has size {size}",
            dim + 1
        );
        self.error(Code::MS2026, place, message, format!("this is {subscript}"));
    }

    /// The chosen elements as an array of as many dimensions as are not fixed.
    fn array_of_elements(
        &mut self,
        reference: &ComponentRef,
        at: usize,
        split: &Split,
        chosen: &[Chosen],
        index: &mut Vec<i64>,
        env: &mut Env,
    ) -> Typed {
        let Some(choice) = chosen.get(index.len()) else {
            let element = self.element_reference(reference, at, split, index);
            return self.type_ref(&element, env);
        };
        let positions: Vec<i64> = match choice {
            Chosen::One(k) => {
                index.push(*k);
                let value = self.array_of_elements(reference, at, split, chosen, index, env);
                index.pop();
                return value;
            }
            Chosen::Many(all) => all.clone(),
            Chosen::Open(_) => (1..=split.sizes[index.len()]).collect(),
        };
        let mut items = Vec::with_capacity(positions.len());
        let mut ty: Option<Type> = None;
        let mut var = Variability::Constant;
        for k in positions {
            index.push(k);
            let item = self.array_of_elements(reference, at, split, chosen, index, env);
            index.pop();
            if item.is_error() {
                return Typed::error();
            }
            let joined = match &ty {
                None => Some(item.ty.clone()),
                Some(ty) => fit::join(ty, &item.ty),
            };
            let Some(joined) = joined else {
                let place = env.place(reference.span);
                self.unsupported("an array of values of different sizes", place);
                return Typed::error();
            };
            ty = Some(joined);
            var = var.max(item.var);
            items.push(item.exp);
        }
        let inner = ty.unwrap_or(Type::Unknown);
        let ty = Type::array(inner, vec![Dim::Known(items.len() as i64)]);
        Typed::new(Exp::Array(items, ty.clone()), ty, var)
    }

    fn element_reference(
        &self,
        reference: &ComponentRef,
        at: usize,
        split: &Split,
        index: &[i64],
    ) -> ComponentRef {
        let mut number = 0;
        for (k, size) in index.iter().zip(&split.sizes) {
            number = number * size + (k - 1);
        }
        let mut element = reference.clone();
        if let Some(&elem) = split.elements.get(number as usize) {
            element.parts[at].name = self.elem(elem).name;
            element.parts[at].subscripts.clear();
        }
        element
    }

    /// The connectors that one side of a `connect` through split arrays names, row by row; `None` if it names none.
    pub(crate) fn split_connectors(
        &mut self,
        reference: &ComponentRef,
        env: &mut Env,
    ) -> Option<Vec<ComponentRef>> {
        if self.splits.is_empty() {
            return None;
        }
        let (at, split) = self.find_split(reference, env)?;
        let Some(chosen) = self.chosen(&reference.parts[at], &split.sizes, env) else {
            return Some(Vec::new());
        };
        let mut indices: Vec<Vec<i64>> = vec![Vec::new()];
        for choice in &chosen {
            let positions = match choice {
                Chosen::One(k) => vec![*k],
                Chosen::Many(all) => all.clone(),
                Chosen::Open(_) => {
                    let place = env.place(reference.span);
                    self.unsupported("a connection that is chosen when the model runs", place);
                    return Some(Vec::new());
                }
            };
            indices = (indices.iter())
                .flat_map(|index| {
                    positions.iter().map(|k| {
                        let mut longer = index.clone();
                        longer.push(*k);
                        longer
                    })
                })
                .collect();
        }
        let mut all = Vec::new();
        for index in indices {
            let element = self.element_reference(reference, at, &split, &index);
            match self.split_connectors(&element, env) {
                Some(inner) => all.extend(inner),
                None => all.push(element),
            }
        }
        Some(all)
    }

    /// The elements that a reference to an ordinary array of connectors names, row by row.
    pub(crate) fn spread_connectors(
        &mut self,
        reference: &ComponentRef,
        path: &[(ComponentId, &RefPart)],
        env: &mut Env,
    ) -> Vec<ComponentRef> {
        let mut all = vec![reference.clone()];
        for (position, (id, part)) in path.iter().enumerate() {
            self.type_component(*id);
            let dims = self.out.components[*id].dims.iter();
            let sizes: Option<Vec<i64>> = dims.map(Dim::known).collect();
            let Some(chosen) = sizes.and_then(|sizes| self.chosen(part, &sizes, env)) else {
                continue;
            };
            for (dim, choice) in chosen.iter().enumerate() {
                let Chosen::Many(indices) = choice else {
                    continue;
                };
                all = (all.iter())
                    .flat_map(|reference| {
                        let one = |k: &i64| subscripted(reference, position, dim, *k);
                        indices.iter().map(one)
                    })
                    .collect();
            }
        }
        all
    }

    /// Whether a loop with this body is unrolled before it is typed, because a split array is mentioned in it.
    pub(crate) fn mentions_split<T: Visit>(&self, body: &[T]) -> bool {
        if self.splits.is_empty() {
            return false;
        }
        let mut found = false;
        for part in body {
            part.visit(&mut |node| {
                if let Node::RefPart(part) = node {
                    found |= self.split_names.contains(&part.name);
                }
                !found
            });
        }
        found
    }

    /// The values of a loop that is unrolled before it is typed.
    pub(crate) fn unrolled_values(&mut self, range: &Typed) -> Option<Vec<Exp>> {
        if range.var > Variability::Parameter {
            return None;
        }
        let value = self.eval_quiet(&range.exp)?;
        self.mark_structural(&range.exp);
        let items = value.items()?;
        Some(items.iter().map(crate::ceval::Value::to_exp).collect())
    }
}

/// The position of a row-major number, counted from one.
fn position(mut number: i64, sizes: &[i64]) -> Vec<i64> {
    let mut index = vec![1; sizes.len()];
    for (slot, size) in index.iter_mut().zip(sizes).rev() {
        *slot = number % size + 1;
        number /= size;
    }
    index
}

/// The declared name at the end of the path of a split array: `M.b[2].a` is an `a`.
pub(crate) fn name_of_path(path: &str) -> Name {
    let last = path.rsplit('.').next().unwrap_or(path);
    Name::new(last)
}

/// `exp[index]`, where `None` leaves a dimension as it is.
fn narrowed(exp: Exp, index: &[Option<i64>]) -> Exp {
    match (exp, index) {
        (exp, []) => exp,
        (Exp::Array(items, ty), [Some(k), rest @ ..]) => {
            let item = usize::try_from(k - 1)
                .ok()
                .and_then(|at| items.get(at).cloned());
            match item {
                Some(item) => narrowed(item, rest),
                None => Exp::Subscripted(Box::new(Exp::Array(items, ty)), literal(index)),
            }
        }
        (Exp::Cast(ty, inner), index) => {
            let taken = index.iter().filter(|it| it.is_some()).count();
            Exp::Cast(ty.strip(taken), Box::new(narrowed(*inner, index)))
        }
        (Exp::Ref(cref), index) if plain(&cref) && index.iter().all(Option::is_some) => {
            let taken = index.len();
            let rank = cref.ty.rank();
            let ty = cref.ty.strip(taken);
            let mut parts: Vec<CrefPart> = cref.parts;
            if let Some(last) = parts.last_mut() {
                last.subscripts = literal(index);
                last.subscripts.resize(rank, Subscript::All);
            }
            Exp::Ref(Cref { parts, ty })
        }
        (exp, index) => Exp::Subscripted(Box::new(exp), literal(index)),
    }
}

/// Whether all dimensions of a reference are those of its last part, without subscripts.
fn plain(cref: &Cref) -> bool {
    cref.parts.len() == 1 && cref.parts[0].subscripts.is_empty()
}

fn literal(index: &[Option<i64>]) -> Vec<Subscript> {
    index
        .iter()
        .map(|it| match it {
            Some(k) => Subscript::Index(Exp::Int(*k)),
            None => Subscript::All,
        })
        .collect()
}

/// `reference` with the element `k` in one dimension of one part.
fn subscripted(reference: &ComponentRef, position: usize, dim: usize, k: i64) -> ComponentRef {
    let mut one = reference.clone();
    let part = &mut one.parts[position];
    let subscript = ast::Subscript::Expr(Expr {
        kind: ExprKind::Int(k),
        span: part.span,
    });
    match part.subscripts.get_mut(dim) {
        Some(slot) => *slot = subscript,
        None => part.subscripts.push(subscript),
    }
    one
}
