//! Variables of the flat model: names, attributes and bindings of each scalar.
//!
//! Bindings of parameters and constants are split per element; those of arrays of variables become one
//! equation. A record's value is passed down to its fields where it is a reference or a constructor, and
//! becomes an equation where it is not.

use crate::flatten::{Flattener, Inherited, is_connector, is_record, write_index};
use crate::layout::extent;
use crate::lower::{Cx, unravel};
use crate::model::{
    Attribute, Declaration, Equation, EquationKind, FlatExp, FlatRef, OriginKind, Variable,
};
use modeshift_base::{Idx, Name};
use modeshift_inst::exp::{Callee, Cref, CrefPart, Exp, Subscript};
use modeshift_inst::tree::{Binding, Component, ComponentId, Flow};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::sync::Arc;

/// The value of a record, on its way to the fields.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    exp: Exp,
    /// Elements chosen by the arrays that have been entered.
    index: Vec<usize>,
    /// Given as `final`, or a structural value.
    final_: bool,
}

/// How a record component's binding is used.
#[derive(Default)]
pub(crate) struct RecordBinding<'b> {
    /// Passed on to the fields.
    binding: Option<&'b Binding>,
    /// The value of the binding, if it could be evaluated; passed on in its place.
    value: Option<Exp>,
    /// An equation gives the value.
    pub unfixed: bool,
}

impl RecordBinding<'_> {
    /// The value of one element of the component.
    pub fn source_of(
        &self,
        cx: &mut Cx<'_>,
        component: &Component,
        index: u32,
        inherited: &Inherited<'_>,
    ) -> Option<Source> {
        let own = position(component, index);
        if let (Some(value), Some(binding)) = (&self.value, self.binding) {
            return Some(Source {
                exp: value.clone(),
                index: own,
                final_: binding.final_,
            });
        }
        if let Some(binding) = self.binding {
            let mut index = outer_index(cx, binding);
            index.extend(own);
            return Some(Source {
                exp: binding.exp.clone(),
                index,
                final_: binding.final_,
            });
        }
        let mut source = inherited.source?.field(cx, component.name)?;
        source.index.extend(own);
        Some(source)
    }
}

fn position(component: &Component, index: u32) -> Vec<usize> {
    let extents: Vec<usize> = component
        .dims
        .iter()
        .map(|dim| extent(dim).unwrap_or(0))
        .collect();
    unravel(index as usize, &extents)
}

/// Subscripts that the arrays around the component select from its modifier.
pub(crate) fn outer_index(cx: &Cx<'_>, binding: &Binding) -> Vec<usize> {
    let mut index = Vec::new();
    for &array in &binding.indexed_by {
        let number = cx.frame(Some(array)).map_or(0, |frame| frame.index);
        if let Some(component) = cx.instance.components.get(array) {
            index.extend(position(component, number));
        }
    }
    index
}

impl Source {
    /// The value of a field.
    fn field(&self, cx: &Cx<'_>, name: Name) -> Option<Source> {
        let (exp, index) = field_of(cx, &self.exp, &self.index, name)?;
        Some(Source {
            exp,
            index,
            final_: self.final_,
        })
    }
}

/// `exp[index].name`, as an expression and what is left of the index.
fn field_of(cx: &Cx<'_>, exp: &Exp, index: &[usize], name: Name) -> Option<(Exp, Vec<usize>)> {
    match exp {
        Exp::Record(Type::Record(ty), fields) => {
            let position = ty.fields.iter().position(|(field, _)| *field == name)?;
            Some((fields.get(position)?.clone(), Vec::new()))
        }
        Exp::Array(elements, _) => {
            let (first, rest) = index.split_first()?;
            field_of(cx, elements.get(*first)?, rest, name)
        }
        Exp::Ref(cref) => Some((Exp::Ref(cx.field_reference(cref, name)?), index.to_vec())),
        Exp::Cast(_, inner) => field_of(cx, inner, index, name),
        Exp::If(choice) => {
            let (then, _) = field_of(cx, &choice.then, &[], name)?;
            let (else_, _) = field_of(cx, &choice.else_, &[], name)?;
            let field = modeshift_inst::exp::IfExp {
                condition: choice.condition.clone(),
                ty: crate::lower::type_of(&then),
                then,
                else_,
            };
            Some((Exp::If(Box::new(field)), index.to_vec()))
        }
        Exp::Reduction(reduction) => {
            // What the iterators add comes first, then what one value of the body has, such as a field that is an array.
            let inner = crate::lower::type_of(&reduction.body).rank();
            let own = reduction.ty.rank().saturating_sub(inner);
            let (body, _) = field_of(cx, &reduction.body, &[], name)?;
            let iterated = reduction.ty.dims().iter().take(own).cloned().collect();
            let ty = Type::array(crate::lower::type_of(&body), iterated);
            let field = modeshift_inst::exp::Reduction {
                function: reduction.function.clone(),
                body,
                iterators: reduction.iterators.clone(),
                ty,
            };
            Some((Exp::Reduction(Box::new(field)), index.to_vec()))
        }
        _ => None,
    }
}

