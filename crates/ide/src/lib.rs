//! What an editor asks, answered as plain data: symbols, definitions, hover texts, completions.
//!
//! Questions are a file and a byte offset, answers are places in files and texts. Names are found by
//! scanning words around the cursor and following declarations (`hir::statics`), so
//! everything here works while the text is broken and before anything is instantiated.
//!
//! Never here: the protocol of any editor, and line numbers.

mod completion;
mod cursor;
mod definition;
mod hover;
mod symbols;

pub use completion::{Completion, CompletionKind, completions};
pub use definition::{Target, definition, type_definition};
pub use hover::{Hover, hover};
pub use symbols::{Symbol, SymbolKind, class_at, document_symbols, workspace_symbols};
