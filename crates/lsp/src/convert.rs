//! From our data to the protocol's.

use crate::document::{Encoding, LineIndex};
use lsp_types::{
    CodeDescription, CompletionItem, CompletionItemKind, CompletionItemLabelDetails,
    DiagnosticRelatedInformation, DiagnosticSeverity, DocumentSymbol, Documentation,
    InsertTextFormat, Location, NumberOrString, SymbolKind as LspSymbolKind, Uri,
};
use modeshift_base::{FileSpan, FxHashMap};
use modeshift_db::{BUILTIN_ROOT, Db, SourceFile};
use modeshift_diag::{Diagnostic, Severity};
use modeshift_driver::Session;
use modeshift_ide::{Completion, CompletionKind, Highlight, Symbol, SymbolKind};
use modeshift_syntax::ast::ClassKind;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

/// The scheme under which files of the built-in library appear.
pub(crate) const BUILTIN_SCHEME: &str = "modeshift-stdlib:/";

/// The scheme under which the pages about diagnostics appear.
pub(crate) const PAGE_SCHEME: &str = "modeshift-docs:/";

/// What must be escaped in the path of a `file:` URI.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Where documents that are not files appear (`untitled:…`). No file has such a path.
const DOCUMENT_ROOT: &str = "/<document>";

/// The path of a document.
pub(crate) fn path_of(uri: &Uri) -> PathBuf {
    let decode = |path: &str| percent_decode_str(path).decode_utf8_lossy().into_owned();
    let text = uri.as_str();
    if let Some(path) = text.strip_prefix("file://") {
        let path = decode(path);
        // `/c:/models` on Windows.
        let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
        return PathBuf::from(if drive { path[1..].to_owned() } else { path });
    }
    match text.strip_prefix(BUILTIN_SCHEME) {
        Some(inside) => Path::new(BUILTIN_ROOT).join(decode(inside)),
        None => Path::new(DOCUMENT_ROOT).join(text),
    }
}

/// The document at a path.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let escape = |path: &Path| {
        let text = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
        Some(utf8_percent_encode(&text, ESCAPED).to_string())
    };
    if let Ok(document) = path.strip_prefix(DOCUMENT_ROOT) {
        return Uri::from_str(document.to_str()?).ok();
    }
    let text = match path.strip_prefix(BUILTIN_ROOT) {
        Ok(inside) => format!("{BUILTIN_SCHEME}{}", escape(inside)?),
        Err(_) => format!("file:///{}", escape(path)?.trim_start_matches('/')),
    };
    Uri::from_str(&text).ok()
}

/// Everything that needs texts and their encoding.
pub(crate) struct Converter<'a> {
    pub session: &'a Session,
    pub encoding: Encoding,
    /// Where the lines of the files asked about begin.
    indices: RefCell<FxHashMap<SourceFile, Rc<LineIndex<'a>>>>,
}

impl<'a> Converter<'a> {
    pub fn new(session: &'a Session, encoding: Encoding) -> Self {
        Self {
            session,
            encoding,
            indices: RefCell::default(),
        }
    }

    pub fn index(&self, file: SourceFile) -> Rc<LineIndex<'a>> {
        let mut indices = self.indices.borrow_mut();
        let made = indices.entry(file).or_insert_with(|| {
            let text = file.text(self.session.db());
            Rc::new(LineIndex::new(text, self.encoding))
        });
        made.clone()
    }

    pub fn location(&self, place: FileSpan) -> Option<Location> {
        let db = self.session.db();
        let file = db.files().by_id(place.file)?;
        let uri = uri_of(file.path(db))?;
        Some(Location::new(uri, self.index(file).range(place.span)))
    }

    /// A diagnostic with the document it belongs to; those without a place belong to `fallback`. `page` is the address
    /// of the page that explains it.
    pub fn diagnostic(
        &self,
        diagnostic: &Diagnostic,
        fallback: Option<&Uri>,
        page: Option<&str>,
    ) -> Option<(Uri, lsp_types::Diagnostic)> {
        let primary = diagnostic.labels.first();
        let location = match primary {
            Some(label) => self.location(label.at)?,
            None => Location::new(fallback?.clone(), lsp_types::Range::default()),
        };
        let mut message = diagnostic.message.clone();
        if let Some(label) = primary.filter(|label| !label.message.is_empty()) {
            message.push('\n');
            message.push_str(&label.message);
        }
        for note in &diagnostic.notes {
            message.push_str("\nnote: ");
            message.push_str(note);
        }
        let related: Vec<_> = diagnostic
            .labels
            .iter()
            .skip(1)
            .filter_map(|label| {
                let location = self.location(label.at)?;
                Some(DiagnosticRelatedInformation {
                    location,
                    message: label.message.clone(),
                })
            })
            .collect();
        let converted = lsp_types::Diagnostic {
            range: location.range,
            severity: Some(match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Note => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(diagnostic.code.to_string())),
            code_description: page
                .and_then(|page| Uri::from_str(page).ok())
                .map(|href| CodeDescription { href }),
            source: Some("modeshift".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Default::default()
        };
        Some((location.uri, converted))
    }
}

