//! The stages after the class tree, as queries.

use crate::Session;
use modeshift_base::FileId;
use modeshift_diag::{Diagnostic, Files};
use modeshift_flat::flatten::{Flat, Options, flatten};
use modeshift_flat::model::Place;
use modeshift_hir::{ClassId, Db, file_diagnostics, outline, resolve_place};
use modeshift_inst::instantiate;
use modeshift_inst::tree::Instance;
use modeshift_mdae::{Lowered, lower};
use modeshift_syntax::ast::ClassKind;
use std::collections::BTreeSet;

/// The typed instance tree of a class.
#[salsa::tracked(returns(ref), no_eq)]
pub fn instance(db: &dyn Db, class: ClassId) -> Instance {
    instantiate(db, class)
}

/// The flat model of a class, with everything that instantiation and flattening have to say. It is empty
/// when instantiation found errors: what it left out would only give more of them.
///
/// Compared with the last one: what is made of it later costs more than the comparison.
#[salsa::tracked(returns(ref))]
pub fn flat(db: &dyn Db, class: ClassId) -> Flat {
    flat_with(db, class, Options::default())
}

/// The same with other than the usual options.
pub fn flat_with(db: &dyn Db, class: ClassId, options: Options) -> Flat {
    let instance = instance(db, class);
    if instance.diagnostics.iter().any(Diagnostic::is_error) {
        return Flat {
            diagnostics: instance.diagnostics.clone(),
            ..Flat::default()
        };
    }
    let mut flat = flatten(instance, options);
    flat.diagnostics
        .splice(0..0, instance.diagnostics.iter().cloned());
    flat
}

impl Session {
    /// Everything that can be said about the open files and the class named, or the default one. Later
    /// phases speak only when earlier ones found no error.
    pub fn check(&self, class: Option<&str>, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let mut found = self.check_files();
        if found.iter().any(Diagnostic::is_error) {
            return found;
        }
        match self.target(class) {
            Ok(class) => {
                found.extend(self.check_classes(self.checkable(class, true), deny_fixpoints))
            }
            Err(diagnostic) => found.push(*diagnostic),
        }
        found
    }

    /// Everything that can be said about the open files and all their classes: what an editor shows. A
    /// file with errors of its own does not hide what is wrong with the others.
    pub fn check_all(&self) -> Vec<Diagnostic> {
        let mut found = self.check_files();
        for &file in self.open_files() {
            if file_diagnostics(self.db(), file)
                .iter()
                .any(Diagnostic::is_error)
            {
                continue;
            }
            let top = outline(self.db(), file).classes.iter();
            let top = top.map(|class| ClassId::new(self.db(), file, None, class.name, 0));
            let classes: Vec<ClassId> =
                top.flat_map(|class| self.checkable(class, false)).collect();
            found.extend(self.check_classes(classes, false));
        }
        found
    }

    fn check_classes(&self, classes: Vec<ClassId>, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let check = |class| self.check_class(class, deny_fixpoints);
        classes.into_iter().flat_map(check).collect()
    }

    /// What the phases after lookup say about one class. With `deny_fixpoints`, conditions that depend on
    /// what they decide are errors throughout.
    pub fn check_class(&self, class: ClassId, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let findings = crate::modes::findings(self.db(), class, deny_fixpoints);
        let mut found = findings.diagnostics.clone();
        self.offer_left_limits(&findings.lags, &mut found);
        found
    }

    /// The classes that checking `class` means: the complete models in the text of a package, and of other
    /// classes themselves, if they are complete models or the user asked for them.
    fn checkable(&self, class: ClassId, asked_for: bool) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut waiting = vec![class];
        while let Some(id) = waiting.pop() {
            let data = modeshift_hir::class(self.db(), id);
            match data.kind {
                ClassKind::Package => {
                    let nested: Vec<ClassId> = data.classes().map(|nested| nested.id).collect();
                    waiting.extend(nested.into_iter().rev());
                }
                _ if id == class && asked_for => found.push(id),
                ClassKind::Model | ClassKind::Block | ClassKind::Class if !data.partial => {
                    found.push(id);
                }
                _ => {}
            }
        }
        found
    }

    /// The flat model of a class.
    pub fn flat(&self, class: ClassId) -> &Flat {
        flat(self.db(), class)
    }

    /// The place in its file, whatever text it is relative to.
    pub fn resolve(&self, place: Place) -> Place {
        resolve_place(self.db(), place)
    }

    /// Names and texts of the files that resolved places point into.
    pub fn files_of(&self, places: impl IntoIterator<Item = Place>) -> Files {
        let mentioned: BTreeSet<FileId> = places.into_iter().map(|place| place.file).collect();
        let mut files = Files::new();
        for id in mentioned {
            if let Some((name, text)) = self.name_and_text(id) {
                files.insert(id, name, text);
            }
        }
        files
    }
}

/// The mDAE of a class: empty when there is no flat model.
#[salsa::tracked(returns(ref), no_eq)]
pub fn mdae(db: &dyn Db, class: ClassId) -> Lowered {
    lower(&flat(db, class).model)
}
