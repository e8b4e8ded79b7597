//! Flattening: one walk over the instance tree, element by element, in print order.
//!
//! Each element of each component contributes its variables, then its parts' equations, then its own. `connect`
//! equations are collected on the way and turned into equations at the end, when all of them are known.
//! Time and memory are linear in the size of the flat model.

use crate::connect::{self, Connections};
use crate::functions;
use crate::layout::{LIMIT, Layout, extent, is_present};
use crate::lower::{Cx, Frame};
use crate::model::{FlatModel, FlatRef, Origin, OriginKind, Place};
use crate::variables::Source;
use crate::walked::{Before, Walked};
use modeshift_base::Idx;
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Cref, CrefPart, Exp};
use modeshift_inst::tree::{
    ClassInstId, ClassKind, Component, ComponentId, Equation, Flow, Instance,
};
use std::fmt::Write;
use std::sync::Arc;

/// What flattening gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    pub model: Arc<FlatModel>,
    pub diagnostics: Vec<Diagnostic<Place>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Keep array equations and bindings whole, as Base Modelica wants them.
    pub keep_arrays: bool,
    /// Tell every array expression element by element, also where OpenModelica prints a loop: for the
    /// analyses, which know no loops.
    pub scalar: bool,
    /// The shape OpenModelica's first frontend gave flat models, as its option `-d=-newInst` does.
    pub classic: bool,
}

/// A model with more variables than can be kept in memory: its largest array is named.
fn too_large(instance: &Instance, root: ClassInstId) -> Diagnostic<Place> {
    let elements = |component: &Component| {
        let sizes = component.dims.iter().map(|dim| extent(dim).unwrap_or(1));
        sizes.fold(1_usize, usize::saturating_mul)
    };
    let message = format!("the model has more than {LIMIT} scalar variables");
    let diagnostic = Diagnostic::new(Code::MS3001, message);
    let largest = instance.components.iter().max_by_key(|it| elements(it));
    match largest.filter(|it| elements(it) > 1) {
        Some(array) => diagnostic
            .label(
                array.place,
                format!("`{}` has {} elements", array.name, elements(array)),
            )
            .note("its size is probably much larger than meant"),
        None => diagnostic.label(instance.classes[root].place, "this model"),
    }
}

/// Flattens an instantiated class.
pub fn flatten(instance: &Instance, options: Options) -> Flat {
    flatten_again(instance, options, &mut None)
}

/// The same for somebody who flattens the same components again and again: `before` is what is known from the last time.
pub fn flatten_again(instance: &Instance, options: Options, before: &mut Option<Before>) -> Flat {
    let augmented = connect::expandable::augment(instance);
    if augmented.is_some() {
        // What is in a bus depends on the connections.
        *before = None;
    }
    let instance = augmented.as_ref().unwrap_or(instance);
    let Some(root) = instance.root else {
        return Flat::default();
    };
    let walked = match before {
        Some(Before::Walked(walked)) if walked.fits(instance, options) => Some(walked.clone()),
        _ => None,
    };
    let layout = match &walked {
        Some(walked) => Ok(walked.layout.clone()),
        None => Layout::new(instance).map(Arc::new),
    };
    let Ok(layout) = layout else {
        return Flat {
            model: Arc::default(),
            diagnostics: vec![too_large(instance, root)],
        };
    };
    let mut cx = Cx::new(instance, &layout);
    cx.keep_arrays = options.keep_arrays;
    cx.scalar = options.scalar;
    cx.classic = options.classic;
    let mut flattener = Flattener::new(cx, FlatModel::default(), Connections::default());
    match &walked {
        Some(walked) => {
            flattener.begin(root);
            walked.resume(&mut flattener);
            flattener.complete(root);
            walked.learn(&flattener.connections.pairs);
        }
        None => {
            flattener.begin(root);
            flattener.parts(root, &TOP);
            match before {
                None => {}
                Some(before @ Before::Once) => {
                    let walked = Walked::new(&flattener, root, options, layout.clone());
                    *before = Before::Walked(Arc::new(walked));
                }
                Some(before) => *before = Before::Once,
            }
            flattener.complete(root);
        }
    }
    flattener
        .cx
        .diagnostics
        .extend(connect::rules::check(instance));
    Flat {
        model: Arc::new(flattener.model),
        diagnostics: flattener.cx.diagnostics,
    }
}