impl Flattener<'_> {
    /// Decides what becomes of a record's binding; emits the equation if it becomes one.
    pub(crate) fn record_binding<'c>(
        &mut self,
        id: ComponentId,
        component: &'c Component,
    ) -> RecordBinding<'c> {
        let Some(binding) = &component.binding else {
            return RecordBinding::default();
        };
        // A connector may be a record with a causality: it has a value like any other.
        if !is_record(component.kind) && !is_connector(component.kind) {
            return RecordBinding::default();
        }
        if is_splittable(&binding.exp) {
            return RecordBinding {
                binding: Some(binding),
                ..RecordBinding::default()
            };
        }
        let rhs = self.bound_value(binding);
        let told =
            crate::lower::literal_exp(&rhs).or_else(|| self.told_by_function(component, binding));
        if let Some(value) = told {
            return RecordBinding {
                binding: Some(binding),
                value: Some(value),
                unfixed: false,
            };
        }
        let whole = own_reference(id, component);
        let origin = self.origin(binding.place, OriginKind::Binding);
        let unfixed = component.variability <= Variability::Parameter;
        let pairs = self.record_pairs(&whole, rhs);
        let equations = pairs.into_iter().map(|(lhs, rhs, ty)| Equation {
            kind: EquationKind::Equality { lhs, rhs, ty },
            origin: origin.clone(),
        });
        if unfixed {
            self.model.initial_equations.extend(equations);
        } else {
            self.model.equations.extend(equations);
        }
        RecordBinding {
            unfixed,
            ..RecordBinding::default()
        }
    }

    /// Both sides of the equation that gives a record its value; of a vector of records one for each where
    /// everything is told element by element.
    fn record_pairs(&mut self, whole: &Exp, rhs: FlatExp) -> Vec<(FlatExp, FlatExp, Type)> {
        let ty = crate::lower::type_of(whole);
        if ty.rank() == 1
            && !self.cx.keep_arrays
            && !self.cx.classic
            && let Exp::Array(values, _) = &rhs
            && let Some(elements) = self.cx.elements(whole)
            && elements.len() == values.len()
        {
            let pairs = elements.into_iter().zip(values.iter().cloned());
            return pairs
                .map(|(lhs, rhs)| (lhs, rhs, ty.element().clone()))
                .collect();
        }
        vec![(self.cx.target(whole), rhs, ty)]
    }

    /// The whole value of a binding, after the selection by enclosing arrays.
    fn bound_value(&mut self, binding: &Binding) -> FlatExp {
        let index = outer_index(&self.cx, binding);
        if index.is_empty() {
            return self.cx.value(&binding.exp);
        }
        let exp = selected(&binding.exp, &index);
        self.cx.value(&exp)
    }

    /// A variable, or all scalars of an array of them.
    pub(crate) fn variable(
        &mut self,
        id: ComponentId,
        component: &Component,
        inherited: &Inherited<'_>,
    ) {
        let slot = self.cx.layout.slot(id);
        self.cx.unit_value = false;
        let binding = self.leaf_binding(id, component, inherited);
        let by_equation = matches!(binding, Leaf::Equation);
        let origin = self.origin(component.place, OriginKind::Declaration);
        if inherited.stem.is_none() {
            self.declare(component, inherited.base + slot.offset, slot.count);
        }
        let prefixed = self.prefixed(component);
        let root = self.cx.root_name();
        let comment = comment_of(component, inherited.added);
        let is_flow = component.flow.or(inherited.flow) == Some(Flow::Flow)
            && (inherited.connector || is_connector(component.kind));
        let stem = inherited.stem.unwrap_or(prefixed.len() as u32);
        for index in 0..slot.count {
            debug_assert_eq!(
                self.model.variables.len() as u32,
                inherited.base + slot.offset + index * slot.size
            );
            let position = position(component, index);
            let mut name = prefixed.clone();
            write_index(&mut name, component, index, &root);
            let mut attributes = self.attributes(component, &position);
            if inherited.unfixed && component.variability <= Variability::Parameter {
                set_unfixed(&mut attributes);
            }
            let binding = match &binding {
                Leaf::None
                    if !inherited.unfixed && inherited.stem.is_none() && self.tells_starts() =>
                {
                    default_value(component, &attributes)
                }
                Leaf::None | Leaf::Equation => None,
                Leaf::Split(source) => self.split_binding(source, &position),
            };
            let variability = self.shown_variability(component);
            if is_flow && (inherited.added || component.added) {
                let id = Idx::new(self.model.variables.len());
                self.connections.added_flows.push(id);
            }
            self.model.variables.push(Variable {
                name: name.into(),
                stem,
                ty: component.ty.clone(),
                variability,
                discrete: component.discrete,
                // An input that an equation determines is none any more, and one that is protected cannot be given from
                // outside.
                causality: component.causality.filter(|&causality| {
                    let inside = by_equation || component.protected;
                    inherited.causal && !(inside && causality == Causality::Input)
                }),
                flow: is_flow,
                protected: component.protected,
                final_: component.final_
                    && is_final(component, binding.as_ref())
                    && !self.cx.classic,
                attributes,
                binding,
                comment: comment.clone(),
                origin: origin.clone(),
            });
        }
        if self.cx.unit_value {
            let given = component.binding.as_ref().map(|it| it.place);
            let places = given.into_iter().chain([component.place]);
            self.model.unit_values.extend(places);
        }
    }

    /// Whether all parameters without a value are told with their start value: not where the text is for other tools.
    const fn tells_starts(&self) -> bool {
        self.cx.scalar || self.cx.keep_arrays
    }

    /// The first frontend told no structural parameters from others.
    fn shown_variability(&self, component: &Component) -> Variability {
        match component.variability {
            Variability::Structural if self.cx.classic => Variability::Parameter,
            other => other,
        }
    }

    /// Notes a declaration that stays together in Base Modelica.
    pub(crate) fn declare(&mut self, component: &Component, first: u32, count: u32) {
        if !self.cx.keep_arrays || count == 0 {
            return;
        }
        self.model.declarations.push(Declaration {
            first: Idx::new(first as usize),
            count,
            ty: component.ty.clone(),
            dims: component.dims.clone(),
            comment: component.comment.clone(),
        });
    }

    /// What the scalars of a component are bound to. An array of variables is not split but gets an
    /// equation.
    fn leaf_binding(
        &mut self,
        id: ComponentId,
        component: &Component,
        inherited: &Inherited<'_>,
    ) -> Leaf {
        // A binding of its own is one that the value of the record around does not replace.
        let from_record = inherited
            .source
            .filter(|_| component.binding.is_none())
            .and_then(|source| source.field(&self.cx, component.name));
        let (source, place) = match (from_record, &component.binding) {
            (Some(source), _) => (source, component.place),
            (None, _) if inherited.unfixed => return Leaf::None,
            (None, None) => return Leaf::None,
            (None, Some(binding))
                if binding.only_start
                    && component.variability == Variability::Parameter
                    && !self.tells_starts() =>
            {
                return Leaf::None;
            }
            (None, Some(binding)) => {
                let index = outer_index(&self.cx, binding);
                let final_ = binding.final_;
                let given = binding.given.as_deref().filter(|_| self.cx.classic);
                (
                    Source {
                        exp: given.unwrap_or(&binding.exp).clone(),
                        index,
                        final_,
                    },
                    binding.place,
                )
            }
        };
        // An external object is made once, from its binding: nothing of it is left to equations (§12.9.7).
        let is_variable = component.variability >= Variability::Discrete
            && !matches!(component.ty, Type::External(_));
        if component.dims.is_empty() || !is_variable {
            return Leaf::Split(source);
        }
        if self.cx.layout.slot(id).count == 0 {
            return Leaf::None;
        }
        let given = selected(&source.exp, &source.index);
        if self.cx.scalar
            && (component.dims.len() > 1 || component.ty == Type::Boolean)
            && self.split_equation(id, component, &given, place)
        {
            return Leaf::Equation;
        }
        let lhs = self.cx.target(&own_reference(id, component));
        let rhs = self.cx.value(&given);
        let ty = own_type(component);
        let rhs = crate::simplify::cast_if_needed(&component.ty, rhs, &source_type(&source.exp));
        let equation = Equation {
            kind: EquationKind::Equality { lhs, rhs, ty },
            origin: self.origin(place, OriginKind::Binding),
        };
        self.model.equations.push(equation);
        Leaf::Equation
    }

    /// The equation of an array of several dimensions or of Booleans, told element by element; false if it must stay whole.
    fn split_equation(
        &mut self,
        id: ComponentId,
        component: &Component,
        given: &Exp,
        place: crate::model::Place,
    ) -> bool {
        let (Some(left), Some(right)) = (
            self.cx.elements(&own_reference(id, component)),
            self.cx.elements(given),
        ) else {
            return false;
        };
        if left.len() != right.len() {
            return false;
        }
        let origin = self.origin(place, OriginKind::Binding);
        let element = source_type(given);
        for (lhs, rhs) in left.into_iter().zip(right) {
            let rhs = crate::simplify::cast_if_needed(&component.ty, rhs, &element);
            self.model.equations.push(Equation {
                kind: EquationKind::Equality {
                    lhs,
                    rhs,
                    ty: component.ty.clone(),
                },
                origin: origin.clone(),
            });
        }
        true
    }

    fn split_binding(&mut self, source: &Source, position: &[usize]) -> Option<FlatExp> {
        let mut index = source.index.clone();
        index.extend_from_slice(position);
        Some(self.cx.element(&source.exp, &index))
    }

    fn attributes(&mut self, component: &Component, position: &[usize]) -> Vec<Attribute> {
        let mut attributes = Vec::with_capacity(component.attributes.len());
        for attribute in &component.attributes {
            let mut index = outer_index(&self.cx, &attribute.binding);
            if !attribute.binding.each {
                index.extend_from_slice(position);
            }
            let value = self.cx.element(&attribute.binding.exp, &index);
            attributes.push(Attribute {
                name: attribute.name,
                value,
                final_: attribute.binding.final_,
            });
        }
        attributes
    }
}

