//! What the server can do, as it tells the client, and what the client can do.

use crate::document::Encoding;
use lsp_types::{
    CallHierarchyServerCapability, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, DiagnosticOptions, DiagnosticServerCapabilities,
    DocumentLinkOptions, DocumentOnTypeFormattingOptions, ExecuteCommandOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, ImplementationProviderCapability,
    InitializeParams, OneOf, PositionEncodingKind, RenameOptions, ResourceOperationKind,
    SelectionRangeProviderCapability, SemanticTokenModifier, SemanticTokenType,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TypeDefinitionProviderCapability, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

/// The commands that a client can run with `workspace/executeCommand`. Each takes `{"uri", "class"?}` and gives a
/// text.
pub(crate) const COMMANDS: [&str; 3] = [SHOW_FLAT_MODEL, SHOW_MODES, OPEN_REPORT];
pub(crate) const SHOW_FLAT_MODEL: &str = "modeshift.showFlatModel";
pub(crate) const SHOW_MODES: &str = "modeshift.showModes";
pub(crate) const OPEN_REPORT: &str = "modeshift.openReport";

/// In the order of [`modeshift_ide::Highlight`].
pub(crate) const TOKEN_TYPES: [SemanticTokenType; 15] = [
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::CLASS,
    SemanticTokenType::INTERFACE,
    SemanticTokenType::STRUCT,
    SemanticTokenType::TYPE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
];

/// Bit 0, 1, 2 of the modifiers of a token.
pub(crate) const TOKEN_MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// As JSON, because the types know no type hierarchy.
pub(crate) fn capabilities(encoding: Encoding, client: ClientCapabilities) -> serde_json::Value {
    let known = known_capabilities(encoding, client);
    let mut all = serde_json::to_value(known).unwrap_or_default();
    all["typeHierarchyProvider"] = true.into();
    all
}

fn known_capabilities(encoding: Encoding, client: ClientCapabilities) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_EXTRACT,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::SOURCE_FIX_ALL,
            ]),
            ..Default::default()
        })),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        // Who is told and asks, too, would see everything twice.
        diagnostic_provider: client.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("modeshift".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: false,
                ..Default::default()
            })
        }),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: ";".to_owned(),
            more_trigger_character: Some(vec!["\n".to_owned()]),
        }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "(".to_owned()]),
            resolve_provider: Some(true),
            ..Default::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
            ..Default::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: TOKEN_TYPES.to_vec(),
                    token_modifiers: TOKEN_MODIFIERS.to_vec(),
                },
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..Default::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            ..Default::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..Default::default()
    }
}

/// What we make use of in a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClientCapabilities {
    /// It shows how far long work is.
    pub progress: bool,
    /// It watches files for us, and also outside of its folders.
    pub watches_files: bool,
    pub watches_anywhere: bool,
    /// It asks again for hints and lenses when told to.
    pub refreshes_hints: bool,
    pub refreshes_lenses: bool,
    pub refreshes_tokens: bool,
    /// It fills in the places of snippets.
    pub snippets: bool,
    /// It renames files as a part of an edit.
    pub renames_files: bool,
    /// It asks for diagnostics and is not told (`{"pullDiagnostics": true}` among the initialization options).
    pub pulls: bool,
    /// It wants to hear when all that is to be said about the texts has been said.
    pub status: bool,
}

impl ClientCapabilities {
    pub fn of(params: &InitializeParams) -> Self {
        let client = &params.capabilities;
        let window = client.window.as_ref();
        let workspace = client.workspace.as_ref();
        let watched = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        let yes = |it: Option<bool>| it.unwrap_or(false);
        let options = params.initialization_options.as_ref();
        let option = |name: &str| options.and_then(|it| it.get(name));
        let completion = client.text_document.as_ref();
        let completion = completion.and_then(|it| it.completion.as_ref());
        let edits = workspace.and_then(|it| it.workspace_edit.as_ref());
        let operations = edits.and_then(|it| it.resource_operations.as_deref());
        Self {
            progress: yes(window.and_then(|it| it.work_done_progress)),
            watches_files: yes(watched.and_then(|it| it.dynamic_registration)),
            watches_anywhere: yes(watched.and_then(|it| it.relative_pattern_support)),
            refreshes_hints: yes(workspace
                .and_then(|it| it.inlay_hint.as_ref())
                .and_then(|it| it.refresh_support)),
            refreshes_lenses: yes(workspace
                .and_then(|it| it.code_lens.as_ref())
                .and_then(|it| it.refresh_support)),
            refreshes_tokens: yes(workspace
                .and_then(|it| it.semantic_tokens.as_ref())
                .and_then(|it| it.refresh_support)),
            snippets: yes(completion
                .and_then(|it| it.completion_item.as_ref())
                .and_then(|it| it.snippet_support)),
            renames_files: yes(edits.and_then(|it| it.document_changes))
                && operations.is_some_and(|it| it.contains(&ResourceOperationKind::Rename)),
            pulls: yes(option("pullDiagnostics").and_then(serde_json::Value::as_bool)),
            status: yes(option("status").and_then(serde_json::Value::as_bool)),
        }
    }
}

/// UTF-8 costs nothing to count, so it is taken when the client knows it.
pub(crate) fn negotiate(params: &InitializeParams) -> Encoding {
    let offered = params.capabilities.general.as_ref();
    let offered = offered.and_then(|general| general.position_encodings.as_deref());
    match offered
        .unwrap_or_default()
        .contains(&PositionEncodingKind::UTF8)
    {
        true => Encoding::Utf8,
        false => Encoding::Utf16,
    }
}
