//! The state of one instantiation: arenas, caches, diagnostics.
//!
//! [`State`] is all that has been found out, [`Cx`] the same with the database at hand. A state can be copied at little
//! cost, so that an instantiation can go on from it more than once ([`crate::skeleton`]).

use crate::modifier::{Mod, ModError, Redeclare};
use crate::node::{Builtin, ClassElem, Def, Elem, ElemId, ElemKind, Node, NodeId, Progress};
use crate::resolve::Alias;
use crate::tree::Place;
use crate::tree::{ComponentId, Function, Instance};
use crate::ty::Type;
use modeshift_base::{FxHashMap, FxHashSet, Idx, Name, SharedVec, Span};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_hir::{ClassData, ClassId, Db, class, class_declarations};
use modeshift_syntax::ast::Subscript;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The unnamed scope around all classes.
pub(crate) const ROOT: NodeId = NodeId(0);
/// Stands for "applied to the class of the variable itself" in modifiers of type aliases.
pub(crate) const ALIAS: NodeId = NodeId(u32::MAX);
/// How deep evaluation, typing and instantiation may call each other before we give up. Each level costs
/// some kilobytes of stack.
pub(crate) const MAX_DEPTH: u32 = 200;

/// A dimension that was declared and not looked at yet.
#[derive(Clone, Copy)]
pub(crate) struct DimSource<'a> {
    pub subscript: &'a Subscript,
    pub scope: NodeId,
    pub text: ClassId,
}

/// What is known of a component beside the tree that is handed out.
#[derive(Clone)]
pub(crate) struct CompInfo<'a> {
    pub elem: ElemId,
    /// The class of a component with parts.
    pub node: Option<NodeId>,
    /// Its full modifier, those of its type merged in for variables of a predefined type.
    pub mods: Option<Arc<Mod<'a>>>,
    pub dims: Vec<DimSource<'a>>,
    /// Its position, if it is an element of a split array.
    pub element: Option<Arc<[i64]>>,
    pub typed: Progress<()>,
    /// The value given to it, typed where it was written.
    pub raw: Progress<Arc<crate::typing::Typed>>,
    pub absent: Progress<bool>,
    pub bound: Progress<()>,
    /// The attributes are typed: they may read the value, the value does not read them.
    pub attributed: Progress<()>,
    pub value: Progress<crate::ceval::Known>,
    pub has_condition: bool,
    pub in_function: bool,
    /// The `Evaluate` annotation, if given.
    pub evaluate: Option<bool>,
    /// The `inner` that references from the own class mean, for `inner outer`.
    pub outer_target: Option<ComponentId>,
    /// Its class instance has been built.
    pub built: bool,
    /// Its class is partial; a mistake unless the component is absent.
    pub partial: bool,
}

/// The cache entry of a function.
pub(crate) struct FunctionInfo {
    pub name: Arc<str>,
    pub inputs: Vec<ComponentId>,
    pub outputs: Vec<ComponentId>,
    pub locals: Vec<ComponentId>,
    pub node: NodeId,
    pub pure: bool,
    pub ty: Type,
    pub record: Option<Type>,
    pub partial: bool,
    pub external: bool,
    /// Its relations make events where it is called.
    pub generate_events: bool,
}

/// Keeps what classes declare for a state, which may outlive the revision of the database.
pub(crate) type Kept = elsa::sync::FrozenVec<Arc<ClassData>>;

pub(crate) struct Cx<'d, 'a> {
    pub db: &'d dyn Db,
    kept: &'a Kept,
    /// The class that is instantiated, while only its declarations may be looked at. Taken away when they are
    /// not enough.
    pub declared_only: Option<ClassId>,
    /// The class that is instantiated, with what it is to declare.
    pub given: Option<(ClassId, Arc<ClassData>)>,
    pub state: State<'a>,
}

