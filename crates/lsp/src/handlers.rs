//! Answers to requests.

mod diagnostics;
mod editing;
mod hierarchy;
mod insight;
mod navigation;
mod outline;

use crate::capabilities::ClientCapabilities;
use crate::convert::{Converter, PAGE_SCHEME, path_of};
use crate::server::Published;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare,
    CodeActionRequest, CodeLensRequest, Completion, DocumentDiagnosticRequest,
    DocumentHighlightRequest, DocumentLinkRequest, DocumentSymbolRequest, ExecuteCommand,
    FoldingRangeRequest, Formatting, GotoDefinition, GotoImplementation, GotoTypeDefinition,
    HoverRequest, InlayHintRequest, OnTypeFormatting, PrepareRenameRequest, RangeFormatting,
    References, Rename, Request as RequestKind, ResolveCompletionItem, SelectionRangeRequest,
    SemanticTokensFullDeltaRequest, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest, TypeHierarchyPrepare, TypeHierarchySubtypes, TypeHierarchySupertypes,
    WorkspaceSymbolRequest,
};
use lsp_types::{SemanticToken, TextDocumentPositionParams, Uri};
use modeshift_db::{Db, SourceFile};
use modeshift_diag::Code;
use modeshift_ide::ClassIndex;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// What a request can look at.
pub(crate) struct Handlers<'a> {
    pub converter: Converter<'a>,
    pub published: &'a [Published],
    /// All has been said about this state of the texts: what there is to tell about modes is known.
    pub settled: bool,
    /// Counts states of the texts.
    pub generation: u64,
    pub client: ClientCapabilities,
    pub index: &'a OnceLock<ClassIndex>,
    pub tokens: &'a Mutex<KnownTokens>,
    pub explain: Option<fn(Code) -> Option<&'static str>>,
}

/// What a client was told about the words of its documents, with the name under which it asks for the difference.
pub(crate) type KnownTokens = BTreeMap<Uri, (String, Vec<SemanticToken>)>;

/// Why a request that was understood is not fulfilled, for the user.
pub(crate) struct Refusal(pub String);

/// Nothing is answered as `null`.
type Answer<T> = Result<Option<T>, Refusal>;

/// Asks for the text of a document that is no file. The name is that of LSP 3.18.
const TEXT_DOCUMENT_CONTENT: &str = "workspace/textDocumentContent";

