//! What a class declares itself. All spans are in the own text of the class (see [`crate::Layout`]).

use crate::ClassId;
use modeshift_base::{FxHashMap, Name, Shared, Span};
use modeshift_syntax::ast::{
    Annotation, Argument, ClassKind, ConstrainedBy, Description, ElementPrefixes, EnumLiteral,
    Expr, External, Ident, Import, Modification, Path, Purity, Section, ShortClass, Subscript,
    TypePrefix,
};
use std::sync::Arc;

/// A class without its nested classes' contents. Annotations are reduced to those that have a
/// meaning for the model (`crate::annotation`): graphics and documentation do not disturb it.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassData {
    pub kind: ClassKind,
    pub encapsulated: bool,
    pub partial: bool,
    pub purity: Option<Purity>,
    pub prefixes: ElementPrefixes,
    /// Declared in a `protected` section of the class around it.
    pub protected: bool,
    pub name: Ident,
    pub spec: ClassSpec,
    /// `constrainedby` of a replaceable class; to be looked up in the class around it.
    pub constrained_by: Option<Box<ConstrainedBy>>,
    pub description: Option<Description>,
    pub annotation: Option<Box<Annotation>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ClassSpec {
    /// `model A ... end A;`
    Long(Body),
    /// `model extends A(...) ... end A;`
    Extends {
        modification: Vec<Argument>,
        body: Body,
    },
    /// `type A = prefixes B[...](...)`
    Short(Box<ShortClass>),
    /// `type E = enumeration(a, b)`; `None` for `enumeration(:)`.
    Enumeration { literals: Option<Vec<EnumLiteral>> },
    /// `function fx = der(f, x, y)`
    Der { function: Path, wrt: Vec<Ident> },
    /// The parser could not make sense of it, or the class is gone. Stay silent about it.
    Error,
}

/// The index of an element in [`Body::elements`].
pub type ElementIdx = usize;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// In the order of the text; `Real x, y;` gives two components.
    pub elements: Shared<Vec<Element>>,
    /// Equation and algorithm sections in the order of the text.
    pub sections: Vec<Section>,
    pub external: Option<Box<External>>,
    /// The first component or class of each name.
    pub(crate) by_name: Shared<FxHashMap<Name, ElementIdx>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Element {
    Import(ImportElement),
    Extends(Extends),
    Component(Component),
    Class(NestedClass),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ImportElement {
    pub import: Import,
    pub protected: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Extends {
    pub base: Path,
    pub modification: Vec<Argument>,
    pub annotation: Option<Box<Annotation>>,
    pub protected: bool,
    pub span: Span,
}

/// One declared name of a component clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    pub name: Ident,
    /// What it shares with the other names of the same clause.
    pub clause: Arc<Clause>,
    /// Behind the name, `x[2]`; these come before those of the clause.
    pub dims: Vec<Subscript>,
    pub modification: Option<Box<Modification>>,
    pub condition: Option<Expr>,
    pub description: Option<Description>,
    pub annotation: Option<Box<Annotation>>,
    pub protected: bool,
    /// The declaration without the clause's prefixes and type.
    pub span: Span,
}

/// `prefixes Type[dims] … constrainedby …`
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub prefixes: ElementPrefixes,
    pub type_prefix: TypePrefix,
    pub type_name: Path,
    pub dims: Vec<Subscript>,
    pub constrained_by: Option<Box<ConstrainedBy>>,
    /// The whole clause.
    pub span: Span,
}

/// A class as an element of another. Everything else is in its own [`ClassData`].
#[derive(Clone, PartialEq, Debug)]
pub struct NestedClass {
    pub id: ClassId,
    pub name: Name,
    pub kind: ClassKind,
    pub prefixes: ElementPrefixes,
    pub partial: bool,
    pub encapsulated: bool,
    pub protected: bool,
    /// `model extends A`: the class is also a redeclaration of the inherited one.
    pub class_extends: bool,
}