#[derive(Clone)]
pub(crate) struct State<'a> {
    nodes: SharedVec<Node<'a>>,
    elems: SharedVec<Elem<'a>>,
    info: SharedVec<CompInfo<'a>>,
    pub out: Instance,
    pub builtins: FxHashMap<Name, ElemId>,
    pub imports: FxHashMap<(NodeId, Name), Option<ElemId>>,
    pub aliases: FxHashMap<ElemId, Option<Arc<Alias<'a>>>>,
    pub functions: FxHashMap<NodeId, Arc<FunctionInfo>>,
    pub function_bodies: FxHashMap<NodeId, Progress<usize>>,
    pub function_names: FxHashMap<Arc<str>, NodeId>,
    pub done_functions: Vec<Arc<Function>>,
    pub needed_functions: Vec<NodeId>,
    pub next_iterator: u32,
    /// Names assigned in a `when`, by class.
    pub when_names: FxHashMap<NodeId, Arc<FxHashSet<Name>>>,
    /// Classes with an `extends` whose class was not found.
    pub broken_bases: FxHashSet<NodeId>,
    /// A partial package that a component has was not replaced: that has been reported.
    pub unreplaced: bool,
    /// What could not be evaluated because it is only declared somewhere; see [`Cx::report_lacking`].
    pub lacking: Vec<Diagnostic<Place>>,
    /// Classes of external objects that components have.
    pub external_objects: Vec<ElemId>,
    /// `Connections.branch` or one of its like was met.
    pub has_graph: bool,
    /// So many components have been looked at by [`Cx::check_connectors`].
    pub connectors_checked: usize,
    /// Record classes by the path of their type, to find operators.
    pub record_elems: FxHashMap<Box<str>, ElemId>,
    pub root: NodeId,
    /// Components made for `outer` ones without `inner`.
    pub generated: FxHashMap<Name, ElemId>,
    pub generated_order: Vec<ElemId>,
    /// Elements that replace others, to be compared with them at the end.
    pub redeclared: Vec<ElemId>,
    /// Redeclarations in modifiers with those, further inside, whose place they take.
    pub redeclared_again: Vec<(Redeclare<'a>, Redeclare<'a>)>,
    /// The paths of arrays of components that are split, their names, and what has become of them.
    pub splits: Arc<FxHashSet<Arc<str>>>,
    pub split_names: Arc<FxHashSet<Name>>,
    pub split_elems: FxHashMap<ElemId, Option<Arc<crate::split::Split>>>,
    /// Arrays that would have to be split, found in this attempt.
    pub ragged: Vec<Arc<str>>,
    /// The array whose elements differ in what was evaluated last.
    pub differing: Option<ComponentId>,
    /// The loop in which the steps of evaluation were used up.
    pub gave_up: Option<Place>,
    /// Components of which it was told that their values cannot be computed.
    pub told_wrong: FxHashSet<ComponentId>,
    /// Whether it was told that they are.
    pub told_long: bool,
    /// Components whose value or type is being found, outermost first.
    pub on_the_way: Vec<ComponentId>,
    seen: FxHashSet<(Code, Place, u64)>,
    pub depth: u32,
    pub too_deep: bool,
    /// Steps of compile-time evaluation left.
    pub fuel: u64,
    /// While positive, diagnostics are counted but not kept.
    pub quiet: u32,
    pub quiet_errors: u32,
    pub names: Names,
}

/// Names that are compared often.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    pub time: Name,
    pub start: Name,
}

impl<'a> Deref for Cx<'_, 'a> {
    type Target = State<'a>;
    fn deref(&self) -> &State<'a> {
        &self.state
    }
}
impl<'a> DerefMut for Cx<'_, 'a> {
    fn deref_mut(&mut self) -> &mut State<'a> {
        &mut self.state
    }
}