enum Leaf {
    None,
    /// An equation gives the value.
    Equation,
    Split(Source),
}

/// Whether a record's value can be told field by field.
fn is_splittable(exp: &Exp) -> bool {
    match exp {
        Exp::Record(..) | Exp::Ref(_) => true,
        Exp::Array(elements, _) => elements.iter().all(is_splittable),
        Exp::Cast(_, inner) => is_splittable(inner),
        Exp::Reduction(reduction) => {
            let is_array = matches!(&reduction.function, Callee::Builtin(name) if *name == "array");
            is_array && is_splittable_element(&reduction.body)
        }
        _ => false,
    }
}

/// The same for what a loop makes of each of its values: a condition may choose between two.
fn is_splittable_element(exp: &Exp) -> bool {
    match exp {
        Exp::If(choice) => {
            is_splittable_element(&choice.then) && is_splittable_element(&choice.else_)
        }
        other => is_splittable(other),
    }
}

/// The component seen from the class it stands in.
fn own_reference(id: ComponentId, component: &Component) -> Exp {
    Exp::Ref(Cref {
        parts: vec![CrefPart {
            component: id,
            subscripts: Vec::new(),
        }],
        ty: own_type(component),
    })
}

fn own_type(component: &Component) -> Type {
    if component.dims.is_empty() {
        return component.ty.clone();
    }
    Type::Array(Arc::new(modeshift_inst::ty::ArrayType {
        element: component.ty.clone(),
        dims: component.dims.clone(),
    }))
}

