//! From typed expressions of the instance tree to expressions of the flat model.
//!
//! An expression is lowered in the context of one element of the class it stands in ([`Cx`] knows the
//! current element of every enclosing array) and of the loop iterators that have been unrolled. Scalars
//! come out simplified; an array-valued expression is either asked for one element at a time
//! ([`Cx::at`], so that splitting never builds intermediate arrays) or kept whole ([`Cx::whole`]).

mod array;
mod builtin;
mod evaluate;
mod printed;
mod reference;
mod scalar;
mod shape;

pub use array::unravel;
pub use builtin::keeps_loops;
pub use evaluate::literal as literal_exp;
pub use reference::{enum_path, literal, nest, write_ordinal};
pub use shape::{dims_of, element_of, rank, type_of};

use crate::layout::Layout;
use crate::model::{FlatExp, Group, GroupId, Place};
use modeshift_base::{FxHashMap, IndexVec, Name};
use modeshift_diag::Diagnostic;
use modeshift_inst::tree::{ComponentId, Instance};
use std::sync::Arc;

/// What references mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Equations and algorithms of the model: scalar variables.
    Model,
    /// The inside of a function: names.
    Function,
}

/// The element of a component that is being flattened.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Number of its first scalar.
    pub base: u32,
    /// Its zero-based position in the component's array, row-major.
    pub index: u32,
    /// As printed: `a[1].b`.
    pub name: Arc<str>,
    /// Length of the part of `name` outside any record.
    pub stem: Option<u32>,
}

/// State of flattening that lowering needs.
pub struct Cx<'a> {
    pub instance: &'a Instance,
    pub layout: &'a Layout,
    pub scope: Scope,
    /// By component, for those that are being flattened at the moment.
    pub frames: Vec<Option<Frame>>,
    /// Values of unrolled iterators, innermost last.
    pub iterators: Vec<(Name, FlatExp)>,
    /// How many of them, the outermost ones, are those of for-equations.
    pub loops: usize,
    pub groups: IndexVec<Group>,
    pub group_ids: FxHashMap<Arc<str>, GroupId>,
    pub diagnostics: Vec<Diagnostic<Place>>,
    /// A parameter with a unit was replaced by its value.
    pub unit_value: bool,
    /// A member of a bus that no connection uses, and that something refers to all the same.
    pub left_out: Option<ComponentId>,
    /// An operator was met whose value follows from the connections: `inStream`, `cardinality`, …
    pub uses_connections: bool,
    /// Keep array equations whole (Base Modelica).
    pub keep_arrays: bool,
    /// Unroll loops in expressions wherever their ranges are known.
    pub scalar: bool,
    /// The shape of OpenModelica's first frontend.
    pub classic: bool,
    /// Inside something that must be known: a subscript, the range of a loop, a structural condition.
    deciding: bool,
    /// Results of functions are told element by element: `f(x)[1]`.
    splits_calls: bool,
    /// The call that was evaluated last: its elements are asked for one by one.
    evaluated: Option<(
        modeshift_inst::exp::Call<crate::model::FlatRef>,
        Option<FlatExp>,
    )>,
    /// Inside a statement whose text is asked for: arrays of fields stay loops.
    pub in_statement: bool,
    /// Iterators the compiler invented: `$i0`, `$i1`, …
    pub invented: u32,
}

impl<'a> Cx<'a> {
    pub fn new(instance: &'a Instance, layout: &'a Layout) -> Self {
        Self {
            instance,
            layout,
            scope: Scope::Model,
            frames: vec![None; instance.components.len()],
            iterators: Vec::new(),
            loops: 0,
            groups: IndexVec::new(),
            group_ids: FxHashMap::default(),
            diagnostics: Vec::new(),
            unit_value: false,
            left_out: None,
            uses_connections: false,
            keep_arrays: false,
            scalar: false,
            classic: false,
            deciding: false,
            splits_calls: false,
            evaluated: None,
            in_statement: false,
            invented: 0,
        }
    }

    /// Runs `body` with structural parameters told by their values, whatever the shape asked for.
    pub fn deciding<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.deciding, true);
        let result = body(self);
        self.deciding = outer;
        result
    }

    /// Full name of the class that is flattened.
    pub fn root_name(&self) -> Arc<str> {
        if self.classic {
            // Enumerations of the class itself are told by their full names.
            return Arc::from("");
        }
        let root = self.instance.root;
        root.map_or_else(
            || Arc::from(""),
            |root| self.instance.classes[root].name.clone(),
        )
    }

    pub fn frame(&self, component: Option<ComponentId>) -> Option<&Frame> {
        self.frames.get(component?.index())?.as_ref()
    }

    /// Runs `body` with `name` standing for `value`.
    pub fn with_iterator<T>(
        &mut self,
        name: Name,
        value: FlatExp,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.iterators.push((name, value));
        let result = body(self);
        self.iterators.pop();
        result
    }

    /// Whether an expression mentions the iterator of an unrolled for-equation.
    fn mentions_loop(&self, exp: &modeshift_inst::exp::Exp) -> bool {
        let mut found = false;
        modeshift_inst::exp::visit_exps(exp, &mut |part| {
            if let modeshift_inst::exp::Exp::Iterator(name) = part {
                let bound = self.iterators.iter().rposition(|(bound, _)| bound == name);
                found |= bound.is_some_and(|place| place < self.loops);
            }
        });
        found
    }

    fn iterator(&self, name: Name) -> Option<&FlatExp> {
        self.iterators
            .iter()
            .rev()
            .find(|(bound, _)| *bound == name)
            .map(|(_, value)| value)
    }

    /// A group by its printed name, made once.
    pub(crate) fn group(&mut self, name: &str, make: impl FnOnce(Arc<str>) -> Group) -> GroupId {
        if let Some(&id) = self.group_ids.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let id = self.groups.push(make(name.clone()));
        self.group_ids.insert(name, id);
        id
    }
}
