//! References: from components to scalar variables, groups of them, and elements chosen at run time.

use super::shape::element_of;
use super::{Cx, Scope};
use crate::flatten::is_record;
use crate::layout::extent;
use crate::model::Place;
use crate::model::{FlatExp, FlatRef, Group, LocalRef, Mark, VarId};
use crate::variables::{outer_index, selected};
use modeshift_base::{Idx, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Cref, CrefPart, Exp, Subscript};
use modeshift_inst::tree::{Component, ComponentId};
use modeshift_inst::ty::{Dim, Type, Variability};
use std::fmt::Write;
use std::sync::Arc;

/// Zero-based choices in each dimension of a part.
enum Choice {
    One(usize),
    Many(Vec<usize>),
    /// Chosen at run time.
    Open,
}

impl Cx<'_> {
    /// A reference as a value: a scalar variable, a structural parameter's value, a group, or an element
    /// chosen at run time.
    pub fn reference(&mut self, cref: &Cref) -> FlatExp {
        if self.scope == Scope::Function {
            return self.local(cref);
        }
        if let Some(value) = self.structural(cref) {
            return value;
        }
        match self.address(cref) {
            Some(id) => Exp::Ref(FlatRef::Var(id)),
            None => self.composite(cref),
        }
    }

    /// The number of a scalar variable all of whose subscripts are known. O(length).
    pub fn address(&mut self, cref: &Cref) -> Option<VarId> {
        let first = cref.parts.first()?;
        let mut base = self.prefix_base(first)?;
        for part in &cref.parts {
            let slot = self.layout.slot(part.component);
            base += slot.offset;
            let component = self.instance.components.get(part.component)?;
            if component.absent {
                self.left_out = Some(part.component);
                return None;
            }
            if component.dims.is_empty() {
                continue;
            }
            base += self.element_number(component, &part.subscripts)? * slot.size;
        }
        let last = self.instance.components.get(cref.component()?)?;
        last.class.is_none().then(|| Idx::new(base as usize))
    }

    /// Number of the first scalar of the element the first part belongs to.
    fn prefix_base(&self, first: &CrefPart) -> Option<u32> {
        match self.instance.components.get(first.component)?.parent {
            None => Some(0),
            Some(parent) => match self.frame(Some(parent)) {
                Some(frame) => Some(frame.base),
                None => Some(self.outside(parent)?.0),
            },
        }
    }

    /// First scalar and name of an instance that is not around the current place, as the `world` whose function is
    /// called with its own parameters as defaults. An element of an array cannot be meant that way.
    fn outside(&self, component: ComponentId) -> Option<(u32, String)> {
        let found = self.instance.components.get(component)?;
        if !found.dims.is_empty() || found.absent {
            return None;
        }
        let (base, mut name) = match (found.parent, self.frame(found.parent)) {
            (None, _) => (0, String::new()),
            (_, Some(frame)) => (frame.base, frame.name.to_string()),
            (Some(parent), None) => self.outside(parent)?,
        };
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(found.name.as_str());
        Some((base + self.layout.slot(component).offset, name))
    }

    fn element_number(&mut self, component: &Component, subscripts: &[Subscript]) -> Option<u32> {
        if subscripts.len() != component.dims.len() {
            return None;
        }
        let mut number = 0;
        for (dim, subscript) in component.dims.iter().zip(subscripts) {
            let Subscript::Index(index) = subscript else {
                return None;
            };
            let index = self.deciding(|cx| cx.scalar(index));
            number = number * extent(dim)? + ordinal(&index, dim)?;
        }
        u32::try_from(number).ok()
    }

    /// The value of a parameter that was used structurally.
    fn structural(&mut self, cref: &Cref) -> Option<FlatExp> {
        let instance = self.instance;
        let component = instance.components.get(cref.component()?)?;
        let Some(value) = component.value.as_ref() else {
            return self.value_of_element(cref, component);
        };
        self.unit_value |= component.attributes.iter().any(|it| it.name == "unit");
        let is_parameter = component.variability == Variability::Structural;
        if self.classic && !self.deciding && is_parameter {
            return None;
        }
        if cref.parts.len() > 1 && self.crosses_arrays(cref) {
            return None;
        }
        let subscripts = &cref.parts.last()?.subscripts;
        if subscripts.is_empty() {
            return Some(self.value(value));
        }
        let mut indices = Vec::new();
        let mut given: Vec<Subscript<FlatRef>> = Vec::new();
        let mut outside = false;
        for (dim, subscript) in component.dims.iter().zip(subscripts) {
            let Subscript::Index(index) = subscript else {
                return None;
            };
            let index = self.deciding(|cx| cx.scalar(index));
            let position = ordinal(&index, dim);
            outside |= position.is_none() && matches!(index, Exp::Int(_));
            indices.extend(position);
            given.push(Subscript::Index(index));
        }
        if outside {
            // There is no such element, and no such variable: what is told of it names the value.
            return Some(Exp::Subscripted(Box::new(self.value(value)), given));
        }
        if indices.len() < given.len() {
            return None;
        }
        self.at(value, &indices)
    }

    /// A structural parameter to which each element of an array around it has a value of its own.
    fn value_of_element(&mut self, cref: &Cref, component: &Component) -> Option<FlatExp> {
        let binding = component.binding.as_ref()?;
        let is_own = cref.parts.len() == 1 && self.frame(component.parent).is_some();
        if !self.deciding
            || !is_own
            || component.variability != Variability::Structural
            || !component.dims.is_empty()
            || binding.indexed_by.is_empty()
        {
            return None;
        }
        let exp = selected(&binding.exp, &outer_index(self, binding));
        let value = self.scalar(&exp);
        matches!(value, Exp::Int(_) | Exp::Bool(_) | Exp::Enum(..)).then_some(value)
    }

    fn crosses_arrays(&self, cref: &Cref) -> bool {
        cref.parts[..cref.parts.len() - 1].iter().any(|part| {
            self.instance
                .components
                .get(part.component)
                .is_some_and(|component| !component.dims.is_empty())
        })
    }

    /// One element of an array-valued reference.
    pub fn reference_at(&mut self, cref: &Cref, indices: &[usize]) -> Option<FlatExp> {
        if self.scope == Scope::Function {
            return None;
        }
        let mut narrowed = cref.clone();
        let mut rest = indices.iter();
        for part in &mut narrowed.parts {
            let dims = &self.instance.components.get(part.component)?.dims;
            if part.subscripts.is_empty() {
                part.subscripts = vec![Subscript::All; dims.len()];
            }
            for (subscript, dim) in part.subscripts.iter_mut().zip(dims) {
                *subscript = match std::mem::replace(subscript, Subscript::All) {
                    Subscript::All => Subscript::Index(literal(*rest.next()?, dim)),
                    Subscript::Slice(indices) => {
                        let chosen = self.at(&indices, &[*rest.next()?])?;
                        Subscript::Index(literal(ordinal(&chosen, dim)?, dim))
                    }
                    index => index,
                };
            }
        }
        narrowed.ty = element_of(&cref.ty).clone();
        Some(self.reference(&narrowed))
    }

    /// Whether dimensions stay open before the last part: such references are always expanded.
    fn is_spread(&self, cref: &Cref) -> bool {
        let Some((_, before)) = cref.parts.split_last() else {
            return false;
        };
        before.iter().any(|part| {
            let dims = self
                .instance
                .components
                .get(part.component)
                .map_or(0, |c| c.dims.len());
            dims > 0
                && (part.subscripts.is_empty()
                    || part
                        .subscripts
                        .iter()
                        .any(|s| !matches!(s, Subscript::Index(_))))
        })
    }

    /// An array-valued reference that is not split: a group if only its last part is open, otherwise
    /// an array of the elements.
    pub fn whole_reference(&mut self, cref: &Cref) -> FlatExp {
        if self.in_statement
            && self.is_spread(cref)
            && let Some(loops) = self.loops_over(cref)
        {
            return loops;
        }
        if self.scope == Scope::Model && self.is_spread(cref) && !self.keep_arrays {
            let exp = Exp::Ref(cref.clone());
            if let Some(elements) = self.elements(&exp) {
                let shape = self.shape(&exp).unwrap_or_default();
                return nest(elements, &shape, element_of(&cref.ty));
            }
        }
        self.reference(cref)
    }

    /// A group of variables, or an element of one chosen at run time.
    fn composite(&mut self, cref: &Cref) -> FlatExp {
        let Some(plan) = self.plan(cref) else {
            return Exp::Error;
        };
        let Plan {
            name,
            stem,
            members,
            marks,
            open,
            rows,
        } = plan;
        let ty = cref.ty.clone();
        if members.is_empty() {
            self.tell_unknown_size(cref);
        }
        if members.is_empty() && !self.scalar && !self.keep_arrays && !self.classic {
            // The text names nothing that is not there.
            return Exp::Array(Vec::new(), ty);
        }
        // `r.x` and `r[i].x` are the same variables with subscripts in different places, and `r[1, i]` has fewer
        // members than `r[k, i]`.
        let mut key = name.clone() + &rows;
        for mark in &marks {
            // Writing to a String does not fail.
            let _ = write!(key, " {}", mark.at);
        }
        let id = self.group(&key, |_| Group {
            name: name.into(),
            ty,
            members,
            stem,
            marks,
        });
        if open.is_empty() {
            Exp::Ref(FlatRef::Group(id))
        } else {
            Exp::Ref(FlatRef::Element(id, open))
        }
    }

    /// An array of which nothing is known but that it has a size has no elements here: what refers to it would be wrong.
    fn tell_unknown_size(&mut self, cref: &Cref) {
        let instance = self.instance;
        let components = cref
            .parts
            .iter()
            .filter_map(|part| instance.components.get(part.component));
        let is_open = |it: &&Component| {
            !it.absent && !it.added && it.dims.iter().any(|dim| matches!(dim, Dim::Flexible(_)))
        };
        let Some(component) = components.into_iter().find(is_open) else {
            return;
        };
        let known = |it: &Diagnostic<Place>| {
            it.code == Code::MS2040
                && it
                    .labels
                    .first()
                    .is_some_and(|label| label.at == component.place)
        };
        if self.diagnostics.iter().any(known) {
            return;
        }
        let message = format!(
            "the size of `{}` is not known before the simulation",
            component.name
        );
        let diagnostic = Diagnostic::new(Code::MS2040, message)
            .label(
                component.place,
                "its size follows from a value that cannot be computed yet",
            )
            .note("Give the size in the declaration, or a value whose size is known.");
        self.diagnostics.push(diagnostic);
    }

    fn plan(&mut self, cref: &Cref) -> Option<Plan> {
        let first = cref.parts.first()?;
        let parent = self.instance.components.get(first.component)?.parent;
        let frame = self.frame(parent);
        let name = match (frame, parent) {
            (Some(frame), _) => frame.name.to_string(),
            (None, Some(parent)) => self.outside(parent)?.1,
            (None, None) => String::new(),
        };
        let mut plan = Plan {
            name,
            stem: frame.and_then(|frame| frame.stem).unwrap_or(0),
            ..Plan::default()
        };
        let mut bases = vec![self.prefix_base(first)?];
        let mut size = 1;
        for (i, part) in cref.parts.iter().enumerate() {
            if !plan.name.is_empty() {
                plan.name.push('.');
            }
            let component = self.instance.components.get(part.component)?;
            plan.name.push_str(component.name.as_str());
            if plan.stem == 0 && (i + 1 == cref.parts.len()) {
                plan.stem = plan.name.len() as u32;
            }
            let slot = self.layout.slot(part.component);
            let offsets = self.choose(component, part, &mut plan)?;
            bases = bases
                .iter()
                .flat_map(|base| {
                    offsets
                        .iter()
                        .map(move |k| base + slot.offset + k * slot.size)
                })
                .collect();
            size = slot.size;
        }
        plan.members = bases
            .into_iter()
            .flat_map(|base| (base..base + size).map(|raw| Idx::new(raw as usize)))
            .collect();
        Some(plan)
    }

    /// First scalars of all elements a reference stands for; `None` if they are not known here.
    pub fn bases(&mut self, cref: &Cref) -> Option<Vec<u32>> {
        let mut bases = vec![self.prefix_base(cref.parts.first()?)?];
        for part in &cref.parts {
            let component = self.instance.components.get(part.component)?;
            let slot = self.layout.slot(part.component);
            let mut ignored = Plan::default();
            let numbers = self.choose(component, part, &mut ignored)?;
            if !ignored.open.is_empty() {
                return None;
            }
            bases = bases
                .iter()
                .flat_map(|base| {
                    numbers
                        .iter()
                        .map(move |k| base + slot.offset + k * slot.size)
                })
                .collect();
        }
        Some(bases)
    }

    /// A subscript of a reference that is known and names no element: the array, the subscript, and the size there.
    pub fn subscript_outside(&mut self, cref: &Cref) -> Option<(String, i64, usize)> {
        let mut name = String::new();
        for part in &cref.parts {
            let component = self.instance.components.get(part.component)?;
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(component.name.as_str());
            for (dim, subscript) in component.dims.iter().zip(&part.subscripts) {
                let given: Vec<FlatExp> = match subscript {
                    Subscript::All => Vec::new(),
                    Subscript::Index(index) => vec![self.deciding(|cx| cx.scalar(index))],
                    Subscript::Slice(indices) => {
                        self.deciding(|cx| cx.elements(indices)).unwrap_or_default()
                    }
                };
                let size = extent(dim)?;
                let wrong = given.iter().find_map(|index| match index {
                    Exp::Int(k) if ordinal(index, dim).is_none() => Some(*k),
                    _ => None,
                });
                if let Some(wrong) = wrong {
                    return Some((name, wrong, size));
                }
            }
        }
        None
    }

    /// Element numbers a part stands for; writes its subscripts into the name or leaves them open.
    fn choose(
        &mut self,
        component: &Component,
        part: &CrefPart,
        plan: &mut Plan,
    ) -> Option<Vec<u32>> {
        let count = self.layout.slot(part.component).count;
        if part.subscripts.is_empty() {
            return Some((0..count).collect());
        }
        let mut choices = Vec::new();
        let mut lowered = Vec::new();
        for (dim, subscript) in component.dims.iter().zip(&part.subscripts) {
            let (choice, subscript) = self.choice(dim, subscript);
            choices.push(choice);
            lowered.push(subscript);
        }
        if choices.iter().any(|choice| matches!(choice, Choice::Open)) {
            plan.marks.push(Mark {
                at: plan.name.len() as u32,
                dimensions: lowered.len() as u32,
            });
            plan.open.extend(lowered);
            for choice in &choices {
                // Writing to a String does not fail.
                let _ = match choice {
                    Choice::Open => write!(plan.rows, " :"),
                    Choice::One(k) => write!(plan.rows, " {k}"),
                    Choice::Many(list) => write!(plan.rows, " {list:?}"),
                };
            }
        } else {
            self.write_subscripts(&mut plan.name, &component.dims, &choices, &lowered);
        }
        let mut numbers = vec![0u32];
        for (dim, choice) in component.dims.iter().zip(&choices) {
            let extent = extent(dim)? as u32;
            let picks: Vec<u32> = match choice {
                Choice::One(k) => vec![*k as u32],
                Choice::Many(list) => list.iter().map(|&k| k as u32).collect(),
                Choice::Open => (0..extent).collect(),
            };
            numbers = numbers
                .iter()
                .flat_map(|number| picks.iter().map(move |k| number * extent + k))
                .collect();
        }
        Some(numbers)
    }

    fn choice(&mut self, dim: &Dim, subscript: &Subscript) -> (Choice, Subscript<FlatRef>) {
        match subscript {
            Subscript::All => {
                let all = (0..extent(dim).unwrap_or(0)).collect();
                (Choice::Many(all), Subscript::All)
            }
            Subscript::Index(index) => {
                let index = self.deciding(|cx| cx.scalar(index));
                let choice = ordinal(&index, dim).map_or(Choice::Open, Choice::One);
                (choice, Subscript::Index(index))
            }
            Subscript::Slice(indices) => {
                let choice = match self.deciding(|cx| cx.elements(indices)) {
                    Some(elements) => elements
                        .iter()
                        .map(|element| ordinal(element, dim))
                        .collect::<Option<Vec<_>>>()
                        .map_or(Choice::Open, Choice::Many),
                    None => Choice::Open,
                };
                // `1:n` of n elements are all.
                if let (Exp::Range(_), Choice::Many(picks)) = (indices, &choice)
                    && extent(dim).is_some_and(|n| picks.iter().copied().eq(0..n))
                {
                    return (choice, Subscript::All);
                }
                (choice, Subscript::Slice(self.whole(indices)))
            }
        }
    }

    fn write_subscripts(
        &mut self,
        name: &mut String,
        dims: &[Dim],
        choices: &[Choice],
        lowered: &[Subscript<FlatRef>],
    ) {
        let root = self.root_name();
        name.push('[');
        for (i, (choice, subscript)) in choices.iter().zip(lowered).enumerate() {
            if i > 0 {
                name.push(',');
            }
            match (choice, subscript) {
                (Choice::One(k), _) => write_ordinal(name, *k, &dims[i], &root),
                (_, Subscript::All) => name.push(':'),
                (_, Subscript::Index(exp) | Subscript::Slice(exp)) => self.write_exp(name, exp),
            }
        }
        name.push(']');
    }

    /// A reference inside a function.
    fn local(&mut self, cref: &Cref) -> FlatExp {
        let mut parts = self.instance_around(cref);
        for part in &cref.parts {
            let Some(component) = self.instance.components.get(part.component) else {
                return Exp::Error;
            };
            let subscripts = part
                .subscripts
                .iter()
                .map(|subscript| match subscript {
                    Subscript::All => Subscript::All,
                    Subscript::Index(exp) => Subscript::Index(self.scalar(exp)),
                    Subscript::Slice(exp) => Subscript::Slice(self.whole(exp)),
                })
                .collect();
            parts.push((component.name, subscripts));
        }
        Exp::Ref(FlatRef::Local(Arc::new(LocalRef {
            parts,
            ty: cref.ty.clone(),
        })))
    }

    /// The names of the instance that a function's text takes a variable from, as the default of an input does.
    fn instance_around(&self, cref: &Cref) -> Vec<(Name, Vec<Subscript<FlatRef>>)> {
        let get = |id: ComponentId| self.instance.components.get(id);
        let mut names = Vec::new();
        let mut at = cref.parts.first().and_then(|it| get(it.component)?.parent);
        while let Some(around) = at.and_then(get) {
            if !around.dims.is_empty() || is_record(around.kind) {
                return Vec::new();
            }
            names.push((around.name, Vec::new()));
            at = around.parent;
        }
        names.reverse();
        names
    }

    /// The reference to a field of what `cref` names.
    pub fn field_reference(&self, cref: &Cref, name: Name) -> Option<Cref> {
        let owner = self.instance.components.get(cref.component()?)?;
        let class = &self.instance.classes[owner.class?];
        let component = *class
            .components
            .iter()
            .find(|&&id| self.instance.components[id].name == name)?;
        let field = &self.instance.components[component];
        let mut dims = super::shape::dims_of(&cref.ty).to_vec();
        dims.extend(field.dims.iter().cloned());
        let mut parts = cref.parts.clone();
        parts.push(CrefPart {
            component,
            subscripts: Vec::new(),
        });
        let ty = Type::array(field.ty.clone(), dims);
        Some(Cref { parts, ty })
    }

    /// `x.a.b` where it came about as fields of the value `x`: the reference that names it.
    pub(super) fn named_field(&self, operand: &Exp, name: Name) -> Option<Cref> {
        match operand {
            Exp::Ref(cref) => self.field_reference(cref, name),
            Exp::Field(inner, own) => {
                let cref = self.named_field(inner, *own)?;
                self.field_reference(&cref, name)
            }
            _ => None,
        }
    }

    /// Whether a reference names a whole record (or array of records).
    pub fn is_structured(&self, cref: &Cref) -> bool {
        cref.component()
            .and_then(|id| self.instance.components.get(id))
            .is_some_and(|component| component.class.is_some())
    }
}

