//! What could be typed at a position.

use crate::annotations::{self, Annotation};
use crate::builtins::BUILTINS;
use crate::cursor::Cursor;
use crate::symbols::dotted;
use modeshift_base::{FxHashSet, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{class_of, with_ancestors};
use modeshift_hir::{ClassId, ClassSpec, Element, class, enclosing, member_names, root_names};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{ClassKind, ImportKind};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    Class(ClassKind),
    /// A class whose file has not been read.
    UnreadClass,
    Component,
    Literal,
    /// `start`, `fixed`, …
    Attribute,
    Keyword,
}

/// One proposal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    pub name: Name,
    pub kind: CompletionKind,
    /// The type of a component, or where an inherited element comes from.
    pub detail: String,
}

/// Proposals for the word at `offset`, and the range that a chosen one replaces. Proposals are not
/// filtered by what has been typed: editors do that. O(length of the file + number of proposals).
pub fn completions(db: &dyn Db, file: SourceFile, offset: u32) -> (Span, Vec<Completion>) {
    let cursor = Cursor::new(db, file);
    let (span, index) = match cursor.identifier_at(offset) {
        Some(index) => (cursor.span(index), index),
        None => (Span::new(offset, offset), cursor.index_after(offset)),
    };
    let mut found = Found {
        db,
        seen: FxHashSet::default(),
        items: Vec::new(),
    };
    let annotation = cursor.annotation_path(index);
    if let Some(before) = cursor.before_dot(index) {
        if let (Some(_), [name]) = (&annotation, before.names.as_slice()) {
            let literals = annotations::literals(name.as_str());
            literals.for_each(|it| found.add(Name::new(it), CompletionKind::Literal, ""));
        }
        if let Some(class) = cursor
            .resolve(&before)
            .and_then(|symbol| class_of(db, symbol))
        {
            found.members(class);
        }
        return (span, found.items);
    }
    if let Some(path) = &annotation
        && found.annotations(&cursor, index, path)
    {
        return (span, found.items);
    }
    if annotation.is_none()
        && cursor.begins_argument(index)
        && let Some(class) = cursor.bracket_class(index)
    {
        found.members(class);
        found.attributes();
    }
    let mut scope = cursor.scope_at(offset);
    let mut steps = 0;
    while let Some(class) = scope.filter(|_| steps < 1000) {
        found.members(class);
        found.imports(class);
        scope = enclosing(db, class).filter(|_| !modeshift_hir::class(db, class).encapsulated);
        steps += 1;
    }
    for name in root_names(db) {
        found.add(name, CompletionKind::UnreadClass, "library");
    }
    for builtin in BUILTINS {
        let kind = CompletionKind::Class(ClassKind::Function);
        found.add(Name::new(builtin.name), kind, &builtin.signature());
    }
    for keyword in KEYWORDS {
        found.add(Name::new(keyword), CompletionKind::Keyword, "");
    }
    (span, found.items)
}

struct Found<'db> {
    db: &'db dyn Db,
    seen: FxHashSet<Name>,
    items: Vec<Completion>,
}

impl Found<'_> {
    /// The first proposal of a name hides later ones, as declarations do.
    fn add(&mut self, name: Name, kind: CompletionKind, detail: &str) {
        if self.seen.insert(name) {
            self.items.push(Completion {
                name,
                kind,
                detail: detail.to_owned(),
            });
        }
    }

    /// Own and inherited elements. Members stored in files of their own are proposed by name alone, so
    /// that asking for what a library has does not read it.
    fn members(&mut self, id: ClassId) {
        for class_id in with_ancestors(self.db, id) {
            let data = class(self.db, class_id);
            for element in data.elements() {
                match element {
                    Element::Component(component) => {
                        let names = component
                            .clause
                            .type_name
                            .parts
                            .iter()
                            .map(|part| part.name);
                        let name = component.name.name;
                        self.add(name, CompletionKind::Component, &dotted(names));
                    }
                    Element::Class(nested) => {
                        self.add(nested.name, CompletionKind::Class(nested.kind), "");
                    }
                    Element::Import(_) | Element::Extends(_) => {}
                }
            }
            if let ClassSpec::Enumeration {
                literals: Some(literals),
            } = &data.spec
            {
                for literal in literals {
                    self.add(literal.name.name, CompletionKind::Literal, "");
                }
            }
            for name in member_names(self.db, class_id) {
                self.add(name, CompletionKind::UnreadClass, "");
            }
        }
    }

    fn imports(&mut self, id: ClassId) {
        for element in class(self.db, id).imports() {
            let path = &element.import.path;
            let full = dotted(path.parts.iter().map(|part| part.name));
            match &element.import.kind {
                ImportKind::Qualified => {
                    if let Some(last) = path.parts.last() {
                        self.add(last.name, CompletionKind::UnreadClass, &full);
                    }
                }
                ImportKind::Renaming(alias) => {
                    self.add(alias.name, CompletionKind::UnreadClass, &full);
                }
                ImportKind::Names(names) => {
                    for name in names {
                        self.add(name.name, CompletionKind::UnreadClass, &full);
                    }
                }
                ImportKind::All => {
                    let names: Vec<Name> = path.parts.iter().map(|part| part.name).collect();
                    if let Some(package) = modeshift_hir::class_by_path(self.db, &names) {
                        self.members(package);
                    }
                }
            }
        }
    }

    /// Names that can be written in an annotation, or values of one. Gives whether nothing else can stand there.
    fn annotations(&mut self, cursor: &Cursor<'_>, index: usize, path: &[Name]) -> bool {
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
                self.add(
                    Name::new(field.name),
                    CompletionKind::Attribute,
                    field.about,
                );
            }
        }
        begins
    }

    fn attributes(&mut self) {
        for name in ATTRIBUTES {
            self.add(Name::new(name), CompletionKind::Attribute, "");
        }
    }
}

/// Attributes of the predefined types (Modelica 3.6, section 4.9).
const ATTRIBUTES: &[&str] = &[
    "start",
    "fixed",
    "min",
    "max",
    "nominal",
    "unit",
    "displayUnit",
    "quantity",
    "stateSelect",
    "unbounded",
];

const KEYWORDS: &[&str] = &[
    "algorithm",
    "and",
    "annotation",
    "block",
    "break",
    "class",
    "connect",
    "connector",
    "constant",
    "constrainedby",
    "discrete",
    "each",
    "else",
    "elseif",
    "elsewhen",
    "encapsulated",
    "end",
    "enumeration",
    "equation",
    "expandable",
    "extends",
    "external",
    "false",
    "final",
    "flow",
    "for",
    "function",
    "if",
    "import",
    "in",
    "initial",
    "inner",
    "input",
    "loop",
    "model",
    "not",
    "operator",
    "or",
    "outer",
    "output",
    "package",
    "parameter",
    "partial",
    "protected",
    "public",
    "pure",
    "record",
    "redeclare",
    "replaceable",
    "return",
    "stream",
    "then",
    "time",
    "true",
    "type",
    "when",
    "while",
    "within",
    "Boolean",
    "Integer",
    "Real",
    "String",
];
