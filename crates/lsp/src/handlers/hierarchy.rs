//! Types that inherit, functions that call.

use super::Handlers;
use crate::convert::symbol_kind;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    Position, Range, TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams,
    TypeHierarchySupertypesParams, Uri,
};
use modeshift_base::{FileId, Span};
use modeshift_db::SourceFile;
use modeshift_ide::{Calls, HierarchyItem};

/// An item in the protocol, which has two types for it with the same fields.
macro_rules! shown {
    ($kind:ident, $converter:expr, $item:expr) => {{
        let declaration = $converter.location($item.declaration)?;
        $kind {
            name: $item.name,
            kind: symbol_kind($item.kind),
            tags: None,
            detail: (!$item.about.is_empty()).then_some($item.about),
            uri: declaration.uri,
            range: declaration.range,
            selection_range: $converter.location($item.selection)?.range,
            data: None,
        }
    }};
}

impl Handlers<'_> {
    /// Where the name of an item stands that the client sends back.
    fn place(&self, uri: &Uri, position: Position) -> (SourceFile, u32) {
        let file = self.file(uri);
        (file, self.converter.index(file).offset(position))
    }

    fn type_item(&self, item: HierarchyItem) -> Option<TypeHierarchyItem> {
        Some(shown!(TypeHierarchyItem, self.converter, item))
    }

    fn type_items(&self, items: Vec<HierarchyItem>) -> Vec<TypeHierarchyItem> {
        let items = items.into_iter();
        items.filter_map(|item| self.type_item(item)).collect()
    }

    pub(super) fn prepare_types(
        &self,
        params: &TypeHierarchyPrepareParams,
    ) -> Option<Vec<TypeHierarchyItem>> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let item = modeshift_ide::type_item(self.db(), file, offset)?;
        Some(vec![self.type_item(item)?])
    }

    pub(super) fn supertypes(
        &self,
        params: &TypeHierarchySupertypesParams,
    ) -> Option<Vec<TypeHierarchyItem>> {
        let item = &params.item;
        let (file, offset) = self.place(&item.uri, item.selection_range.start);
        let found = modeshift_ide::supertypes(self.db(), file, offset)?;
        Some(self.type_items(found))
    }

    pub(super) fn subtypes(
        &self,
        params: &TypeHierarchySubtypesParams,
    ) -> Option<Vec<TypeHierarchyItem>> {
        let item = &params.item;
        let (file, offset) = self.place(&item.uri, item.selection_range.start);
        let found = modeshift_ide::subtypes(self.db(), file, offset, &self.searched())?;
        Some(self.type_items(found))
    }

    fn call_item(&self, item: HierarchyItem) -> Option<CallHierarchyItem> {
        Some(shown!(CallHierarchyItem, self.converter, item))
    }

    fn ranges(&self, file: FileId, spans: &[Span]) -> Option<Vec<Range>> {
        let index = self.converter.index(self.db().files().by_id(file)?);
        Some(spans.iter().map(|&span| index.range(span)).collect())
    }

    pub(super) fn prepare_calls(
        &self,
        params: &CallHierarchyPrepareParams,
    ) -> Option<Vec<CallHierarchyItem>> {
        let (file, offset) = self.at(&params.text_document_position_params);
        let item = modeshift_ide::call_item(self.db(), file, offset)?;
        Some(vec![self.call_item(item)?])
    }

    pub(super) fn incoming_calls(
        &self,
        params: &CallHierarchyIncomingCallsParams,
    ) -> Option<Vec<CallHierarchyIncomingCall>> {
        let item = &params.item;
        let (file, offset) = self.place(&item.uri, item.selection_range.start);
        let found = modeshift_ide::incoming_calls(self.db(), file, offset, &self.searched())?;
        let call = |calls: Calls| {
            Some(CallHierarchyIncomingCall {
                from_ranges: self.ranges(calls.item.declaration.file, &calls.at)?,
                from: self.call_item(calls.item)?,
            })
        };
        Some(found.into_iter().filter_map(call).collect())
    }

    pub(super) fn outgoing_calls(
        &self,
        params: &CallHierarchyOutgoingCallsParams,
    ) -> Option<Vec<CallHierarchyOutgoingCall>> {
        let item = &params.item;
        let (file, offset) = self.place(&item.uri, item.selection_range.start);
        let found = modeshift_ide::outgoing_calls(self.db(), file, offset)?;
        let call = |calls: Calls| {
            Some(CallHierarchyOutgoingCall {
                from_ranges: self.ranges(file.id(self.db()), &calls.at)?,
                to: self.call_item(calls.item)?,
            })
        };
        Some(found.into_iter().filter_map(call).collect())
    }
}
