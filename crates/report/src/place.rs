//! Places in the source, for documents.

use modeshift_diag::Files;
use modeshift_diag::json::JsonPlace;
use modeshift_flat::model::{Origin, Place};

/// Turns the places that analyses carry into places in files.
pub struct Places<'f> {
    pub files: &'f Files,
    pub resolve: &'f dyn Fn(Place) -> modeshift_base::FileSpan,
}

impl Places<'_> {
    pub(crate) fn of(&self, origin: &Origin) -> JsonPlace {
        JsonPlace::new((self.resolve)(origin.span), self.files)
    }
}