impl ClassData {
    /// A class nothing is known about.
    pub(crate) fn unknown(name: Name) -> Self {
        Self {
            kind: ClassKind::Class,
            encapsulated: false,
            partial: false,
            purity: None,
            prefixes: ElementPrefixes::default(),
            protected: false,
            name: Ident {
                name,
                span: Span::default(),
            },
            spec: ClassSpec::Error,
            constrained_by: None,
            description: None,
            annotation: None,
        }
    }

    /// The body of a long class or a class extends.
    pub fn body(&self) -> Option<&Body> {
        match &self.spec {
            ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => Some(body),
            ClassSpec::Short(_) | ClassSpec::Enumeration { .. } | ClassSpec::Der { .. } => None,
            ClassSpec::Error => None,
        }
    }

    /// The class without its equations, its algorithms and its annotation.
    pub(crate) fn declarations(&self) -> Self {
        let without_sections = |body: &Body| Body {
            elements: body.elements.clone(),
            sections: Vec::new(),
            external: body.external.clone(),
            by_name: body.by_name.clone(),
        };
        let spec = match &self.spec {
            ClassSpec::Long(body) => ClassSpec::Long(without_sections(body)),
            ClassSpec::Extends { modification, body } => ClassSpec::Extends {
                modification: modification.clone(),
                body: without_sections(body),
            },
            other => other.clone(),
        };
        Self {
            kind: self.kind,
            encapsulated: self.encapsulated,
            partial: self.partial,
            purity: self.purity,
            prefixes: self.prefixes,
            protected: self.protected,
            name: self.name,
            spec,
            constrained_by: self.constrained_by.clone(),
            description: self.description.clone(),
            annotation: None,
        }
    }

    /// The elements of the body; none for other classes.
    pub fn elements(&self) -> &[Element] {
        self.body().map_or(&[], |body| &body.elements)
    }

    /// The component or class of that name declared here (not inherited). O(1).
    pub fn element(&self, name: Name) -> Option<&Element> {
        self.body()?.element(name)
    }

    pub fn imports(&self) -> impl Iterator<Item = &ImportElement> {
        self.elements().iter().filter_map(|element| match element {
            Element::Import(import) => Some(import),
            _ => None,
        })
    }

    pub fn extends(&self) -> impl Iterator<Item = &Extends> {
        self.elements().iter().filter_map(|element| match element {
            Element::Extends(extends) => Some(extends),
            _ => None,
        })
    }

    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.elements().iter().filter_map(|element| match element {
            Element::Component(component) => Some(component),
            _ => None,
        })
    }

    pub fn classes(&self) -> impl Iterator<Item = &NestedClass> {
        self.elements().iter().filter_map(|element| match element {
            Element::Class(class) => Some(class),
            _ => None,
        })
    }

    /// The argument of that name of the class annotation, e.g. `Evaluate`.
    pub fn annotation(&self, name: &str) -> Option<&Argument> {
        crate::annotation::find(self.annotation.as_deref()?, name)
    }
}

impl Body {
    /// The component or class of that name. O(1).
    pub fn element(&self, name: Name) -> Option<&Element> {
        self.by_name
            .get(&name)
            .and_then(|&index| self.elements.get(index))
    }

    /// Its index in `elements`.
    pub fn element_index(&self, name: Name) -> Option<ElementIdx> {
        self.by_name.get(&name).copied()
    }
}

impl Component {
    /// The argument of that name of the component's annotation, e.g. `Evaluate`.
    pub fn annotation(&self, name: &str) -> Option<&Argument> {
        crate::annotation::find(self.annotation.as_deref()?, name)
    }
}

impl Element {
    /// The name it declares in the class; imports and extends declare none.
    pub fn name(&self) -> Option<Name> {
        match self {
            Self::Component(component) => Some(component.name.name),
            Self::Class(class) => Some(class.name),
            Self::Import(_) | Self::Extends(_) => None,
        }
    }
}