impl<'a> State<'a> {
    fn new() -> Self {
        let root = Node {
            def: Def::Root,
            parent: ROOT,
            derived: None,
            owner: None,
            modifier: None,
            inherited: None,
            path: "".into(),
            state: crate::node::State::Expanded,
            members: FxHashMap::default(),
            items: Vec::new(),
            bases: Vec::new(),
            protected: false,
        };
        let mut state = Self {
            nodes: [root].into_iter().collect(),
            elems: SharedVec::new(),
            info: SharedVec::new(),
            out: Instance::default(),
            builtins: FxHashMap::default(),
            imports: FxHashMap::default(),
            aliases: FxHashMap::default(),
            functions: FxHashMap::default(),
            function_bodies: FxHashMap::default(),
            function_names: FxHashMap::default(),
            done_functions: Vec::new(),
            needed_functions: Vec::new(),
            next_iterator: 0,
            when_names: FxHashMap::default(),
            broken_bases: FxHashSet::default(),
            unreplaced: false,
            lacking: Vec::new(),
            external_objects: Vec::new(),
            has_graph: false,
            connectors_checked: 0,
            record_elems: FxHashMap::default(),
            root: ROOT,
            generated: FxHashMap::default(),
            generated_order: Vec::new(),
            redeclared: Vec::new(),
            redeclared_again: Vec::new(),
            splits: Arc::default(),
            split_names: Arc::default(),
            split_elems: FxHashMap::default(),
            ragged: Vec::new(),
            differing: None,
            on_the_way: Vec::new(),
            gave_up: None,
            told_long: false,
            told_wrong: FxHashSet::default(),
            seen: FxHashSet::default(),
            depth: 0,
            too_deep: false,
            fuel: 20_000_000,
            quiet: 0,
            quiet_errors: 0,
            names: Names {
                time: Name::new("time"),
                start: Name::new("start"),
            },
        };
        for (name, builtin) in [
            ("Real", Builtin::Real),
            ("Integer", Builtin::Integer),
            ("Boolean", Builtin::Boolean),
            ("String", Builtin::String),
            ("Clock", Builtin::Clock),
            ("ExternalObject", Builtin::ExternalObject),
            ("StateSelect", Builtin::StateSelect),
            ("AssertionLevel", Builtin::AssertionLevel),
        ] {
            let name = Name::new(name);
            let class = ClassElem {
                def: Def::Builtin(builtin),
                scope: ROOT,
                modifier: None,
                constraining: None,
                original: None,
            };
            let elem = state.add_elem(Elem {
                name,
                node: ROOT,
                protected: false,
                kind: ElemKind::Class(class),
                class_node: None,
            });
            state.builtins.insert(name, elem);
        }
        state
    }

    pub fn add_elem(&mut self, elem: Elem<'a>) -> ElemId {
        ElemId(self.elems.push(elem).index() as u32)
    }

    pub fn add_node(&mut self, node: Node<'a>) -> NodeId {
        NodeId(self.nodes.push(node).index() as u32)
    }

    /// All nodes that there are now.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[Idx::new(id.0 as usize)]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<'a> {
        &mut self.nodes[Idx::new(id.0 as usize)]
    }

    pub fn elem(&self, id: ElemId) -> &Elem<'a> {
        &self.elems[Idx::new(id.0 as usize)]
    }

    pub fn elem_mut(&mut self, id: ElemId) -> &mut Elem<'a> {
        &mut self.elems[Idx::new(id.0 as usize)]
    }

    pub fn info(&self, id: ComponentId) -> &CompInfo<'a> {
        &self.info[Idx::new(id.index())]
    }

    pub fn info_mut(&mut self, id: ComponentId) -> &mut CompInfo<'a> {
        &mut self.info[Idx::new(id.index())]
    }

    pub fn add_info(&mut self, info: CompInfo<'a>) {
        self.info.push(info);
    }
}

impl<'d, 'a> Cx<'d, 'a> {
    pub fn new(db: &'d dyn Db, kept: &'a Kept) -> Self {
        Self::from_state(db, kept, State::new())
    }

    pub fn from_state(db: &'d dyn Db, kept: &'a Kept, state: State<'a>) -> Self {
        Self {
            db,
            kept,
            declared_only: None,
            given: None,
            state,
        }
    }