fn source_type(exp: &Exp) -> Type {
    crate::lower::element_of(&crate::lower::type_of(exp)).clone()
}

/// `exp[index]`, picked out of constructors where it can be.
pub(crate) fn selected(exp: &Exp, index: &[usize]) -> Exp {
    let Some((first, rest)) = index.split_first() else {
        return exp.clone();
    };
    if crate::lower::rank(exp) == 0 {
        return exp.clone();
    }
    match exp {
        Exp::Array(elements, _) => match elements.get(*first) {
            Some(element) => selected(element, rest),
            None => Exp::Error,
        },
        Exp::Cast(ty, inner) => Exp::Cast(
            crate::lower::element_of(ty).clone(),
            Box::new(selected(inner, index)),
        ),
        Exp::Ref(cref) if cref.parts.iter().all(|part| part.subscripts.is_empty()) => {
            // Leading dimensions of the first array part take the index.
            subscripted_reference(cref, index).unwrap_or_else(|| plain_subscripts(exp, index))
        }
        _ => plain_subscripts(exp, index),
    }
}

fn subscripted_reference(cref: &Cref, index: &[usize]) -> Option<Exp> {
    let dims = crate::lower::dims_of(&cref.ty);
    if cref.parts.len() != 1 || dims.len() < index.len() {
        return None;
    }
    let mut subscripts: Vec<Subscript> = index
        .iter()
        .zip(dims)
        .map(|(&k, dim)| Subscript::Index(crate::lower::literal(k, dim)))
        .collect();
    subscripts.resize(dims.len(), Subscript::All);
    let rest = &dims[index.len()..];
    let element = crate::lower::element_of(&cref.ty).clone();
    let ty = if rest.is_empty() {
        element
    } else {
        Type::Array(Arc::new(modeshift_inst::ty::ArrayType {
            element,
            dims: rest.to_vec(),
        }))
    };
    let mut parts = cref.parts.clone();
    parts.last_mut()?.subscripts = subscripts;
    Some(Exp::Ref(Cref { parts, ty }))
}

