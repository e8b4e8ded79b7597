//! What is known about modes: hints, lenses, and the documents that commands open.

use super::{Answer, Handlers, Refusal};
use crate::capabilities::{OPEN_REPORT, SHOW_FLAT_MODEL, SHOW_MODES};
use lsp_types::{
    CodeLens, CodeLensParams, Command, ExecuteCommandParams, InlayHint, InlayHintLabel,
    InlayHintParams, InlayHintTooltip, Uri,
};
use modeshift_base::Span;
use serde_json::json;

/// What the commands are given.
#[derive(serde::Deserialize)]
struct About {
    uri: Uri,
    /// The full name of a class; without it the last model of the document is meant.
    class: Option<String>,
}

impl Handlers<'_> {
    pub(super) fn hints(&self, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let range = Span::new(
            index.offset(params.range.start),
            index.offset(params.range.end),
        );
        let hints = modeshift_ide::hints(self.converter.session, file, range);
        let hint = |it: modeshift_ide::Hint| InlayHint {
            position: index.position(it.offset),
            label: InlayHintLabel::String(it.text),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(it.more)),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        };
        Some(hints.into_iter().map(hint).collect())
    }

    pub(super) fn lenses(&self, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
        let uri = &params.text_document.uri;
        let file = self.file(uri);
        let index = self.converter.index(file);
        let lens = |it: modeshift_ide::Lens| CodeLens {
            range: index.range(it.span),
            command: Some(Command {
                title: it.text,
                command: OPEN_REPORT.to_owned(),
                arguments: Some(vec![json!({"uri": uri, "class": it.class})]),
            }),
            data: None,
        };
        let lenses = modeshift_ide::lenses(self.converter.session, file);
        Some(lenses.into_iter().map(lens).collect())
    }

    pub(super) fn execute(&self, params: &ExecuteCommandParams) -> Answer<String> {
        let refuse = |message: String| Err(Refusal(message));
        let about = params.arguments.first().cloned().unwrap_or_default();
        let Ok(about) = serde_json::from_value::<About>(about) else {
            return refuse(format!(
                "`{}` needs an argument {{\"uri\", \"class\"?}}",
                params.command
            ));
        };
        let session = self.converter.session;
        let file = self.file(&about.uri);
        let Some(class) = modeshift_ide::commanded(session, file, about.class.as_deref()) else {
            return refuse("there is no model here".to_owned());
        };
        let document = match params.command.as_str() {
            SHOW_FLAT_MODEL => modeshift_ide::flat_model(session, class),
            SHOW_MODES => modeshift_ide::modes(session, class),
            OPEN_REPORT => modeshift_ide::report(session, class),
            other => return refuse(format!("modeshift does not know the command `{other}`")),
        };
        document.map(Some).map_err(|error| Refusal(error.0))
    }
}
