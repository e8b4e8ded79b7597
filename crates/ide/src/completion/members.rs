//! Elements of classes as proposals.

use super::words::Snippet;
use super::{Completion, CompletionKind, roots, scopes};
use crate::annotations::{self, Annotation};
use crate::builtins::BUILTINS;
use crate::cursor::Cursor;
use crate::format::TextEdit;
use crate::index::Entry;
use crate::predefined::Predefined;
use crate::symbols::dotted;
use modeshift_base::{FxHashSet, Name};
use modeshift_db::Db;
use modeshift_hir::statics::{Symbol, class_of, with_ancestors};
use modeshift_hir::{ClassId, ClassSpec, Component, Element, class, full_name, member_names};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{Causality, ClassKind, ImportKind, VariabilityPrefix};

/// Which elements of a class fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    All,
    Classes,
    /// Behind a component: what it has and shows.
    OfComponent,
    /// Behind a class: its classes and constants.
    OfPackage,
    /// Connectors, and components that have some.
    Connectors,
    /// What a modifier can change.
    Modifiable,
}

pub(super) struct Found<'db> {
    db: &'db dyn Db,
    seen: FxHashSet<Name>,
    pub items: Vec<Completion>,
}

impl<'db> Found<'db> {
    pub fn new(db: &'db dyn Db) -> Self {
        Self {
            db,
            seen: FxHashSet::default(),
            items: Vec::new(),
        }
    }

    /// The first proposal of a name hides later ones, as declarations do.
    fn add(&mut self, name: Name, kind: CompletionKind, detail: &str) -> Option<&mut Completion> {
        if !self.seen.insert(name) {
            return None;
        }
        self.items.push(Completion {
            name,
            kind,
            detail: detail.to_owned(),
            documentation: String::new(),
            snippet: None,
            import: None,
            class: None,
        });
        self.items.last_mut()
    }

    /// Own and inherited elements. Members stored in files of their own are proposed by name alone, so
    /// that asking for what a library has does not read it.
    pub fn members(&mut self, id: ClassId, wanted: Wanted) {
        let db = self.db;
        for class_id in with_ancestors(db, id) {
            let data = class(db, class_id);
            for (element, it) in data.elements().iter().enumerate() {
                match it {
                    Element::Component(component) => {
                        if self.fits(class_id, element, component, wanted) {
                            self.component(component);
                        }
                    }
                    Element::Class(nested) if fits_class(nested, wanted) => {
                        let snippet = (wanted == Wanted::Modifiable).then(|| {
                            format!("redeclare {} {} = $0", nested.kind.as_str(), nested.name)
                        });
                        self.class(nested.name, nested.kind, nested.id, snippet);
                    }
                    Element::Class(_) | Element::Import(_) | Element::Extends(_) => {}
                }
            }
            if let ClassSpec::Enumeration {
                literals: Some(literals),
            } = &data.spec
                && matches!(wanted, Wanted::All | Wanted::OfPackage)
            {
                for literal in literals {
                    let about = literal.comment.description.as_ref();
                    if let Some(it) = self.add(literal.name.name, CompletionKind::Literal, "") {
                        it.documentation = about.map(|it| it.text.to_string()).unwrap_or_default();
                    }
                }
            }
            if matches!(wanted, Wanted::All | Wanted::Classes | Wanted::OfPackage) {
                let prefix = dotted(full_name(db, class_id));
                let stored = |name: &Name| data.element(*name).is_none();
                for name in member_names(db, class_id).into_iter().filter(stored) {
                    if let Some(it) = self.add(name, CompletionKind::UnreadClass, "") {
                        it.class = Some(format!("{prefix}.{name}"));
                    }
                }
            }
        }
    }

    fn fits(&self, owner: ClassId, element: usize, component: &Component, wanted: Wanted) -> bool {
        let prefix = &component.clause.type_prefix;
        let constant = prefix.variability == Some(VariabilityPrefix::Constant);
        match wanted {
            Wanted::All => true,
            Wanted::Classes => false,
            Wanted::OfComponent => !component.protected,
            Wanted::OfPackage => constant && !component.protected,
            Wanted::Modifiable => {
                !component.protected && !component.clause.prefixes.final_ && !constant
            }
            Wanted::Connectors => {
                let symbol = Symbol::Component {
                    class: owner,
                    element,
                };
                let class = class_of(self.db, symbol);
                !component.protected && class.is_some_and(|it| has_connectors(self.db, it))
            }
        }
    }

