//! Texts about a whole model that an editor opens beside it.

use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_driver::analysis::Options;
use modeshift_driver::{ClassId, Session};
use modeshift_flat::export::modelica::write_flat;

/// Why there is no document: the first mistake of the model, for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoDocument(pub String);

fn first_error(found: &[Diagnostic]) -> Result<(), NoDocument> {
    match found.iter().find(|it| it.is_error()) {
        Some(error) => Err(NoDocument(format!("{}: {}", error.code, error.message))),
        None => Ok(()),
    }
}

/// The flat model, as `modeshift flatten` prints it.
pub fn flat_model(session: &Session, class: ClassId) -> Result<String, NoDocument> {
    let flat = session.flat(class);
    first_error(&flat.diagnostics)?;
    let mut text = String::new();
    write_flat(&flat.model, &mut text).map_err(|error| NoDocument(error.to_string()))?;
    Ok(text)
}

/// The modes, as `modeshift modes` prints them.
pub fn modes(session: &Session, class: ClassId) -> Result<String, NoDocument> {
    let found = session.modes(class, &Options::default());
    match found.analysis {
        Some(analysis) => Ok(modeshift_report::modes::table(&analysis)),
        None => {
            first_error(&found.diagnostics)?;
            Err(NoDocument("the model has no modes".to_owned()))
        }
    }
}

/// Everything about modes and their changes: the page that `modeshift report` writes.
pub fn report(session: &Session, class: ClassId) -> Result<String, NoDocument> {
    let mut modes = session.modes(class, &Options::default());
    modes.diagnostics.splice(0..0, session.check_files());
    let mut failed = modes.diagnostics.iter().any(Diagnostic::is_error);
    let mut diagnose = |found: Vec<Diagnostic>| {
        failed |= found.iter().any(Diagnostic::is_error);
        let report = session.report(found);
        let found = report.diagnostics.iter();
        found
            .map(|it| JsonDiagnostic::new(it, &report.files))
            .collect()
    };
    let Some(mut document) = session.page(Some(class), &modes, &|_, _| {}, &mut diagnose) else {
        first_error(&modes.diagnostics)?;
        return Err(NoDocument("the model has no modes".to_owned()));
    };
    if failed {
        document.verdict = modeshift_report::ModelVerdict::Rejected;
    }
    modeshift_report::html::page(&document).map_err(|error| NoDocument(error.to_string()))
}
