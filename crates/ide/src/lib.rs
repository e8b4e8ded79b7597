//! What an editor asks, answered as plain data: symbols, definitions, hover texts, completions.
//!
//! Questions are a file and a byte offset, answers are places in files and texts. Names are found by
//! scanning words around the cursor and following declarations (`hir::statics`), so all that is about names works
//! while the text is broken and before anything is instantiated. What is told about modes (`insight`) comes from
//! the analysis, for models without mistakes.
//!
//! Never here: the protocol of any editor, and line numbers.

mod annotations;
mod builtins;
mod completion;
mod constants;
mod cursor;
mod definition;
mod documentation;
mod documents;
mod folding;
mod format;
mod hierarchy;
mod hover;
mod index;
mod inherited;
mod insight;
mod links;
mod locals;
mod predefined;
mod refactor;
mod references;
mod rename;
mod selection;
mod signature;
mod symbols;
mod tokens;

pub use builtins::{BUILTINS, Builtin, builtin};
pub use completion::{Completion, CompletionKind, Completions, completions};
pub use definition::{Target, definition, implementations, type_definition};
pub use documents::{NoDocument, flat_model, modes, report};
pub use folding::{Fold, folds};
pub use format::{TextEdit, format, format_on_type};
pub use hierarchy::{
    Calls, HierarchyItem, call_item, incoming_calls, outgoing_calls, subtypes, supertypes,
    type_item,
};
pub use hover::{Hover, class_documentation, hover, quick_hover};
pub use index::{ClassIndex, Entry};
pub use insight::{Hint, Lens, commanded, hints, lenses};
pub use links::{Destination, links};
pub use refactor::{Refactoring, refactorings};
pub use references::{Reference, Usage, references};
pub use rename::{Rename, RenameError, prepare_rename, rename};
pub use selection::selections;
pub use signature::{Signature, signature};
pub use symbols::{Symbol, SymbolKind, class_at, document_symbols, workspace_symbols};
pub use tokens::{Highlight, Highlighted, highlights};