    fn component(&mut self, component: &Component) {
        let names = component.clause.type_name.parts.iter();
        let names = dotted(names.map(|part| part.name));
        let about = component.description.as_ref();
        if let Some(it) = self.add(component.name.name, CompletionKind::Component, &names) {
            it.documentation = about.map(|it| it.text.to_string()).unwrap_or_default();
        }
    }

    fn class(&mut self, name: Name, kind: ClassKind, id: ClassId, snippet: Option<String>) {
        let db = self.db;
        if let Some(it) = self.add(name, CompletionKind::Class(kind), "") {
            it.snippet = snippet;
            it.class = Some(dotted(full_name(db, id)));
        }
    }

    /// Everything that can be named without a path.
    pub fn visible(&mut self, scope: Option<ClassId>, wanted: Wanted) {
        for class in scopes(self.db, scope) {
            self.members(class, wanted);
            self.imports(class);
        }
        self.roots();
    }

    pub fn roots(&mut self) {
        for name in roots(self.db) {
            if let Some(it) = self.add(name, CompletionKind::UnreadClass, "library") {
                it.class = Some(name.to_string());
            }
        }
    }

    fn imports(&mut self, id: ClassId) {
        let db = self.db;
        let mut named = |name: Name, full: String| {
            if let Some(it) = self.add(name, CompletionKind::UnreadClass, &full) {
                it.class = Some(full);
            }
        };
        let mut packages = Vec::new();
        for element in class(db, id).imports() {
            let path = &element.import.path;
            let names: Vec<Name> = path.parts.iter().map(|part| part.name).collect();
            let full = dotted(names.iter().copied());
            match &element.import.kind {
                ImportKind::Qualified => {
                    if let Some(last) = names.last() {
                        named(*last, full);
                    }
                }
                ImportKind::Renaming(alias) => named(alias.name, full),
                ImportKind::Names(list) => {
                    for name in list {
                        named(name.name, format!("{full}.{}", name.name));
                    }
                }
                ImportKind::All => packages.push(names),
            }
        }
        for names in packages {
            if let Some(package) = modeshift_hir::class_by_path(db, &names) {
                self.members(package, Wanted::OfPackage);
            }
        }
    }

    /// The inputs of the function that is called around the position: `x = `.
    pub fn named_arguments(&mut self, cursor: &Cursor<'_>, index: usize) {
        if !cursor.begins_argument(index) {
            return;
        }
        let Some(function) = cursor.bracket_class(index) else {
            return;
        };
        let db = self.db;
        let record = class(db, function).kind != ClassKind::Function;
        for class_id in with_ancestors(db, function) {
            for component in class(db, class_id).components() {
                let input = component.clause.type_prefix.causality == Some(Causality::Input);
                if !component.protected && (input || record) {
                    self.component(component);
                    let name = component.name.name;
                    if let Some(it) = self.items.last_mut().filter(|it| it.name == name) {
                        it.snippet = Some(format!("{name} = $0"));
                    }
                }
            }
        }
    }

    /// Connectors of the class, and those of its components with their path.
    pub fn connectors_in_scope(&mut self, scope: Option<ClassId>) {
        let Some(scope) = scope else { return };
        let db = self.db;
        let mut outer = Vec::new();
        for (owner, element, component) in all_components(db, scope) {
            let symbol = Symbol::Component {
                class: owner,
                element,
            };
            let Some(kind) = class_of(db, symbol) else {
                continue;
            };
            if is_connector(db, kind) {
                self.component(component);
            } else if has_connectors(db, kind) {
                outer.push((component.name.name, kind));
            }
        }
        for (name, kind) in outer {
            for (owner, element, inner) in all_components(db, kind) {
                let symbol = Symbol::Component {
                    class: owner,
                    element,
                };
                let connector = class_of(db, symbol).is_some_and(|it| is_connector(db, it));
                if connector && !inner.protected {
                    let path = Name::new(&format!("{name}.{}", inner.name.name));
                    let names = inner.clause.type_name.parts.iter();
                    let names = dotted(names.map(|part| part.name));
                    let about = inner.description.as_ref();
                    if let Some(it) = self.add(path, CompletionKind::Component, &names) {
                        it.documentation = about.map(|it| it.text.to_string()).unwrap_or_default();
                    }
                }
            }
        }
    }

    /// What an `end` can close.
    pub fn closings(&mut self, cursor: &Cursor<'_>, index: usize, scope: Option<ClassId>) {
        for word in cursor.open_constructs(index) {
            self.add(Name::new(word), CompletionKind::Keyword, "");
        }
        if let Some(scope) = scope {
            let kind = CompletionKind::Class(class(self.db, scope).kind);
            self.add(scope.name(self.db), kind, "");
        }
    }

