//! Classes: their identity, their declared contents, where they live in files and libraries, and
//! lookup as far as it needs no instances.
//!
//! The unit of incrementality is the class. [`class`] gives what a class declares itself, with spans
//! that are relative to the class and with nested classes only named, so that the value does not
//! change when text is edited anywhere else, be it in a nested class. [`resolve`] brings
//! a place back to its file when something is shown to the user. Later phases carry places as
//! [`modeshift_base::FileSpan`]: make one with [`ClassSpan::to_place`].
//!
//! Never here: inheritance, modifiers, types. Those need instances and are made in `inst`.

mod annotation;
mod checks;
mod classes;
mod conversion;
mod data;
mod declarations;
mod experiment;
mod id;
mod layout;
mod library;
mod lower;
mod near;
mod outlines;
mod package;
mod plain;
mod rebase;
mod rules;
mod scope;
pub mod statics;
mod uses;

pub use checks::{
    all_classes, class_diagnostics, file_diagnostics, library_diagnostics, not_found_note,
    unknown_class,
};
pub use classes::{class, class_declarations, class_layout, resolve, resolve_place};
pub use conversion::{converted_class, converted_element};
pub use data::{
    Body, ClassData, ClassSpec, Clause, Component, Element, ElementIdx, Extends, ImportElement,
    NestedClass,
};
pub use experiment::{Experiment, experiment};
pub use id::{ClassId, ClassSpan};
pub use layout::Layout;
pub use library::{Candidate, OpenClasses, in_library, library_class, open_classes, root_names};
pub use lower::lower_redeclaration;
pub use modeshift_db::Db;
pub use near::{
    classes_named, classes_named_in, constant_named, near_names, nearest_names, one_of,
};
pub use outlines::{Outline, OutlineClass, outline};
pub use package::member_names;
pub use plain::{SMOOTH, class_frame, frame, marks, plain_equations};
pub use rules::class_rules;
pub use scope::{
    GlobalPath, Imported, Member, class_by_path, enclosing, enclosing_of_file, full_name,
    global_path, imported_names, member_of, named_import, named_imports, nested_class, own_member,
    root_class, root_class_from, unqualified_imports,
};
pub use uses::{Uses, openmodelica_options, uses, version};
