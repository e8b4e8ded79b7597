//! Flattening that goes on where the components of a model are done.
//!
//! The walk over a model comes to its components first and to its own equations last. While somebody types equations the
//! components stay as they are, so an editor keeps the state in between ([`Walked`]) and goes on from a copy of it. Whether the components
//! are the same is not believed but compared; instances that come from one skeleton share them, so that costs a look
//! at two addresses for most.

use crate::connect::Connections;
use crate::connect::pairs::{KnownPairs, Pairs};
use crate::flatten::{Flattener, Options};
use crate::layout::Layout;
use crate::model::{FlatModel, Group, GroupId, Place};
use modeshift_base::{FxHashMap, IndexVec, SharedVec};
use modeshift_diag::Diagnostic;
use modeshift_inst::tree::{ClassInst, ClassInstId, Component, Instance};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known from the last time the same components were flattened.
#[derive(Default)]
pub enum Before {
    /// Nothing: most models are flattened once.
    #[default]
    Nothing,
    /// They were flattened, so the state is worth keeping the next time.
    Once,
    Walked(Arc<Walked>),
}

/// A model whose components are flattened, but none of its own equations.
pub struct Walked {
    options: Options,
    root: ClassInstId,
    components: SharedVec<Component>,
    classes: SharedVec<ClassInst>,
    pub(crate) layout: Arc<Layout>,
    /// Which scalars of connectors belong together.
    pairs: Mutex<Arc<KnownPairs>>,
    state: State,
}

/// What the walk has left behind.
#[derive(Clone)]
struct State {
    model: FlatModel,
    connections: Connections,
    groups: IndexVec<Group>,
    group_ids: FxHashMap<Arc<str>, GroupId>,
    diagnostics: Vec<Diagnostic<Place>>,
    uses_connections: bool,
    invented: u32,
}

impl Walked {
    /// The state of a walk that has come to the equations of the model. Linear in the flat model.
    pub(crate) fn new(
        flattener: &Flattener<'_>,
        root: ClassInstId,
        options: Options,
        layout: Arc<Layout>,
    ) -> Self {
        let cx = &flattener.cx;
        Self {
            options,
            root,
            components: cx.instance.components.clone(),
            classes: cx.instance.classes.clone(),
            layout,
            pairs: Mutex::default(),
            state: State {
                model: flattener.model.clone(),
                connections: flattener.connections.clone(),
                groups: cx.groups.clone(),
                group_ids: cx.group_ids.clone(),
                diagnostics: cx.diagnostics.clone(),
                uses_connections: cx.uses_connections,
                invented: cx.invented,
            },
        }
    }

    /// Whether a walk over this instance would come to the same state.
    pub(crate) fn fits(&self, instance: &Instance, options: Options) -> bool {
        let same_root = |a: &ClassInst, b: &ClassInst| {
            a.components == b.components && a.kind == b.kind && a.name == b.name
        };
        let same_class = |id: ClassInstId| match (self.classes.get(id), instance.classes.get(id)) {
            (Some(a), Some(b)) if id == self.root => same_root(a, b),
            (Some(a), Some(b)) => std::ptr::eq(a, b) || a == b,
            _ => false,
        };
        self.options == options
            && instance.root == Some(self.root)
            && self.classes.len() == instance.classes.len()
            && self.components == instance.components
            && self.classes.ids().all(same_class)
    }

    /// Puts a walk that has not begun into the state.
    pub(crate) fn resume(&self, flattener: &mut Flattener<'_>) {
        let State {
            model,
            connections,
            groups,
            group_ids,
            diagnostics,
            uses_connections,
            invented,
        } = self.state.clone();
        let (name, comment) = (
            flattener.model.name.clone(),
            flattener.model.comment.clone(),
        );
        flattener.model = FlatModel {
            name,
            comment,
            ..model
        };
        flattener.connections = connections;
        let pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        flattener.connections.pairs.resume(pairs.clone());
        drop(pairs);
        let cx = &mut flattener.cx;
        cx.groups = groups;
        cx.group_ids = group_ids;
        cx.diagnostics = diagnostics;
        cx.uses_connections = uses_connections;
        cx.invented = invented;
    }

    /// Takes over what a walk that went on from here has found out about connectors, for the next one.
    pub(crate) fn learn(&self, pairs: &Pairs) {
        let mut known = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, found) in pairs.found() {
            if !known.contains_key(&key) {
                Arc::make_mut(&mut known).insert(key, Some(found));
            }
        }
    }
}