/// The walk's state.
pub(crate) struct Flattener<'a> {
    pub cx: Cx<'a>,
    pub model: FlatModel,
    pub connections: Connections,
    /// Names of the elements on the way down, innermost last.
    places: Vec<Arc<str>>,
}

/// What an element passes down to its parts.
#[derive(Clone, Copy)]
pub(crate) struct Inherited<'s> {
    pub base: u32,
    /// `input` and `output` are kept only in what the environment of the model sees.
    pub causal: bool,
    /// Length of the name outside any record, once inside one.
    pub stem: Option<u32>,
    /// The enclosing record is a `flow` or `stream` member of a connector.
    pub flow: Option<Flow>,
    /// Inside a connector: flow variables sum to zero.
    pub connector: bool,
    /// Inside a member of a bus that only a connection mentions.
    pub added: bool,
    /// Value of the enclosing record.
    pub source: Option<&'s Source>,
    /// The record's value is given by an equation: its parameters are not fixed by themselves.
    pub unfixed: bool,
}

/// What the model itself passes down.
const TOP: Inherited<'static> = Inherited {
    base: 0,
    causal: true,
    stem: None,
    flow: None,
    connector: false,
    added: false,
    source: None,
    unfixed: false,
};

impl<'a> Flattener<'a> {
    pub fn new(cx: Cx<'a>, model: FlatModel, connections: Connections) -> Self {
        Self {
            cx,
            model,
            connections,
            places: Vec::new(),
        }
    }

    /// Equations of the model itself, apart from all others.
    pub fn own(&mut self, equations: &[Equation]) -> Vec<crate::model::Equation> {
        self.places = vec![Arc::from("")];
        let mut out = Vec::with_capacity(equations.len());
        for equation in equations {
            self.equation(equation, None, &mut out);
        }
        out
    }

    /// Whether nothing but equations has come of what was flattened.
    pub fn found_nothing(&self) -> bool {
        let cx = &self.cx;
        cx.diagnostics.is_empty()
            && cx.groups.is_empty()
            && !cx.uses_connections
            && cx.invented == 0
            && self.connections.list.is_empty()
            && self.model == FlatModel::default()
    }

    fn begin(&mut self, root: ClassInstId) {
        let class = &self.cx.instance.classes[root];
        self.model.name = class.name.clone();
        self.model.comment = class.comment.clone();
        self.places.push(Arc::from(""));
    }

    /// What comes after the components of the model.
    fn complete(&mut self, root: ClassInstId) {
        self.sections(root, None);
        let constants = self.cx.instance.unit_constants.iter().copied();
        self.model.unit_values.extend(constants);
        connect::generate(self);
        self.model.functions = functions::lower(&mut self.cx, &self.model, None);
        self.check_own_function(root);
        self.model.groups = std::mem::take(&mut self.cx.groups);
        if self.cx.classic {
            crate::classic::reshape(&mut self.model);
        }
    }

    /// A class that is a function is looked at as one, too: whether it computes its outputs.
    fn check_own_function(&mut self, root: ClassInstId) {
        let class = &self.cx.instance.classes[root];
        if class.kind != ClassKind::Function {
            return;
        }
        let name = class.name.clone();
        let all = functions::lower(&mut self.cx, &self.model, Some(&name));
        if let Some(own) = all.iter().find(|it| it.name == name) {
            self.cx.diagnostics.extend(crate::lint::outputs_of(own));
        }
    }

