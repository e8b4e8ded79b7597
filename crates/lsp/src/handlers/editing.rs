//! Help with writing: completion, signatures, formatting, fixes.

use super::Handlers;
use crate::convert::completion_item;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionItem,
    CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation, TextEdit, Uri, WorkspaceEdit,
};
use modeshift_base::Span;
use modeshift_db::SourceFile;
use modeshift_diag::Edit;
use std::collections::HashMap;

impl Handlers<'_> {
    pub(super) fn completion(&self, params: &CompletionParams) -> Option<CompletionResponse> {
        let (file, offset) = self.at(&params.text_document_position);
        let found = modeshift_ide::completions(self.db(), file, offset, self.index.get());
        let index = self.converter.index(file);
        let range = index.range(found.span);
        let edit = |it: modeshift_ide::TextEdit| TextEdit::new(index.range(it.span), it.text);
        let items = found.items.into_iter().enumerate().map(|(rank, item)| {
            let item = completion_item(item, self.client.snippets, edit);
            let edit = TextEdit {
                range,
                new_text: item.insert_text.unwrap_or_else(|| item.label.clone()),
            };
            CompletionItem {
                // Nearer declarations come first, whatever their names.
                sort_text: Some(format!("{rank:06}")),
                text_edit: Some(CompletionTextEdit::Edit(edit)),
                insert_text: None,
                ..item
            }
        });
        Some(CompletionResponse::List(CompletionList {
            is_incomplete: found.incomplete,
            items: items.collect(),
        }))
    }

    /// What is known about a proposed class. Only now is its file read.
    pub(super) fn resolve_completion(&self, mut item: CompletionItem) -> CompletionItem {
        let class = item.data.as_ref().and_then(|it| it.as_str());
        let about = class.and_then(|it| modeshift_ide::class_documentation(self.db(), it));
        if let Some(value) = about {
            item.documentation = Some(Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value,
            }));
        }
        item
    }

    pub(super) fn signature(&self, params: &SignatureHelpParams) -> Option<SignatureHelp> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let found = modeshift_ide::signature(self.db(), file, offset)?;
        let label = found.label;
        let parameter = |(span, about): (Span, String)| ParameterInformation {
            label: ParameterLabel::LabelOffsets(utf16_range(&label, span)),
            documentation: (!about.is_empty()).then_some(Documentation::String(about)),
        };
        let parameters = found.parameters.into_iter().map(parameter).collect();
        let active = found.active.map(|it| it as u32);
        Some(SignatureHelp {
            signatures: vec![SignatureInformation {
                parameters: Some(parameters),
                documentation: (!found.about.is_empty())
                    .then_some(Documentation::String(found.about)),
                active_parameter: active,
                label,
            }],
            active_signature: Some(0),
            active_parameter: active,
        })
    }

    pub(super) fn format(&self, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
        let file = self.file(&params.text_document.uri);
        let edits = modeshift_ide::format(self.db(), file, 0..usize::MAX);
        Some(self.text_edits(file, edits))
    }

    pub(super) fn format_range(
        &self,
        params: &DocumentRangeFormattingParams,
    ) -> Option<Vec<TextEdit>> {
        let file = self.file(&params.text_document.uri);
        let (start, end) = (params.range.start, params.range.end);
        // A range that ends at the beginning of a line does not mean that line.
        let last = match end.character {
            0 => end.line.max(start.line + 1),
            _ => end.line + 1,
        };
        let edits = modeshift_ide::format(self.db(), file, start.line as usize..last as usize);
        Some(self.text_edits(file, edits))
    }

    pub(super) fn format_on_type(
        &self,
        params: &DocumentOnTypeFormattingParams,
    ) -> Option<Vec<TextEdit>> {
        let (file, offset) = self.at(&params.text_document_position);
        let edits = modeshift_ide::format_on_type(self.db(), file, offset, &params.ch);
        Some(self.text_edits(file, edits))
    }

    fn text_edits(&self, file: SourceFile, edits: Vec<modeshift_ide::TextEdit>) -> Vec<TextEdit> {
        let index = self.converter.index(file);
        let edits = edits.into_iter();
        edits
            .map(|edit| TextEdit::new(index.range(edit.span), edit.text))
            .collect()
    }

    /// The fixes of the diagnostics that were published where the cursor is, changes that keep the meaning, and all
    /// fixes of the document at once.
    pub(super) fn code_actions(
        &self,
        params: &CodeActionParams,
    ) -> Option<Vec<CodeActionOrCommand>> {
        let wanted = |kind: &CodeActionKind| {
            let only = params.context.only.as_deref();
            only.is_none_or(|only| only.iter().any(|it| is_part(kind, it)))
        };
        let mut actions = Vec::new();
        if wanted(&CodeActionKind::QUICKFIX) {
            actions.extend(self.fixes(params));
        }
        actions.extend(self.refactorings(params).into_iter().filter(|action| {
            let kind = action.kind.as_ref();
            kind.is_some_and(wanted)
        }));
        // It is for saving, and for those who ask for it.
        if params.context.only.is_some() && wanted(&CodeActionKind::SOURCE_FIX_ALL) {
            actions.extend(self.fix_all(&params.text_document.uri));
        }
        let actions = actions.into_iter().map(CodeActionOrCommand::CodeAction);
        Some(actions.collect())
    }

    fn fixes(&self, params: &CodeActionParams) -> Vec<CodeAction> {
        let uri = &params.text_document.uri;
        let touches = |range: &lsp_types::Range| {
            range.start <= params.range.end && params.range.start <= range.end
        };
        let here = self
            .published
            .iter()
            .filter(|it| it.uri == *uri && touches(&it.shown.range));
        let actions = here.flat_map(|published| {
            let fixes = &published.diagnostic.fixes;
            fixes.iter().filter_map(|fix| {
                Some(CodeAction {
                    title: fix.title.clone(),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![published.shown.clone()]),
                    // Where there is no choice it is what most people want.
                    is_preferred: Some(fixes.len() == 1),
                    edit: Some(self.workspace_edit(&fix.edits)?),
                    ..Default::default()
                })
            })
        });
        actions.collect()
    }

    fn workspace_edit<'e>(
        &self,
        edits: impl IntoIterator<Item = &'e Edit>,
    ) -> Option<WorkspaceEdit> {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for edit in edits {
            let location = self.converter.location(edit.at)?;
            let edit = TextEdit {
                range: location.range,
                new_text: edit.text.clone(),
            };
            changes.entry(location.uri).or_default().push(edit);
        }
        Some(WorkspaceEdit::new(changes))
    }

    fn refactorings(&self, params: &CodeActionParams) -> Vec<CodeAction> {
        let uri = &params.text_document.uri;
        let file = self.file(uri);
        let index = self.converter.index(file);
        let (start, end) = (params.range.start, params.range.end);
        let selected = Span::new(
            index.offset(start),
            index.offset(end).max(index.offset(start)),
        );
        let found = modeshift_ide::refactorings(self.db(), file, selected);
        let action = |it: modeshift_ide::Refactoring| CodeAction {
            title: it.title,
            kind: Some(match it.extracts {
                true => CodeActionKind::REFACTOR_EXTRACT,
                false => CodeActionKind::REFACTOR_REWRITE,
            }),
            edit: Some(WorkspaceEdit::new(HashMap::from([(
                uri.clone(),
                self.text_edits(file, it.edits),
            )]))),
            ..Default::default()
        };
        found.into_iter().map(action).collect()
    }

    /// The fixes of a document that leave no choice and do not get in each other's way, the first ones first: what
    /// `modeshift check --fix` does.
    fn fix_all(&self, uri: &Uri) -> Option<CodeAction> {
        let mut taken: Vec<Edit> = Vec::new();
        let published = self.published.iter().filter(|it| it.uri == *uri);
        for it in published.filter(|it| it.diagnostic.fixes.len() == 1) {
            let edits = &it.diagnostic.fixes[0].edits;
            let free = |edit: &Edit| taken.iter().all(|other| apart(edit, other));
            if edits.iter().all(free) {
                taken.extend(edits.iter().cloned());
            }
        }
        (!taken.is_empty()).then(|| {
            Some(CodeAction {
                title: "Fix all problems that can be fixed".to_owned(),
                kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(self.workspace_edit(&taken)?),
                ..Default::default()
            })
        })?
    }
}

/// Whether a kind is one of those that are wanted: `refactor.extract` is a `refactor`.
fn is_part(kind: &CodeActionKind, wanted: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether two edits do not touch.
fn apart(a: &Edit, b: &Edit) -> bool {
    a.at.file != b.at.file || a.at.span.end < b.at.span.start || b.at.span.end < a.at.span.start
}

/// Labels are counted in UTF-16, whatever the documents are.
fn utf16_range(label: &str, span: Span) -> [u32; 2] {
    let count = |end: u32| label[..end as usize].encode_utf16().count() as u32;
    [count(span.start), count(span.end)]
}
