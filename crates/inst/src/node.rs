//! Classes and elements while they are being instantiated.
//!
//! A [`Node`] is a class seen from one place: its definition, the scope its names are looked up in, and the
//! modifiers that reach it. A component with parts has a node of its own; a package is a node that is made
//! once. Base classes are nodes too, so that modifiers and redeclarations reach the inherited elements, while
//! names in their text are still looked up where the base class stands.

use crate::modifier::Mod;
use crate::tree::Place;
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_hir::{Body, ClassData, ClassId, ClassSpec, Component as HirComponent};
use modeshift_syntax::ast::{
    self, Annotation, ClassKind, ConstrainedBy, Description, ElementPrefixes, EnumLiteral, Expr,
    Ident, Modification, Path, ShortClass, Subscript, TypePrefix,
};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct ElemId(pub u32);

/// The predefined classes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Builtin {
    Real,
    Integer,
    Boolean,
    String,
    Clock,
    ExternalObject,
    StateSelect,
    AssertionLevel,
}

/// What defines a class.
#[derive(Clone, Copy)]
pub(crate) enum Def<'a> {
    /// The unnamed scope around all classes.
    Root,
    Class(ClassId, &'a ClassData),
    /// A short class written in a modifier; `text` is the class whose text it stands in.
    Short {
        def: &'a ast::ClassDef,
        text: ClassId,
    },
    Builtin(Builtin),
}

impl<'a> Def<'a> {
    /// The class whose own text the spans in the definition refer to.
    pub fn text(self) -> Option<ClassId> {
        match self {
            Self::Class(id, _) => Some(id),
            Self::Short { text, .. } => Some(text),
            Self::Root | Self::Builtin(_) => None,
        }
    }

    pub fn kind(self) -> ClassKind {
        match self {
            Self::Class(_, data) => data.kind,
            Self::Short { def, .. } => def.kind,
            Self::Root => ClassKind::Package,
            Self::Builtin(_) => ClassKind::Type,
        }
    }

    pub fn partial(self) -> bool {
        match self {
            Self::Class(_, data) => data.partial,
            Self::Short { def, .. } => def.partial,
            _ => false,
        }
    }

    pub fn encapsulated(self) -> bool {
        match self {
            Self::Class(_, data) => data.encapsulated,
            Self::Short { def, .. } => def.encapsulated,
            _ => false,
        }
    }

    pub fn prefixes(self) -> ElementPrefixes {
        match self {
            Self::Class(_, data) => data.prefixes,
            Self::Short { def, .. } => def.prefixes,
            _ => ElementPrefixes::default(),
        }
    }

    pub fn short(self) -> Option<&'a ShortClass> {
        match self {
            Self::Class(_, data) => match &data.spec {
                ClassSpec::Short(short) => Some(short),
                _ => None,
            },
            Self::Short { def, .. } => match &def.spec {
                ast::ClassSpec::Short(short) => Some(short),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn enumeration(self) -> Option<Option<&'a [EnumLiteral]>> {
        match self {
            Self::Class(_, data) => match &data.spec {
                ClassSpec::Enumeration { literals } => Some(literals.as_deref()),
                _ => None,
            },
            Self::Short { def, .. } => match &def.spec {
                ast::ClassSpec::Enumeration { literals } => Some(literals.as_deref()),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn body(self) -> Option<&'a Body> {
        match self {
            Self::Class(_, data) => data.body(),
            _ => None,
        }
    }

    pub fn is_error(self) -> bool {
        match self {
            Self::Class(_, data) => matches!(data.spec, ClassSpec::Error),
            Self::Short { def, .. } => matches!(def.spec, ast::ClassSpec::Error),
            _ => false,
        }
    }

    pub fn constrained_by(self) -> Option<&'a ConstrainedBy> {
        match self {
            Self::Class(_, data) => data.constrained_by.as_deref(),
            Self::Short { def, .. } => def.constrained_by.as_deref(),
            _ => None,
        }
    }

    pub fn description(self) -> Option<&'a Description> {
        match self {
            Self::Class(_, data) => data.description.as_ref(),
            Self::Short { def, .. } => def.comment.description.as_ref(),
            _ => None,
        }
    }

    pub fn annotation(self) -> Option<&'a Annotation> {
        match self {
            Self::Class(_, data) => data.annotation.as_deref(),
            Self::Short { def, .. } => def.comment.annotation.as_deref(),
            _ => None,
        }
    }

