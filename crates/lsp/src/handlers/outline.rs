//! What a file looks like: symbols, tokens, folds, selections.

use super::{Handlers, KnownTokens};
use crate::convert::{document_symbol, symbol_kind, token_type};
use lsp_types::{
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, SelectionRange, SelectionRangeParams, SemanticToken, SemanticTokens,
    SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensEdit,
    SemanticTokensFullDeltaResult, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult, SymbolInformation, Uri, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};
use modeshift_base::Span;
use modeshift_db::{Db as _, SourceFile};
use modeshift_ide::{ClassIndex, Fold, Highlighted};
use std::sync::{MutexGuard, PoisonError};

/// Most symbols that a search answers with.
const MAX_SYMBOLS: usize = 512;

impl Handlers<'_> {
    pub(super) fn symbols(&self, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let symbols = modeshift_ide::document_symbols(self.db(), file).into_iter();
        let symbols = symbols
            .map(|symbol| document_symbol(symbol, &index))
            .collect();
        Some(DocumentSymbolResponse::Nested(symbols))
    }

    pub(super) fn search(&self, params: &WorkspaceSymbolParams) -> Option<WorkspaceSymbolResponse> {
        let session = self.converter.session;
        let files = session.workspace_files();
        let index = self.index.get_or_init(|| {
            let dirs = ClassIndex::directories(session.settings());
            ClassIndex::build(session.db().files(), dirs)
        });
        let query = &params.query;
        let found = modeshift_ide::workspace_symbols(self.db(), files, index, query, MAX_SYMBOLS);
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

    pub(super) fn folding(&self, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let folds = modeshift_ide::folds(self.db(), file).into_iter();
        let mut ranges: Vec<FoldingRange> = folds
            .filter_map(|(span, fold)| {
                let range = index.range(span);
                (range.end.line > range.start.line).then(|| FoldingRange {
                    start_line: range.start.line,
                    end_line: range.end.line,
                    kind: (fold == Fold::Comment).then_some(FoldingRangeKind::Comment),
                    ..Default::default()
                })
            })
            .collect();
        ranges.sort_by_key(|range| (range.start_line, range.end_line));
        ranges.dedup_by_key(|range| (range.start_line, range.end_line));
        Some(ranges)
    }

    pub(super) fn selections(&self, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let of = |&position: &lsp_types::Position| {
            let spans = modeshift_ide::selections(self.db(), file, index.offset(position));
            let outermost_first = spans.into_iter().rev();
            let nested = outermost_first.fold(None, |parent, span| {
                Some(Box::new(SelectionRange {
                    range: index.range(span),
                    parent,
                }))
            });
            // The file itself is always around the position.
            nested.map(|it| *it)
        };
        params.positions.iter().map(of).collect()
    }

    pub(super) fn tokens(&self, params: &SemanticTokensParams) -> Option<SemanticTokensResult> {
        let file = self.file(&params.text_document.uri);
        let all = Span::new(0, file.text(self.db()).len() as u32);
        let data = self.semantic_tokens(file, all);
        Some(SemanticTokensResult::Tokens(SemanticTokens {
            result_id: Some(self.remember(&params.text_document.uri, &data)),
            data,
        }))
    }

    /// What is different from what the client knows: one run of words, as an edit is one run of letters.
    pub(super) fn tokens_delta(
        &self,
        params: &SemanticTokensDeltaParams,
    ) -> Option<SemanticTokensFullDeltaResult> {
        let uri = &params.text_document.uri;
        let file = self.file(uri);
        let all = Span::new(0, file.text(self.db()).len() as u32);
        let data = self.semantic_tokens(file, all);
        let known = self.known_tokens().get(uri).cloned();
        let result_id = Some(self.remember(uri, &data));
        let Some((_, before)) = known.filter(|(id, _)| *id == params.previous_result_id) else {
            let all = SemanticTokens { result_id, data };
            return Some(SemanticTokensFullDeltaResult::Tokens(all));
        };
        let pairs = || before.iter().zip(&data);
        let same = pairs().take_while(|(a, b)| a == b).count();
        let ends = before[same..].iter().rev().zip(data[same..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        const NUMBERS: u32 = 5;
        let new = &data[same..data.len() - tail];
        let removed = before.len() - tail - same;
        let edit = SemanticTokensEdit {
            start: NUMBERS * same as u32,
            delete_count: NUMBERS * removed as u32,
            data: (!new.is_empty()).then(|| new.to_vec()),
        };
        let nothing = removed == 0 && new.is_empty();
        let edits = if nothing { Vec::new() } else { vec![edit] };
        Some(SemanticTokensFullDeltaResult::TokensDelta(
            SemanticTokensDelta { result_id, edits },
        ))
    }

    fn known_tokens(&self) -> MutexGuard<'_, KnownTokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what the client is told, under a name that is given back.
    fn remember(&self, uri: &Uri, data: &[SemanticToken]) -> String {
        let mut known = self.known_tokens();
        let number = known.get(uri).and_then(|(id, _)| id.parse::<u64>().ok());
        let id = number.map_or(0, |it| it + 1).to_string();
        known.insert(uri.clone(), (id.clone(), data.to_vec()));
        id
    }

    pub(super) fn tokens_in_range(
        &self,
        params: &SemanticTokensRangeParams,
    ) -> Option<SemanticTokensRangeResult> {
        let file = self.file(&params.text_document.uri);
        let index = self.converter.index(file);
        let (start, end) = (
            index.offset(params.range.start),
            index.offset(params.range.end),
        );
        let data = self.semantic_tokens(file, Span::new(start, end.max(start)));
        Some(SemanticTokensRangeResult::Tokens(SemanticTokens {
            result_id: None,
            data,
        }))
    }

    /// Tokens are told by their distance from the one before. Those over several lines are cut at line ends,
    /// because not every client can show them otherwise.
    fn semantic_tokens(&self, file: SourceFile, range: Span) -> Vec<SemanticToken> {
        let index = self.converter.index(file);
        let text = file.text(self.db());
        let mut data = Vec::new();
        let (mut line, mut column) = (0, 0);
        for word in modeshift_ide::highlights(self.db(), file, range) {
            for span in lines(text, word.span) {
                let range = index.range(span);
                let start = range.start;
                data.push(SemanticToken {
                    delta_line: start.line - line,
                    delta_start: match start.line == line {
                        true => start.character - column,
                        false => start.character,
                    },
                    length: range.end.character - start.character,
                    token_type: token_type(word.kind),
                    token_modifiers_bitset: modifiers(&word),
                });
                (line, column) = (start.line, start.character);
            }
        }
        data
    }
}

fn modifiers(word: &Highlighted) -> u32 {
    u32::from(word.declared) | u32::from(word.constant) << 1 | u32::from(word.built_in) << 2
}

/// The pieces of a span that are on one line each, line ends left out.
fn lines(text: &str, span: Span) -> Vec<Span> {
    let mut start = span.start;
    let pieces = text.get(span.range()).unwrap_or_default();
    let pieces = pieces.split_inclusive('\n').map(|piece| {
        let at = start;
        start += piece.len() as u32;
        let visible = piece.trim_end_matches(['\n', '\r']);
        Span::new(at, at + visible.len() as u32)
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}