fn plain_subscripts(exp: &Exp, index: &[usize]) -> Exp {
    let subscripts = index
        .iter()
        .map(|&k| Subscript::Index(Exp::Int(k as i64 + 1)))
        .collect();
    Exp::Subscripted(Box::new(exp.clone()), subscripts)
}

/// A parameter without a value takes its start value, unless it is left to the initial equations.
fn default_value(component: &Component, attributes: &[Attribute]) -> Option<FlatExp> {
    let is_parameter = matches!(
        component.variability,
        Variability::Parameter | Variability::Structural
    );
    let value = |name: &str| {
        attributes
            .iter()
            .find(|it| it.name == *name)
            .map(|it| &it.value)
    };
    if !is_parameter || !component.dims.is_empty() || value("fixed") == Some(&Exp::Bool(false)) {
        return None;
    }
    value("start").cloned()
}

/// `final` means something where there is a value that could be changed.
fn is_final(component: &Component, binding: Option<&FlatExp>) -> bool {
    binding.is_some() || component.variability <= Variability::Parameter
}

/// Members of buses that only connections mention say so.
fn comment_of(component: &Component, added: bool) -> Option<Arc<str>> {
    match &component.comment {
        None if added || component.added => {
            Some(Arc::from("variable added to expandable connector"))
        }
        comment => comment.clone(),
    }
}

/// `fixed = false`, in its place among the attributes.
fn set_unfixed(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| attribute.name != "fixed");
    let after = |name: Name| matches!(name.as_str(), "nominal" | "stateSelect" | "unbounded");
    let place = attributes
        .iter()
        .position(|attribute| after(attribute.name))
        .unwrap_or(attributes.len());
    attributes.insert(
        place,
        Attribute {
            name: Name::new("fixed"),
            value: Exp::Bool(false),
            final_: false,
        },
    );
}

/// References of an expression to scalar variables, each occurrence once.
pub fn for_each_variable(exp: &FlatExp, visit: &mut dyn FnMut(crate::model::VarId)) {
    crate::walk::walk(exp, &mut |part| {
        if let Exp::Ref(FlatRef::Var(id)) = part {
            visit(Idx::new(id.index()));
        }
    });
}