    /// Where its name is declared.
    pub fn name_place(self) -> Option<Place> {
        match self {
            Self::Class(id, data) => Some(crate::tree::place_of(id, data.name.span)),
            Self::Short { def, text } => Some(crate::tree::place_of(text, def.name.span)),
            _ => None,
        }
    }

    /// Whether both are the same text.
    pub fn same(self, other: Def<'_>) -> bool {
        match (self, other) {
            (Self::Root, Def::Root) => true,
            (Self::Class(a, _), Def::Class(b, _)) => a == b,
            (Self::Short { def: a, text: s }, Def::Short { def: b, text: t }) => {
                s == t && a.span == b.span
            }
            (Self::Builtin(a), Def::Builtin(b)) => a == b,
            _ => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Unexpanded,
    Expanding,
    Expanded,
}

/// A component or base class of a node, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Component(ElemId),
    Base(NodeId),
}

#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub def: Def<'a>,
    /// The scope around the definition. The root is its own parent.
    pub parent: NodeId,
    /// The node that extends this one.
    pub derived: Option<NodeId>,
    /// The component whose class this is, or is a base of.
    pub owner: Option<ElemId>,
    pub modifier: Option<Arc<Mod<'a>>>,
    /// For `class extends`: what is extended.
    pub inherited: Option<Arc<ClassElem<'a>>>,
    /// Name in messages and of functions: follows the instances, as in `M.pipe.Medium`.
    pub path: Arc<str>,
    pub state: State,
    pub members: FxHashMap<Name, Option<ElemId>>,
    pub items: Vec<Item>,
    pub bases: Vec<NodeId>,
    /// Extended in a protected section: all its elements are protected.
    pub protected: bool,
}

/// A declared component, from a class body or a redeclaring modifier.
#[derive(Clone, Copy)]
pub(crate) struct CompDecl<'a> {
    pub name: Ident,
    pub prefixes: ElementPrefixes,
    pub type_prefix: TypePrefix,
    pub type_name: &'a Path,
    pub clause_dims: &'a [Subscript],
    pub dims: &'a [Subscript],
    pub modification: Option<&'a Modification>,
    pub condition: Option<&'a Expr>,
    pub constrained_by: Option<&'a ConstrainedBy>,
    pub description: Option<&'a Description>,
    pub annotation: Option<&'a Annotation>,
    pub span: Span,
    /// The class whose text the spans refer to.
    pub text: ClassId,
}

impl<'a> CompDecl<'a> {
    pub fn from_class(component: &'a HirComponent, text: ClassId) -> Self {
        let clause = &component.clause;
        Self {
            name: component.name,
            prefixes: clause.prefixes,
            type_prefix: clause.type_prefix,
            type_name: &clause.type_name,
            clause_dims: &clause.dims,
            dims: &component.dims,
            modification: component.modification.as_deref(),
            condition: component.condition.as_ref(),
            constrained_by: clause.constrained_by.as_deref(),
            description: component.description.as_ref(),
            annotation: component.annotation.as_deref(),
            span: clause.span,
            text,
        }
    }

    /// The single declaration of a clause in a modifier.
    pub fn from_modifier(clause: &'a ast::ComponentClause, text: ClassId) -> Option<Self> {
        let decl = clause.declarations.first()?;
        Some(Self {
            name: decl.name,
            prefixes: clause.prefixes,
            type_prefix: clause.type_prefix,
            type_name: &clause.type_name,
            clause_dims: &clause.dims,
            dims: &decl.dims,
            modification: decl.modification.as_deref(),
            condition: decl.condition.as_ref(),
            constrained_by: clause.constrained_by.as_deref(),
            description: decl
                .comment
                .description
                .as_ref()
                .or(clause.comment.description.as_ref()),
            annotation: decl
                .comment
                .annotation
                .as_deref()
                .or(clause.comment.annotation.as_deref()),
            span: decl.span,
            text,
        })
    }

