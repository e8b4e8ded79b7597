//! Answers to requests.

mod editing;
mod insight;
mod navigation;
mod outline;

use crate::convert::{Converter, path_of};
use crate::server::Published;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition,
    GotoImplementation, GotoTypeDefinition, HoverRequest, InlayHintRequest, OnTypeFormatting,
    PrepareRenameRequest, RangeFormatting, References, Rename, Request as RequestKind,
    SelectionRangeRequest, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest, WorkspaceSymbolRequest,
};
use lsp_types::{TextDocumentPositionParams, Uri};
use modeshift_db::{Db, SourceFile};
use serde::de::DeserializeOwned;

/// What a request can look at.
pub(crate) struct Handlers<'a> {
    pub converter: Converter<'a>,
    pub published: &'a [Published],
    /// All has been said about this state of the texts: what there is to tell about modes is known.
    pub settled: bool,
}

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
            SemanticTokensRangeRequest::METHOD => {
                answer(request, |params| Ok(self.tokens_in_range(&params)))
            }
            FoldingRangeRequest::METHOD => answer(request, |params| Ok(self.folding(&params))),
            SelectionRangeRequest::METHOD => answer(request, |params| Ok(self.selections(&params))),
            Completion::METHOD => answer(request, |params| Ok(self.completion(&params))),
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

    /// The text of a document of the built-in library; of no other, which clients can read themselves.
    fn content(&self, params: &ContentParams) -> Option<serde_json::Value> {
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