impl Handlers<'_> {
    /// The answer to a request; malformed and unknown ones are answered, too.
    pub fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        match request.method.as_str() {
            HoverRequest::METHOD => answer(request, |params| Ok(self.hover(&params))),
            GotoDefinition::METHOD => answer(request, |params| Ok(self.definition(&params))),
            GotoTypeDefinition::METHOD => {
                answer(request, |params| Ok(self.type_definition(&params)))
            }
            GotoImplementation::METHOD => {
                answer(request, |params| Ok(self.implementations(&params)))
            }
            References::METHOD => answer(request, |params| Ok(self.references(&params))),
            DocumentHighlightRequest::METHOD => {
                answer(request, |params| Ok(self.highlights(&params)))
            }
            PrepareRenameRequest::METHOD => answer(request, |params| self.prepare_rename(&params)),
            Rename::METHOD => answer(request, |params| self.rename(&params)),
            DocumentSymbolRequest::METHOD => answer(request, |params| Ok(self.symbols(&params))),
            WorkspaceSymbolRequest::METHOD => answer(request, |params| Ok(self.search(&params))),
            SemanticTokensFullRequest::METHOD => answer(request, |params| Ok(self.tokens(&params))),
            SemanticTokensFullDeltaRequest::METHOD => {
                answer(request, |params| Ok(self.tokens_delta(&params)))
            }
            SemanticTokensRangeRequest::METHOD => {
                answer(request, |params| Ok(self.tokens_in_range(&params)))
            }
            FoldingRangeRequest::METHOD => answer(request, |params| Ok(self.folding(&params))),
            SelectionRangeRequest::METHOD => answer(request, |params| Ok(self.selections(&params))),
            Completion::METHOD => answer(request, |params| Ok(self.completion(&params))),
            ResolveCompletionItem::METHOD => {
                answer(request, |params| Ok(Some(self.resolve_completion(params))))
            }
            CallHierarchyPrepare::METHOD => {
                answer(request, |params| Ok(self.prepare_calls(&params)))
            }
            CallHierarchyIncomingCalls::METHOD => {
                answer(request, |params| Ok(self.incoming_calls(&params)))
            }
            CallHierarchyOutgoingCalls::METHOD => {
                answer(request, |params| Ok(self.outgoing_calls(&params)))
            }
            TypeHierarchyPrepare::METHOD => {
                answer(request, |params| Ok(self.prepare_types(&params)))
            }
            TypeHierarchySupertypes::METHOD => {
                answer(request, |params| Ok(self.supertypes(&params)))
            }
            TypeHierarchySubtypes::METHOD => answer(request, |params| Ok(self.subtypes(&params))),
            DocumentLinkRequest::METHOD => answer(request, |params| Ok(self.links_in(&params))),
            DocumentDiagnosticRequest::METHOD => {
                answer(request, |params| Ok(Some(self.diagnostics(&params))))
            }
            SignatureHelpRequest::METHOD => answer(request, |params| Ok(self.signature(&params))),
            Formatting::METHOD => answer(request, |params| Ok(self.format(&params))),
            RangeFormatting::METHOD => answer(request, |params| Ok(self.format_range(&params))),
            OnTypeFormatting::METHOD => answer(request, |params| Ok(self.format_on_type(&params))),
            CodeActionRequest::METHOD => answer(request, |params| Ok(self.code_actions(&params))),
            InlayHintRequest::METHOD => answer(request, |params| Ok(self.hints(&params))),
            CodeLensRequest::METHOD => answer(request, |params| Ok(self.lenses(&params))),
            ExecuteCommand::METHOD => answer(request, |params| self.execute(&params)),
            TEXT_DOCUMENT_CONTENT => answer(request, |params| Ok(self.content(&params))),
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

    /// The text of a document of the built-in library or of a page about a diagnostic; of no other, which clients can
    /// read themselves.
    fn content(&self, params: &ContentParams) -> Option<serde_json::Value> {
        if let Some(name) = params.uri.as_str().strip_prefix(PAGE_SCHEME) {
            let code = Code::parse(name.trim_start_matches('/').strip_suffix(".md")?)?;
            return self.explain?(code).map(|text| serde_json::json!({ "text": text }));
        }
        let path = path_of(&params.uri);
        if !path.starts_with(modeshift_db::BUILTIN_ROOT) {
            return None;
        }
        let file = self.file(&params.uri);
        let there = matches!(
            file.contents(self.db()),
            modeshift_db::Contents::Text { .. }
        );
        there.then(|| serde_json::json!({ "text": file.text(self.db()) }))
    }
}

/// The parameters of [`TEXT_DOCUMENT_CONTENT`].
#[derive(serde::Deserialize)]
struct ContentParams {
    uri: Uri,
}

/// Reads the parameters, answers with what `handle` says.
fn answer<P, R>(request: Request, handle: impl FnOnce(P) -> Answer<R>) -> Response
where
    P: DeserializeOwned,
    R: serde::Serialize,
{
    match serde_json::from_value::<P>(request.params) {
        Ok(params) => match handle(params) {
            Ok(result) => Response::new_ok(request.id, result),
            Err(Refusal(message)) => {
                Response::new_err(request.id, ErrorCode::RequestFailed as i32, message)
            }
        },
        Err(error) => {
            let message = format!("{}: {error}", request.method);
            Response::new_err(request.id, ErrorCode::InvalidParams as i32, message)
        }
    }
}