    /// One element of a class: variables and equations of its parts, then its own equations.
    fn class(&mut self, id: ClassInstId, owner: Option<ComponentId>, inherited: &Inherited<'_>) {
        self.parts(id, inherited);
        self.sections(id, owner);
    }

    fn parts(&mut self, id: ClassInstId, inherited: &Inherited<'_>) {
        for &component in &self.cx.instance.classes[id].components {
            self.component(component, inherited);
        }
    }

    fn sections(&mut self, id: ClassInstId, owner: Option<ComponentId>) {
        let class = &self.cx.instance.classes[id];
        for equation in &class.initial_equations {
            let mut out = std::mem::take(&mut self.model.initial_equations);
            self.equation(equation, owner, &mut out);
            self.model.initial_equations = out;
        }
        for equation in &class.equations {
            let mut out = std::mem::take(&mut self.model.equations);
            self.equation(equation, owner, &mut out);
            self.model.equations = out;
        }
        for algorithm in &class.initial_algorithms {
            let algorithm = self.algorithm(algorithm);
            self.model.initial_algorithms.extend(algorithm);
        }
        for algorithm in &class.algorithms {
            let algorithm = self.algorithm(algorithm);
            self.model.algorithms.extend(algorithm);
        }
    }

    fn component(&mut self, id: ComponentId, inherited: &Inherited<'_>) {
        let component = &self.cx.instance.components[id];
        if !is_present(component) {
            return;
        }
        match component.class {
            Some(class) => self.structured(id, component, class, inherited),
            None => {
                self.variable(id, component, inherited);
                if let Some(around) = component.around {
                    self.pass_on(id, around, inherited);
                }
            }
        }
    }

    /// A variable declared `inner outer`, and the one it stands between.
    fn pass_on(&mut self, id: ComponentId, around: ComponentId, inherited: &Inherited<'_>) {
        let farther = &self.cx.instance.components[around];
        if !farther.dims.is_empty() || self.cx.layout.slot(id).count != 1 {
            return;
        }
        let part = CrefPart {
            component: around,
            subscripts: Vec::new(),
        };
        let reference = Exp::Ref(Cref {
            parts: vec![part],
            ty: farther.ty.clone(),
        });
        let own = Idx::new((inherited.base + self.cx.layout.slot(id).offset) as usize);
        if let Exp::Ref(FlatRef::Var(outer)) = self.cx.value(&reference) {
            self.model.inner_outer.push((own, outer));
        }
    }

    /// A component with parts, element by element.
    fn structured(
        &mut self,
        id: ComponentId,
        component: &Component,
        class: ClassInstId,
        inherited: &Inherited<'_>,
    ) {
        let slot = self.cx.layout.slot(id);
        let is_record = is_record(component.kind);
        let causal = inherited.causal
            && (component.kind == ClassKind::Connector
                || component.kind == ClassKind::ExpandableConnector
                || (is_record && component.causality.is_some()));
        let split = self.record_binding(id, component);
        if is_record && inherited.stem.is_none() {
            let first = inherited.base + slot.offset;
            self.declare(component, first, slot.count * slot.size);
        }
        let plain_name = self.prefixed(component).len() as u32;
        for index in 0..slot.count {
            let name = self.element_name(component, index);
            let base = inherited.base + slot.offset + index * slot.size;
            let stem = inherited.stem.or(is_record.then_some(plain_name));
            let frame = Frame {
                base,
                index,
                name: name.clone(),
                stem,
            };
            self.cx.frames[id.index()] = Some(frame);
            self.places.push(name);
            let source = split.source_of(&mut self.cx, component, index, inherited);
            let parts = Inherited {
                base,
                causal,
                stem,
                flow: component.flow.or(inherited.flow),
                connector: inherited.connector || is_connector(component.kind),
                added: inherited.added || component.added,
                source: source.as_ref(),
                unfixed: split.unfixed || inherited.unfixed,
            };
            self.class(class, Some(id), &parts);
            if component.kind == ClassKind::Connector {
                self.note_streams(class, base);
            }
            self.places.pop();
        }
        self.cx.frames[id.index()] = None;
    }

