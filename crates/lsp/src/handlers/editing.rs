//! Help with writing: completion, signatures, formatting, fixes.

use super::Handlers;
use crate::convert::completion_item;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionItem,
    CompletionParams, CompletionResponse, CompletionTextEdit, DocumentFormattingParams,
    DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, Documentation,
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
    TextEdit, Uri, WorkspaceEdit,
};
use modeshift_base::Span;
use modeshift_db::SourceFile;
use std::collections::HashMap;

impl Handlers<'_> {
    pub(super) fn completion(&self, params: &CompletionParams) -> Option<CompletionResponse> {
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

    /// The fixes of the diagnostics that were published where the cursor is.
    pub(super) fn code_actions(
        &self,
        params: &CodeActionParams,
    ) -> Option<Vec<CodeActionOrCommand>> {
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

/// Labels are counted in UTF-16, whatever the documents are.
fn utf16_range(label: &str, span: Span) -> [u32; 2] {
    let count = |end: u32| label[..end as usize].encode_utf16().count() as u32;
    [count(span.start), count(span.end)]
}
