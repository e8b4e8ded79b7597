//! From a name to what it means, and back.

use super::{Answer, Handlers, Refusal};
use crate::convert::uri_of;
use lsp_types::{
    DocumentChangeOperation, DocumentChanges, DocumentHighlight, DocumentHighlightKind,
    DocumentHighlightParams, DocumentLink, DocumentLinkParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, Location, LocationLink,
    MarkupContent, MarkupKind, OneOf, OptionalVersionedTextDocumentIdentifier,
    PrepareRenameResponse, ReferenceParams, RenameFile, RenameParams, ResourceOp, TextDocumentEdit,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use modeshift_base::Span;
use modeshift_db::SourceFile;
use modeshift_ide::{Destination, Target, Usage};
use std::collections::BTreeMap;
use std::str::FromStr;

impl Handlers<'_> {
    pub(super) fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let (file, offset) = self.at(&params.text_document_position_params);
        // Before that, modes would have to be waited for.
        let hover = match self.settled {
            true => modeshift_ide::hover(self.converter.session, file, offset)?,
            false => modeshift_ide::quick_hover(self.converter.session, file, offset)?,
        };
        let contents = MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover.markdown,
        };
        Some(Hover {
            contents: HoverContents::Markup(contents),
            range: Some(self.converter.index(file).range(hover.span)),
        })
    }

    pub(super) fn definition(
        &self,
        params: &GotoDefinitionParams,
    ) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let target = modeshift_ide::definition(self.db(), file, offset)?;
        Some(self.links(file, vec![target]))
    }

    pub(super) fn type_definition(
        &self,
        params: &GotoDefinitionParams,
    ) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let target = modeshift_ide::type_definition(self.db(), file, offset)?;
        Some(self.links(file, vec![target]))
    }

    pub(super) fn implementations(
        &self,
        params: &GotoDefinitionParams,
    ) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let files = self.searched();
        let targets = modeshift_ide::implementations(self.db(), file, offset, &files)?;
        Some(self.links(file, targets))
    }

    fn links(&self, file: SourceFile, targets: Vec<Target>) -> GotoDefinitionResponse {
        let link = |target: Target| {
            let name = self.converter.location(target.name)?;
            let declaration = self.converter.location(target.declaration)?;
            Some(LocationLink {
                origin_selection_range: Some(self.converter.index(file).range(target.origin)),
                target_uri: name.uri,
                target_range: declaration.range,
                target_selection_range: name.range,
            })
        };
        GotoDefinitionResponse::Link(targets.into_iter().filter_map(link).collect())
    }

    /// Where uses are looked for: in what the user works on.
    pub(super) fn searched(&self) -> Vec<SourceFile> {
        self.converter.session.workspace_files()
    }

    pub(super) fn references(&self, params: &ReferenceParams) -> Option<Vec<Location>> {
        let (file, offset) = self.at(&params.text_document_position);
        let mut files = self.searched();
        // Something declared in a library: its own file is searched, too.
        if let Some(target) = modeshift_ide::definition(self.db(), file, offset)
            && let Some(home) = self.db().files().by_id(target.name.file)
            && !files.contains(&home)
        {
            files.push(home);
        }
        let found = modeshift_ide::references(self.db(), file, offset, &files)?;
        let declared = params.context.include_declaration;
        let found = found
            .into_iter()
            .filter(|it| declared || it.usage != Usage::Declaration);
        found.map(|it| self.converter.location(it.at)).collect()
    }

    pub(super) fn highlights(
        &self,
        params: &DocumentHighlightParams,
    ) -> Option<Vec<DocumentHighlight>> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let found = modeshift_ide::references(self.db(), file, offset, &[file])?;
        let index = self.converter.index(file);
        let highlight = |it: modeshift_ide::Reference| DocumentHighlight {
            range: index.range(it.at.span),
            kind: Some(match it.usage {
                Usage::Declaration => DocumentHighlightKind::TEXT,
                Usage::Write => DocumentHighlightKind::WRITE,
                Usage::Read => DocumentHighlightKind::READ,
            }),
        };
        Some(found.into_iter().map(highlight).collect())
    }

    pub(super) fn prepare_rename(
        &self,
        params: &TextDocumentPositionParams,
    ) -> Answer<PrepareRenameResponse> {
        let (file, offset) = self.at(params);
        let files = self.searched();
        let span = modeshift_ide::prepare_rename(self.db(), file, offset, &files)
            .map_err(|error| Refusal(error.0))?;
        let range = self.converter.index(file).range(span);
        Ok(Some(PrepareRenameResponse::Range(range)))
    }

    pub(super) fn rename(&self, params: &RenameParams) -> Answer<WorkspaceEdit> {
        let (file, offset) = self.at(&params.text_document_position);
        let (new, files) = (&params.new_name, self.searched());
        let rename = modeshift_ide::rename(self.db(), file, offset, new, &files)
            .map_err(|error| Refusal(error.0))?;
        let mut changes: BTreeMap<Uri, Vec<TextEdit>> = BTreeMap::new();
        for location in rename
            .places
            .into_iter()
            .filter_map(|place| self.converter.location(place))
        {
            let edit = TextEdit::new(location.range, new.clone());
            changes.entry(location.uri).or_default().push(edit);
        }
        if rename.moves.is_empty() {
            return Ok(Some(WorkspaceEdit::new(changes.into_iter().collect())));
        }
        if !self.client.renames_files {
            let (from, to) = &rename.moves[0];
            return Err(Refusal(format!(
                "`{}` would have to become `{}`, and this editor does not let a server rename files",
                from.display(),
                to.display()
            )));
        }
        // Texts change under their old names; then the files get the new ones.
        let texts = changes.into_iter().map(|(uri, edits)| {
            let version = None;
            let edits = edits.into_iter().map(OneOf::Left).collect();
            DocumentChangeOperation::Edit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
                edits,
            })
        });
        let moves = rename.moves.iter().filter_map(|(from, to)| {
            Some(DocumentChangeOperation::Op(ResourceOp::Rename(
                RenameFile {
                    old_uri: uri_of(from)?,
                    new_uri: uri_of(to)?,
                    options: None,
                    annotation_id: None,
                },
            )))
        });
        Ok(Some(WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(texts.chain(moves).collect())),
            ..Default::default()
        }))
    }

    pub(super) fn links_in(&self, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let links = modeshift_ide::links(self.db(), file).into_iter();
        let link = |(span, destination): (Span, Destination)| {
            let target = match destination {
                Destination::Web(address) => Uri::from_str(&address).ok()?,
                Destination::File(path) => uri_of(&path)?,
                Destination::Class(place) => {
                    let location = self.converter.location(place)?;
                    let line = location.range.start.line + 1;
                    Uri::from_str(&format!("{}#L{line}", location.uri.as_str())).ok()?
                }
            };
            Some(DocumentLink {
                range: index.range(span),
                target: Some(target),
                tooltip: None,
                data: None,
            })
        };
        Some(links.filter_map(link).collect())
    }
}