#[derive(Default)]
struct Plan {
    name: String,
    stem: u32,
    members: Vec<VarId>,
    marks: Vec<Mark>,
    open: Vec<Subscript<FlatRef>>,
    /// What the subscripts of the open parts choose: the group has no other members.
    rows: String,
}

/// Zero-based position of a literal index in a dimension; `None` for what is no literal or out of
/// bounds.
pub fn ordinal(index: &FlatExp, dim: &Dim) -> Option<usize> {
    let position = match index {
        Exp::Int(value) => usize::try_from(value.checked_sub(1)?).ok()?,
        Exp::Bool(value) => usize::from(*value),
        Exp::Enum(_, value) => value.checked_sub(1)? as usize,
        _ => return None,
    };
    (position < extent(dim)?).then_some(position)
}

/// The index of a dimension at a zero-based position.
pub fn literal<R>(position: usize, dim: &Dim) -> Exp<R> {
    match dim {
        Dim::Boolean => Exp::Bool(position > 0),
        Dim::Enumeration(ty) => Exp::Enum(ty.clone(), position as u32 + 1),
        _ => Exp::Int(position as i64 + 1),
    }
}

/// Writes the index of a dimension at a zero-based position: `3`, `true`, `Phase.gas`.
pub fn write_ordinal(out: &mut String, position: usize, dim: &Dim, root: &str) {
    let written = match dim {
        Dim::Boolean => write!(out, "{}", position > 0),
        Dim::Enumeration(ty) => match ty.literals.get(position) {
            Some(name) => write!(out, "{}.{name}", enum_path(&ty.path, root)),
            None => write!(out, "{}", position + 1),
        },
        _ => write!(out, "{}", position + 1),
    };
    // Writing to a String does not fail.
    debug_assert!(written.is_ok());
}

/// The name of an enumeration as printed: types of the flattened class itself go without its name.
pub fn enum_path<'p>(path: &'p str, root: &str) -> &'p str {
    path.strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(path)
}

/// Elements in row-major order as nested array constructors.
pub fn nest(elements: Vec<FlatExp>, shape: &[usize], element: &Type) -> FlatExp {
    let array_type = |dims: &[usize]| {
        Type::Array(Arc::new(modeshift_inst::ty::ArrayType {
            element: element.clone(),
            dims: dims.iter().map(|&n| Dim::Known(n as i64)).collect(),
        }))
    };
    match shape {
        [] => elements.into_iter().next().unwrap_or(Exp::Error),
        [_] => Exp::Array(elements, array_type(shape)),
        [rows, rest @ ..] => {
            let width: usize = rest.iter().product();
            let mut elements = elements.into_iter();
            let rows = (0..*rows)
                .map(|_| nest(elements.by_ref().take(width).collect(), rest, element))
                .collect();
            Exp::Array(rows, array_type(shape))
        }
    }
}