    /// Where the name is declared.
    pub fn place(&self) -> Place {
        crate::tree::place_of(self.text, self.name.span)
    }
}

/// A class as an element: which definition is in force, and what modifies it.
#[derive(Clone)]
pub(crate) struct ClassElem<'a> {
    pub def: Def<'a>,
    /// Where names of the definition are looked up.
    pub scope: NodeId,
    /// Modifiers from outside.
    pub modifier: Option<Arc<Mod<'a>>>,
    /// Modifiers of the constraining clause: weaker than those of the definition.
    pub constraining: Option<Arc<Mod<'a>>>,
    /// What this redeclares.
    pub original: Option<Arc<ClassElem<'a>>>,
}

impl<'a> ClassElem<'a> {
    /// The declaration that constrains this one: what it redeclares, and where that redeclares something without a
    /// constraining clause of its own, what constrains that (Modelica 3.6 §7.3.2).
    pub fn constraint(&self) -> &Self {
        let mut found = self.original.as_deref().unwrap_or(self);
        while let Some(first) = found.original.as_deref()
            && found.def.constrained_by().is_none()
        {
            found = first;
        }
        found
    }
}

#[derive(Clone)]
pub(crate) struct CompElem<'a> {
    pub decl: CompDecl<'a>,
    /// Where type, dimensions and condition are looked up.
    pub scope: NodeId,
    pub modifier: Option<Arc<Mod<'a>>>,
    /// What this redeclares, with its scope.
    pub original: Option<Arc<(CompDecl<'a>, NodeId)>>,
    /// The declaration that constrains this redeclaration. A redeclaration without a clause keeps the constraining type of
    /// what it replaces (Modelica 3.6 §7.3.2).
    pub constraint: Option<Arc<(CompDecl<'a>, NodeId)>>,
    /// Whether it exists: a redeclaration keeps the condition of what it replaces (Modelica 3.6 §7.3).
    pub condition: Option<Condition<'a>>,
    /// Its position, if it is an element of an array that is split.
    pub element: Option<Arc<[i64]>>,
    pub instance: Progress<crate::tree::ComponentId>,
}

/// The condition of a component, and where its names are looked up.
#[derive(Clone, Copy)]
pub(crate) struct Condition<'a> {
    pub exp: &'a Expr,
    pub scope: NodeId,
    pub text: ClassId,
}

impl<'a> Condition<'a> {
    /// The condition that a declaration has itself.
    pub fn of(decl: &CompDecl<'a>, scope: NodeId) -> Option<Self> {
        decl.condition.map(|exp| Self {
            exp,
            scope,
            text: decl.text,
        })
    }
}

/// Something computed once, on demand, that may turn out to need itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Progress<T> {
    #[default]
    Todo,
    Busy,
    Done(T),
}

#[derive(Clone)]
pub(crate) enum ElemKind<'a> {
    Component(CompElem<'a>),
    Class(ClassElem<'a>),
}

#[derive(Clone)]
pub(crate) struct Elem<'a> {
    pub name: Name,
    /// The node that declares it.
    pub node: NodeId,
    pub protected: bool,
    pub kind: ElemKind<'a>,
    /// The node of a class, once made.
    pub class_node: Option<NodeId>,
}

impl<'a> Elem<'a> {
    pub fn component(&self) -> Option<&CompElem<'a>> {
        match &self.kind {
            ElemKind::Component(component) => Some(component),
            ElemKind::Class(_) => None,
        }
    }

    pub fn class(&self) -> Option<&ClassElem<'a>> {
        match &self.kind {
            ElemKind::Class(class) => Some(class),
            ElemKind::Component(_) => None,
        }
    }

    pub fn place(&self) -> Option<Place> {
        match &self.kind {
            ElemKind::Component(component) => Some(component.decl.place()),
            ElemKind::Class(class) => class.def.name_place(),
        }
    }
}
