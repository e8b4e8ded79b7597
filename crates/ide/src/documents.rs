//! Texts about a whole model that an editor opens beside it.

use crate::symbols::dotted;
use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonPlace;
use modeshift_driver::analysis::{MDae, Options};
use modeshift_driver::{ClassId, Session};
use modeshift_flat::export::modelica::write_flat;
use modeshift_hir::full_name;
use modeshift_report::transitions::{self, group, text};
use modeshift_restart::explore::{self, explore};

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

/// Everything about modes and their changes, as a page.
pub fn report(session: &Session, class: ClassId) -> Result<String, NoDocument> {
    let modes = modes(session, class)?;
    let analysis = session.modes(class, &Options::default()).analysis;
    let changes = analysis.map_or(String::new(), |it| changes(session, &it.mdae));
    let name = escape(&dotted(full_name(session.db(), class)));
    let (modes, changes) = (escape(&modes), escape(&changes));
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{name}</title></head>\n<body>\n\
         <h1>{name}</h1>\n<h2>Modes</h2>\n<pre>{modes}</pre>\n<h2>Mode changes</h2>\n<pre>{changes}</pre>\n\
         </body>\n</html>\n"
    ))
}

/// The restart systems, as `modeshift transitions --format text` prints them.
fn changes(session: &Session, mdae: &MDae) -> String {
    let explored = explore(mdae, &explore::Options::default(), &|_, _| {});
    let places = mdae
        .equations
        .iter()
        .map(|it| session.resolve(it.origin.span));
    let files = session.files_of(places);
    let locate = |at| JsonPlace::new(session.resolve(at), &files);
    let grouped = group(&explored, &locate);
    let classes = grouped.members.iter().zip(&grouped.outcomes);
    let classes = classes.filter_map(|(members, outcome)| {
        transitions::class(&explored, members, outcome, Vec::new())
    });
    text::text(&transitions::Document {
        schema: transitions::SCHEMA,
        model: mdae.name.to_string(),
        change_count: transitions::change_count(&explored),
        truncated: explored.truncated,
        independent: transitions::independent(&explored),
        transitions: classes.collect(),
        initialisation: None,
        diagnostics: Vec::new(),
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