    /// What a class declares.
    pub fn class_data(&self, id: ClassId) -> &'a ClassData {
        let data = match (self.declared_only, &self.given) {
            (Some(root), _) if root == id => class_declarations(self.db, id),
            (_, Some((root, data))) if *root == id => data,
            _ => class(self.db, id),
        };
        self.kept.push_get(data.clone())
    }

    /// A component or a base of that class is made. If it is the class that is instantiated, its equations are needed now.
    pub fn note_use(&mut self, def: Def<'a>) {
        if def.text().is_some() && def.text() == self.declared_only {
            self.declared_only = None;
        }
    }

    /// The class whose text is at work in a node; for the root any place will do.
    pub fn place(&self, text: ClassId, span: Span) -> Place {
        crate::tree::place_of(text, span)
    }

    /// Adds a diagnostic, unless the same was said of the same place already.
    pub fn report(&mut self, diagnostic: Diagnostic<Place>) {
        if self.quiet > 0 {
            self.quiet_errors += u32::from(diagnostic.is_error());
            return;
        }
        let key = diagnostic.labels.first().map(|label| {
            use std::hash::BuildHasher;
            let text = rustc_hash::FxBuildHasher.hash_one(&diagnostic.message);
            (diagnostic.code, label.at, text)
        });
        if key.is_none_or(|key| self.seen.insert(key)) {
            self.out.diagnostics.push(diagnostic);
        }
    }

    /// An error with one label.
    pub fn error(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report(Diagnostic::new(code, message).label(place, label));
    }

    pub fn report_mod_errors(&mut self, errors: Vec<ModError>) {
        for error in errors {
            let diagnostic = match error {
                ModError::Duplicate {
                    name,
                    first,
                    second,
                } => Diagnostic::new(Code::MS2007, format!("`{name}` is modified twice"))
                    .label(second, "second modifier")
                    .label(first, "first modifier"),
                ModError::Final { name, outer, inner } => Diagnostic::new(
                    Code::MS2008,
                    format!("`{name}` is final and cannot be modified"),
                )
                .label(outer, "this modifier would change it")
                .label(inner, "made final here")
                .note("A `final` modifier settles the value for everybody who uses the class."),
                ModError::Redeclared { name, outer, inner } => Diagnostic::new(
                    Code::MS2010,
                    format!("`{name}` is redeclared again, although its redeclaration is not replaceable"),
                )
                .label(outer, "redeclared again here")
                .label(inner, "redeclared here, not `replaceable`")
                .with_severity(Severity::Warning)
                .note("Write `redeclare replaceable` to let others redeclare it again; other tools may insist on it."),
            };
            self.report(diagnostic);
        }
    }

    /// Runs `work` one level deeper; `None` when the limit is reached, which is reported once.
    pub fn deeper<T>(
        &mut self,
        place: Option<Place>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            if !self.too_deep {
                self.too_deep = true;
                let mut diagnostic = Diagnostic::new(
                    Code::MS2038,
                    "the model is nested deeper than modeshift follows",
                )
                .note("Instances, values and function calls may depend on each other at most 200 levels deep.");
                if let Some(place) = place {
                    diagnostic = diagnostic.label(place, "the limit was reached here");
                }
                self.report(diagnostic);
            }
            return None;
        }
        self.depth += 1;
        // What is worked out once and remembered must say what is wrong with it, whoever asked first.
        let quiet = std::mem::take(&mut self.quiet);
        let result = work(self);
        self.quiet = quiet;
        self.depth -= 1;
        Some(result)
    }

    /// Runs `work` without keeping diagnostics; tells whether there would have been errors.
    pub fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = self.quiet_errors;
        self.quiet += 1;
        let result = work(self);
        self.quiet -= 1;
        let failed = self.quiet_errors > before;
        self.quiet_errors = before;
        (result, failed)
    }
}
