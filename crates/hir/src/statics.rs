//! What a name means without instantiating anything: inheritance is followed as it is written, modifiers
//! and redeclarations are not applied. Good enough to lead a reader to a declaration, in
//! classes that are not complete, and cheap; never good enough to translate a model.

use crate::scope::{Member, named_import, own_member, unqualified_imports};
use crate::{
    ClassData, ClassId, ClassSpec, Db, Element, ElementIdx, class, enclosing, root_class_from,
};
use modeshift_base::{FxHashSet, Name};
use modeshift_syntax::ast::Path;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    Class(ClassId),
    /// Element `element` of the class that declares it.
    Component {
        class: ClassId,
        element: ElementIdx,
    },
    /// Literal `index` (from 0) of an enumeration.
    Literal {
        class: ClassId,
        index: usize,
    },
}

/// The classes that a class inherits from directly, as far as they can be found. A short class inherits
/// from what it is an alias of.
#[salsa::tracked(returns(deref), cycle_result = no_bases)]
pub fn bases(db: &dyn Db, id: ClassId) -> Vec<ClassId> {
    let data = class(db, id);
    let find = |path: &Path| match lookup_from(db, id, path, Inherited::Without)? {
        Symbol::Class(base) if base != id => Some(base),
        _ => None,
    };
    match &data.spec {
        ClassSpec::Short(short) => find(&short.base).into_iter().collect(),
        ClassSpec::Extends { .. } => {
            // `model extends A` inherits from the `A` that the class around it inherits.
            let inherited = enclosing(db, id).and_then(|outer| {
                bases(db, outer)
                    .iter()
                    .find_map(|&base| member(db, base, id.name(db)))
            });
            let inherited = inherited.and_then(Symbol::as_class);
            inherited
                .into_iter()
                .chain(data.extends().filter_map(|it| find(&it.base)))
                .collect()
        }
        _ => data
            .extends()
            .filter_map(|extends| find(&extends.base))
            .collect(),
    }
}

fn no_bases(_: &dyn Db, _: salsa::Id, _: ClassId) -> Vec<ClassId> {
    Vec::new()
}

impl Symbol {
    pub fn as_class(self) -> Option<ClassId> {
        match self {
            Self::Class(class) => Some(class),
            _ => None,
        }
    }

    pub fn name(self, db: &dyn Db) -> Name {
        match self {
            Self::Class(class) => class.name(db),
            Self::Component { class: id, element } => class(db, id)
                .elements()
                .get(element)
                .and_then(Element::name)
                .unwrap_or_else(|| id.name(db)),
            Self::Literal { class: id, index } => literals(class(db, id))
                .nth(index)
                .unwrap_or_else(|| id.name(db)),
        }
    }
}

fn literals(data: &ClassData) -> impl Iterator<Item = Name> {
    let literals = match &data.spec {
        ClassSpec::Enumeration {
            literals: Some(literals),
        } => literals.as_slice(),
        _ => &[],
    };
    literals.iter().map(|literal| literal.name.name)
}

/// A class and everything it inherits from, each once, nearest first.
pub fn with_ancestors(db: &dyn Db, id: ClassId) -> Vec<ClassId> {
    let mut seen = FxHashSet::default();
    let mut found = vec![id];
    seen.insert(id);
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        found.extend(
            bases(db, at)
                .iter()
                .copied()
                .filter(|base| seen.insert(*base)),
        );
    }
    found
}

/// The element `name` of a class, its own or inherited.
pub fn member(db: &dyn Db, id: ClassId, name: Name) -> Option<Symbol> {
    own(db, id, name).or_else(|| {
        with_ancestors(db, id)
            .into_iter()
            .skip(1)
            .find_map(|base| own(db, base, name))
    })
}

fn own(db: &dyn Db, id: ClassId, name: Name) -> Option<Symbol> {
    match own_member(db, id, name) {
        Some(Member::Class(nested)) => Some(Symbol::Class(nested)),
        Some(Member::Component(element)) => Some(Symbol::Component { class: id, element }),
        None => literals(class(db, id))
            .position(|literal| literal == name)
            .map(|index| Symbol::Literal { class: id, index }),
    }
}