    /// The flow variable of a connector goes with each of its stream variables.
    fn note_streams(&mut self, class: ClassInstId, base: u32) {
        let cx = &self.cx;
        let parts = || {
            let parts = cx.instance.classes[class].components.iter();
            parts.map(|&id| (&cx.instance.components[id], cx.layout.slot(id)))
        };
        let Some((_, flow)) = parts().find(|(part, _)| part.flow == Some(Flow::Flow)) else {
            return;
        };
        for (part, slot) in parts() {
            if part.flow != Some(Flow::Stream) {
                continue;
            }
            for scalar in 0..slot.count * slot.size {
                let stream = base + slot.offset + scalar;
                self.connections
                    .stream_flows
                    .insert(stream, base + flow.offset);
            }
        }
    }

    /// `prefix.name[i,j]` of one element.
    pub fn element_name(&self, component: &Component, index: u32) -> Arc<str> {
        let mut name = self.prefixed(component);
        write_index(&mut name, component, index, &self.cx.root_name());
        name.into()
    }

    pub fn prefixed(&self, component: &Component) -> String {
        let prefix = self.instance_name();
        let own = component.name.as_str();
        let mut name = String::with_capacity(prefix.len() + own.len() + 8);
        if !prefix.is_empty() {
            name.push_str(prefix);
            name.push('.');
        }
        name.push_str(own);
        name
    }

    pub fn instance_name(&self) -> &Arc<str> {
        // The root's own name is pushed before anything else.
        self.places.last().unwrap_or(&self.model.name)
    }

    pub fn origin(&self, place: Place, kind: OriginKind) -> Arc<Origin> {
        Arc::new(Origin {
            span: place,
            also: Vec::new(),
            instance: self.instance_name().clone(),
            kind,
            comment: None,
        })
    }

    fn equation(
        &mut self,
        equation: &Equation,
        owner: Option<ComponentId>,
        out: &mut Vec<crate::model::Equation>,
    ) {
        self.cx.unit_value = false;
        crate::unroll::equation(self, equation, owner, out);
        if self.cx.unit_value {
            self.model.unit_values.push(equation.place);
        }
        self.tell_left_out(equation.place);
    }

    /// A declared member of an expandable connector exists when a connection uses it (Modelica 3.6 §9.1.3).
    pub(crate) fn tell_left_out(&mut self, place: Place) {
        let Some(id) = self.cx.left_out.take() else {
            return;
        };
        let member = &self.cx.instance.components[id];
        let diagnostic = Diagnostic::new(
            Code::MS2018,
            format!(
                "`{}` does not exist here, because no connection uses it",
                member.name
            ),
        )
        .label(place, "used here")
        .label(member.place, "declared in an expandable connector")
        .note("A member of an expandable connector comes into being with a connection to it.");
        self.cx.diagnostics.push(diagnostic);
    }
}

pub(crate) fn is_connector(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Connector | ClassKind::ExpandableConnector)
}

pub(crate) fn is_record(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Record | ClassKind::OperatorRecord)
}

/// Appends `[i,j]` for a zero-based row-major position.
pub(crate) fn write_index(name: &mut String, component: &Component, index: u32, root: &str) {
    if component.dims.is_empty() {
        return;
    }
    let extents: Vec<usize> = component
        .dims
        .iter()
        .map(|dim| extent(dim).unwrap_or(0))
        .collect();
    let position = crate::lower::unravel(index as usize, &extents);
    // Writing to a String does not fail.
    let _ = name.write_char('[');
    for (i, (k, dim)) in position.iter().zip(&component.dims).enumerate() {
        if i > 0 {
            name.push(',');
        }
        crate::lower::write_ordinal(name, *k, dim, root);
    }
    name.push(']');
}
