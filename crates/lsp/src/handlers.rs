//! Answers to requests.

use crate::convert::{Converter, completion_item, document_symbol, path_of, symbol_kind};
use crate::server::Published;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest, GotoDefinition,
    GotoTypeDefinition, HoverRequest, Request as RequestKind, WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionItem,
    CompletionParams, CompletionResponse, CompletionTextEdit, DocumentSymbolParams,
    DocumentSymbolResponse, FoldingRange, FoldingRangeParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, LocationLink, MarkupContent,
    MarkupKind, OneOf, SymbolInformation, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use modeshift_db::{Db, SourceFile};
use modeshift_ide::{Symbol, Target};
use std::collections::HashMap;

/// What a request can look at.
pub(crate) struct Handlers<'a> {
    pub converter: Converter<'a>,
    pub published: &'a [Published],
}

/// Most symbols that a search answers with.
const MAX_SYMBOLS: usize = 512;

impl Handlers<'_> {
    /// The answer to a request; malformed and unknown ones are answered, too.
    pub fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        match request.method.as_str() {
            HoverRequest::METHOD => answer(request, |params| self.hover(&params)),
            GotoDefinition::METHOD => answer(request, |params| self.definition(&params)),
            GotoTypeDefinition::METHOD => answer(request, |params| self.type_definition(&params)),
            DocumentSymbolRequest::METHOD => answer(request, |params| self.symbols(&params)),
            WorkspaceSymbolRequest::METHOD => answer(request, |params| self.search(&params)),
            Completion::METHOD => answer(request, |params| self.completion(&params)),
            FoldingRangeRequest::METHOD => answer(request, |params| self.folding(&params)),
            CodeActionRequest::METHOD => answer(request, |params| self.code_actions(&params)),
            method => {
                let message = format!("modeshift does not know `{method}`");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }

    fn db(&self) -> &dyn Db {
        self.converter.session.db()
    }

    fn file(&self, uri: &Uri) -> SourceFile {
        self.db().files().source(self.db(), &path_of(uri))
    }

    fn at(&self, params: &TextDocumentPositionParams) -> (SourceFile, u32) {
        let file = self.file(&params.text_document.uri);
        (file, self.converter.index(file).offset(params.position))
    }

    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let hover = modeshift_ide::hover(self.db(), file, offset)?;
        let contents = MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover.markdown,
        };
        Some(Hover {
            contents: HoverContents::Markup(contents),
            range: Some(self.converter.index(file).range(hover.span)),
        })
    }

    fn definition(&self, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.at(&params.text_document_position_params);
        self.links(file, modeshift_ide::definition(self.db(), file, offset)?)
    }

    fn type_definition(&self, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.at(&params.text_document_position_params);
        self.links(
            file,
            modeshift_ide::type_definition(self.db(), file, offset)?,
        )
    }

    fn links(&self, file: SourceFile, target: Target) -> Option<GotoDefinitionResponse> {
        let name = self.converter.location(target.name)?;
        let declaration = self.converter.location(target.declaration)?;
        Some(GotoDefinitionResponse::Link(vec![LocationLink {
            origin_selection_range: Some(self.converter.index(file).range(target.origin)),
            target_uri: name.uri,
            target_range: declaration.range,
            target_selection_range: name.range,
        }]))
    }

    fn symbols(&self, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let symbols = modeshift_ide::document_symbols(self.db(), file).into_iter();
        let symbols = symbols
            .map(|symbol| document_symbol(symbol, &index))
            .collect();
        Some(DocumentSymbolResponse::Nested(symbols))
    }

    fn search(&self, params: &WorkspaceSymbolParams) -> Option<WorkspaceSymbolResponse> {
        let open = self.converter.session.open_files().iter().copied();
        let found = modeshift_ide::workspace_symbols(self.db(), open, &params.query, MAX_SYMBOLS);
        let symbols = found.into_iter().filter_map(|(name, kind, place)| {
            #[expect(deprecated, reason = "the field must be given")]
            Some(SymbolInformation {
                name,
                kind: symbol_kind(kind),
                tags: None,
                deprecated: None,
                location: self.converter.location(place)?,
                container_name: None,
            })
        });
        Some(WorkspaceSymbolResponse::Flat(symbols.collect()))
    }

    fn completion(&self, params: &CompletionParams) -> Option<CompletionResponse> {
        let (file, offset) = self.at(&params.text_document_position);
        let (span, items) = modeshift_ide::completions(self.db(), file, offset);
        let range = self.converter.index(file).range(span);
        let items = items.into_iter().enumerate().map(|(rank, item)| {
            let item = completion_item(item);
            let edit = TextEdit {
                range,
                new_text: item.label.clone(),
            };
            CompletionItem {
                // Nearer declarations come first, whatever their names.
                sort_text: Some(format!("{rank:06}")),
                text_edit: Some(CompletionTextEdit::Edit(edit)),
                ..item
            }
        });
        Some(CompletionResponse::Array(items.collect()))
    }

    fn folding(&self, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let mut ranges = Vec::new();
        let mut waiting: Vec<Symbol> = modeshift_ide::document_symbols(self.db(), file);
        while let Some(symbol) = waiting.pop() {
            let range = index.range(symbol.span);
            if range.end.line > range.start.line {
                ranges.push(FoldingRange {
                    start_line: range.start.line,
                    end_line: range.end.line,
                    ..Default::default()
                });
            }
            waiting.extend(symbol.children);
        }
        ranges.sort_by_key(|range| (range.start_line, range.end_line));
        Some(ranges)
    }

    /// The fixes of the diagnostics that were published where the cursor is.
    fn code_actions(&self, params: &CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
        let uri = &params.text_document.uri;
        let touches = |range: &lsp_types::Range| {
            range.start <= params.range.end && params.range.start <= range.end
        };
        let here = self
            .published
            .iter()
            .filter(|it| it.uri == *uri && touches(&it.shown.range));
        let actions = here.flat_map(|published| {
            published.diagnostic.fixes.iter().filter_map(|fix| {
                let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
                for edit in &fix.edits {
                    let location = self.converter.location(edit.at)?;
                    let edit = TextEdit {
                        range: location.range,
                        new_text: edit.text.clone(),
                    };
                    changes.entry(location.uri).or_default().push(edit);
                }
                Some(CodeActionOrCommand::CodeAction(CodeAction {
                    title: fix.title.clone(),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![published.shown.clone()]),
                    edit: Some(WorkspaceEdit {
                        changes: Some(changes),
                        ..Default::default()
                    }),
                    ..Default::default()
                }))
            })
        });
        Some(actions.collect())
    }
}

/// Reads the parameters, answers with what `handle` says, `null` for nothing.
fn answer<P, R>(request: Request, handle: impl FnOnce(P) -> Option<R>) -> Response
where
    P: serde::de::DeserializeOwned,
    R: serde::Serialize,
{
    match serde_json::from_value::<P>(request.params) {
        Ok(params) => Response::new_ok(request.id, handle(params)),
        Err(error) => {
            let message = format!("{}: {error}", request.method);
            Response::new_err(request.id, ErrorCode::InvalidParams as i32, message)
        }
    }
}

/// What the server can do, as it tells the client.
pub(crate) fn capabilities(encoding: crate::document::Encoding) -> lsp_types::ServerCapabilities {
    use lsp_types::{
        CodeActionProviderCapability, CompletionOptions, FoldingRangeProviderCapability,
        HoverProviderCapability, PositionEncodingKind, ServerCapabilities,
        TextDocumentSyncCapability, TextDocumentSyncKind, TypeDefinitionProviderCapability,
    };
    ServerCapabilities {
        position_encoding: Some(match encoding {
            crate::document::Encoding::Utf8 => PositionEncodingKind::UTF8,
            crate::document::Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "(".to_owned()]),
            ..Default::default()
        }),
        ..Default::default()
    }
}