/// Whether inherited elements of the class that lookup starts in count. They do not for its own
/// `extends` clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inherited {
    With,
    Without,
}

/// A name as it is written in class `scope`.
pub fn lookup(db: &dyn Db, scope: ClassId, name: Name) -> Option<Symbol> {
    lookup_simple(db, scope, name, Inherited::With)
}

/// A dotted name as it is written in class `scope`. Behind a component, its type's elements count.
pub fn lookup_path(db: &dyn Db, scope: ClassId, global: bool, path: &[Name]) -> Option<Symbol> {
    let (&first, rest) = path.split_first()?;
    let start = match global {
        true => Symbol::Class(root_class_from(db, scope, first)?),
        false => lookup(db, scope, first)?,
    };
    follow(db, start, rest)
}

fn follow(db: &dyn Db, start: Symbol, rest: &[Name]) -> Option<Symbol> {
    rest.iter()
        .try_fold(start, |at, &name| member(db, class_of(db, at)?, name))
}

/// The class whose elements stand behind a dot: the class itself, or the type of a component.
pub fn class_of(db: &dyn Db, symbol: Symbol) -> Option<ClassId> {
    match symbol {
        Symbol::Class(class) => Some(class),
        Symbol::Component {
            class: owner,
            element,
        } => class_of_component(db, owner, element),
        Symbol::Literal { .. } => None,
    }
}

/// A query so that `x.T x` is a cycle that ends.
#[salsa::tracked(returns(copy), cycle_result = no_class)]
fn class_of_component(db: &dyn Db, owner: ClassId, element: ElementIdx) -> Option<ClassId> {
    let Element::Component(component) = class(db, owner).elements().get(element)? else {
        return None;
    };
    lookup_from(db, owner, &component.clause.type_name, Inherited::With)?.as_class()
}

fn no_class(_: &dyn Db, _: salsa::Id, _: ClassId, _: ElementIdx) -> Option<ClassId> {
    None
}

fn lookup_from(db: &dyn Db, scope: ClassId, path: &Path, inherited: Inherited) -> Option<Symbol> {
    let names: Vec<Name> = path.parts.iter().map(|part| part.name).collect();
    let (&first, rest) = names.split_first()?;
    let start = match path.global {
        true => Symbol::Class(root_class_from(db, scope, first)?),
        false => lookup_simple(db, scope, first, inherited)?,
    };
    follow(db, start, rest)
}

/// From the class outwards: elements, then imports, then the class around it, until an encapsulated class
/// ends the walk; then the global scope.
fn lookup_simple(
    db: &dyn Db,
    scope: ClassId,
    name: Name,
    mut inherited: Inherited,
) -> Option<Symbol> {
    let mut at = scope;
    let mut steps = 0;
    loop {
        let here = match inherited {
            Inherited::With => member(db, at, name),
            // A short class and a class extends do not find themselves as their own base.
            Inherited::Without => own(db, at, name),
        };
        if let Some(found) = here.or_else(|| imported(db, at, name)) {
            return Some(found);
        }
        inherited = Inherited::With;
        steps += 1;
        match enclosing(db, at) {
            Some(outer) if !class(db, at).encapsulated && steps < 1000 => at = outer,
            _ => return root_class_from(db, scope, name).map(Symbol::Class),
        }
    }
}

fn imported(db: &dyn Db, id: ClassId, name: Name) -> Option<Symbol> {
    let data = class(db, id);
    let from_root = |path: &[Name]| {
        let (&first, rest) = path.split_first()?;
        follow(db, Symbol::Class(root_class_from(db, id, first)?), rest)
    };
    if let Some(import) = named_import(data, name) {
        return from_root(&import.path);
    }
    unqualified_imports(data).find_map(|import| {
        let package = from_root(&import.path)?.as_class()?;
        member(db, package, name)
    })
}
