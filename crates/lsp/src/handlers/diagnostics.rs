//! Diagnostics for clients that ask for them.

use super::Handlers;
use lsp_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};

impl Handlers<'_> {
    /// What has been found so far. A check that goes on ends with a request to ask again.
    pub(super) fn diagnostics(
        &self,
        params: &DocumentDiagnosticParams,
    ) -> DocumentDiagnosticReportResult {
        let uri = &params.text_document.uri;
        let here = self.published.iter().filter(|it| it.uri == *uri);
        let items: Vec<lsp_types::Diagnostic> = here.map(|it| it.shown.clone()).collect();
        // Only what is known for good can be told to have stayed.
        let result_id = self.settled.then(|| self.generation.to_string());
        let unchanged = result_id.is_some() && result_id == params.previous_result_id;
        DocumentDiagnosticReportResult::Report(match result_id.filter(|_| unchanged) {
            Some(result_id) => {
                DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                    related_documents: None,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                        result_id,
                    },
                })
            }
            None => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: self.settled.then(|| self.generation.to_string()),
                    items,
                },
            }),
        })
    }
}
