//! The tree of class names of a file, without spans and contents. It stays equal while bodies are
//! edited, so what depends on which classes exist where is not computed anew.

use crate::Db;
use modeshift_base::Name;
use modeshift_db::{SourceFile, parse};
use modeshift_syntax::ast::{ClassDef, ClassKind, ClassSpec, ElementKind, StoredDefinition};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// The path behind `within`; empty for `within;`, `None` without the clause.
    pub within: Option<Vec<Name>>,
    pub classes: Vec<OutlineClass>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineClass {
    pub name: Name,
    pub kind: ClassKind,
    pub partial: bool,
    pub classes: Vec<OutlineClass>,
}

/// The class names of a file.
#[salsa::tracked(returns(ref))]
pub fn outline(db: &dyn Db, file: SourceFile) -> Outline {
    Outline::of(&parse(db, file).file)
}

impl Outline {
    /// Linear in the number of elements.
    pub fn of(tree: &StoredDefinition) -> Self {
        let within = tree.within.as_ref().map(|within| {
            within
                .path
                .iter()
                .flat_map(|path| path.parts.iter().map(|part| part.name))
                .collect()
        });
        Self {
            within,
            classes: tree.classes.iter().map(OutlineClass::of).collect(),
        }
    }

    /// The path of the package the file's classes belong to; empty for the global scope.
    pub fn within_path(&self) -> &[Name] {
        self.within.as_deref().unwrap_or_default()
    }
}

impl OutlineClass {
    fn of(def: &ClassDef) -> Self {
        let elements = match &def.spec {
            ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => body.elements.as_slice(),
            _ => &[],
        };
        let classes = elements
            .iter()
            .filter_map(|element| match &element.kind {
                ElementKind::Class(class) => Some(Self::of(class)),
                _ => None,
            })
            .collect();
        Self {
            name: def.name.name,
            kind: def.kind,
            partial: def.partial,
            classes,
        }
    }
}