    /// A class that has to be imported first.
    pub fn imported(&mut self, entry: &Entry, import: TextEdit) {
        let kind = CompletionKind::Class(entry.kind);
        if let Some(it) = self.add(entry.name, kind, &entry.full) {
            it.import = Some(import);
            it.class = Some(entry.full.clone());
        }
    }

    pub fn builtins(&mut self) {
        for builtin in BUILTINS {
            let kind = CompletionKind::Class(ClassKind::Function);
            if let Some(it) = self.add(Name::new(builtin.name), kind, &builtin.signature()) {
                it.documentation = builtin.about.to_owned();
                it.snippet = Some(match builtin.inputs {
                    [] => format!("{}()", builtin.name),
                    _ => format!("{}($0)", builtin.name),
                });
            }
        }
    }

    pub fn words(&mut self, words: &[&str]) {
        for word in words {
            self.add(Name::new(word), CompletionKind::Keyword, "");
        }
    }

    pub fn snippets(&mut self, snippets: &[Snippet]) {
        for &(name, about, text) in snippets {
            if let Some(it) = self.add(Name::new(name), CompletionKind::Snippet, about) {
                it.snippet = Some(text.to_owned());
            }
        }
    }

    pub fn attributes(&mut self, predefined: Predefined) {
        for attribute in predefined.attributes() {
            let name = Name::new(attribute.name);
            if let Some(it) = self.add(name, CompletionKind::Attribute, "") {
                it.documentation = attribute.about.to_owned();
                it.snippet = Some(format!("{} = $0", attribute.name));
            }
        }
    }

    pub fn annotation_literals(&mut self, name: &str) {
        for literal in annotations::literals(name) {
            self.add(Name::new(literal), CompletionKind::Literal, "");
        }
    }

    /// Names that can be written in an annotation, or values of one. Gives whether nothing else can stand there.
    pub fn annotations(&mut self, cursor: &Cursor<'_>, index: usize, path: &[Name]) -> bool {
        let inside = |path: &[Name]| annotations::inside(path.iter().map(|name| name.as_str()));
        let fields = inside(path);
        let before = cursor.kind_before(index);
        let named = |list: &[&Annotation], name: Name| {
            let field = list.iter().find(|it| it.name == name.as_str());
            field.map_or(&[][..], |it| it.values)
        };
        let values = match (before, path.split_last()) {
            (Some(TokenKind::Equals), _) => {
                let name = index.checked_sub(2).map(|name| cursor.name(name));
                name.map_or(&[][..], |name| named(&fields, name))
            }
            // An element of an array: `textStyle = {TextStyle.Bold, |`.
            (Some(TokenKind::LBrace | TokenKind::Comma), Some((&last, outer))) => {
                named(&inside(outer), last)
            }
            _ => &[],
        };
        for value in values {
            self.add(Name::new(value), CompletionKind::Literal, "");
        }
        let begins = cursor.begins_argument(index) || before == Some(TokenKind::LBrace);
        if begins {
            for field in fields {
                let name = Name::new(field.name);
                self.add(name, CompletionKind::Attribute, field.about);
            }
        }
        begins
    }
}

fn fits_class(nested: &modeshift_hir::NestedClass, wanted: Wanted) -> bool {
    match wanted {
        Wanted::All | Wanted::Classes => true,
        Wanted::OfPackage => !nested.protected,
        Wanted::Modifiable => nested.prefixes.replaceable && !nested.protected,
        Wanted::OfComponent | Wanted::Connectors => false,
    }
}

/// The components that a class declares and inherits.
fn all_components(db: &dyn Db, id: ClassId) -> impl Iterator<Item = (ClassId, usize, &Component)> {
    with_ancestors(db, id).into_iter().flat_map(move |owner| {
        let elements = class(db, owner).elements().iter().enumerate();
        elements.filter_map(move |(element, it)| match it {
            Element::Component(component) => Some((owner, element, component)),
            _ => None,
        })
    })
}

fn is_connector(db: &dyn Db, id: ClassId) -> bool {
    with_ancestors(db, id).into_iter().any(|it| {
        matches!(
            class(db, it).kind,
            ClassKind::Connector | ClassKind::ExpandableConnector
        )
    })
}

fn has_connectors(db: &dyn Db, id: ClassId) -> bool {
    is_connector(db, id)
        || all_components(db, id).any(|(owner, element, _)| {
            let symbol = Symbol::Component {
                class: owner,
                element,
            };
            class_of(db, symbol).is_some_and(|it| is_connector(db, it))
        })
}
