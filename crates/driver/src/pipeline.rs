//! The stages after the class tree, as queries.

use crate::Session;
use modeshift_base::FileId;
use modeshift_diag::{Diagnostic, Files};
use modeshift_flat::flatten::{Flat, Options, flatten};
use modeshift_flat::model::Place;
use modeshift_hir::{ClassId, Db, resolve_place};
use modeshift_inst::instantiate;
use modeshift_inst::tree::Instance;
use modeshift_mdae::{Lowered, lower};
use std::collections::BTreeSet;

/// The typed instance tree of a class.
#[salsa::tracked(returns(ref), no_eq)]
pub fn instance(db: &dyn Db, class: ClassId) -> Instance {
    instantiate(db, class)
}

/// The flat model of a class, with everything that instantiation and flattening have to say. It is empty
/// when instantiation found errors: what it left out would only give more of them.
#[salsa::tracked(returns(ref), no_eq)]
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
    /// The flat model of a class.
    pub fn flat(&self, class: ClassId) -> &Flat {
        flat(self.db(), class)
    }

    /// Whether the model and its parts have as many equations as unknowns.
    pub fn balance(&self, class: ClassId) -> Vec<Diagnostic> {
        modeshift_flat::balance::check(instance(self.db(), class), &self.flat(class).model)
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