pub(crate) fn document_symbol(symbol: Symbol, index: &LineIndex<'_>) -> DocumentSymbol {
    let children = symbol
        .children
        .into_iter()
        .map(|child| document_symbol(child, index))
        .collect();
    #[expect(deprecated, reason = "the field must be given")]
    DocumentSymbol {
        name: symbol.name.as_str().to_owned(),
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: index.range(symbol.span.to(symbol.selection)),
        selection_range: index.range(symbol.selection),
        children: Some(children),
    }
}

pub(crate) fn symbol_kind(kind: SymbolKind) -> LspSymbolKind {
    match kind {
        SymbolKind::Constant => LspSymbolKind::CONSTANT,
        SymbolKind::Parameter => LspSymbolKind::PROPERTY,
        SymbolKind::Component => LspSymbolKind::VARIABLE,
        SymbolKind::Class(kind) => match kind {
            ClassKind::Package => LspSymbolKind::PACKAGE,
            ClassKind::Function | ClassKind::OperatorFunction => LspSymbolKind::FUNCTION,
            ClassKind::Connector | ClassKind::ExpandableConnector => LspSymbolKind::INTERFACE,
            ClassKind::Record | ClassKind::OperatorRecord => LspSymbolKind::STRUCT,
            ClassKind::Operator => LspSymbolKind::OPERATOR,
            ClassKind::Type => LspSymbolKind::ENUM,
            ClassKind::Class | ClassKind::Model | ClassKind::Block => LspSymbolKind::CLASS,
        },
    }
}

/// The place of a kind in [`crate::capabilities::TOKEN_TYPES`].
pub(crate) const fn token_type(kind: Highlight) -> u32 {
    kind as u32
}

/// A proposal; `edit` makes an edit of the document the protocol's.
pub(crate) fn completion_item(
    completion: Completion,
    snippets: bool,
    edit: impl Fn(modeshift_ide::TextEdit) -> lsp_types::TextEdit,
) -> CompletionItem {
    let kind = match completion.kind {
        CompletionKind::Class(kind) => match kind {
            ClassKind::Function | ClassKind::OperatorFunction => CompletionItemKind::FUNCTION,
            ClassKind::Package => CompletionItemKind::MODULE,
            ClassKind::Connector | ClassKind::ExpandableConnector => CompletionItemKind::INTERFACE,
            ClassKind::Record | ClassKind::OperatorRecord => CompletionItemKind::STRUCT,
            ClassKind::Type => CompletionItemKind::ENUM,
            _ => CompletionItemKind::CLASS,
        },
        CompletionKind::UnreadClass => CompletionItemKind::MODULE,
        CompletionKind::Component => CompletionItemKind::VARIABLE,
        CompletionKind::Literal => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    };
    let snippet = completion.snippet.filter(|_| snippets);
    let label_details = completion
        .import
        .as_ref()
        .map(|_| CompletionItemLabelDetails {
            detail: None,
            description: Some(completion.detail.clone()),
        });
    CompletionItem {
        label: completion.name.as_str().to_owned(),
        label_details,
        kind: Some(kind),
        detail: (!completion.detail.is_empty()).then_some(completion.detail),
        documentation: (!completion.documentation.is_empty())
            .then_some(Documentation::String(completion.documentation)),
        insert_text_format: snippet.as_ref().map(|_| InsertTextFormat::SNIPPET),
        insert_text: snippet,
        additional_text_edits: completion.import.map(|it| vec![edit(it)]),
        data: completion.class.map(serde_json::Value::String),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri_of};
    use std::path::Path;

    #[test]
    fn paths_and_documents_are_inverse() {
        for path in [
            "/a b/é#x.mo",
            "<stdlib>/Modelica/Units.mo",
            "/<document>/untitled:Untitled-1",
        ] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(&uri), Path::new(path), "{}", uri.as_str());
        }
    }
}
