//! The stages after the class tree, as queries.

use modeshift_diag::Diagnostic;
use modeshift_flat::flatten::{Flat, Options, flatten};
use modeshift_hir::{ClassId, Db};
use modeshift_inst::instantiate;
use modeshift_inst::tree::Instance;

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
