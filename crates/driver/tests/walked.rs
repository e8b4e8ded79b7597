//! Flattening that goes on where the components are done gives what flattening from the start gives.

#[path = "common/models.rs"]
mod models;

use modeshift_driver::{OsSystem, Session, Settings};
use std::sync::Arc;

/// Of so many test models one is tried.
const STRIDE: usize = 6;

/// The text with an equation more in the last class.
fn edited(text: &str, number: u32) -> Option<String> {
    let end = text.rfind("\nend ")?;
    let (before, after) = text.split_at(end);
    Some(format!(
        "{before}\nequation\n  assert(time > -{number}, \"edited\");{after}"
    ))
}

#[test]
fn going_on_from_the_components_gives_the_same_model() {
    let paths = models::model_files();
    let mut compared = 0;
    for path in paths.iter().step_by(STRIDE) {
        let Some(text) = std::fs::read_to_string(path).ok() else {
            continue;
        };
        let dir = path.parent().expect("a file is in a directory");
        let mut session = Session::new(Arc::new(OsSystem), Settings::in_dir(dir).live());
        // The state of the walk is kept from the second time on.
        for number in 1..=4 {
            let Some(text) = edited(&text, number) else {
                continue;
            };
            let file = session.open_text(path, &text);
            let mut fresh = Session::new(Arc::new(OsSystem), Settings::in_dir(dir));
            let fresh_file = fresh.open_text(path, &text);
            let classes = session.models_of(file).into_iter();
            for (class, expected) in classes.zip(fresh.models_of(fresh_file)) {
                let (flat, expected) = (session.flat(class), fresh.flat(expected));
                assert_eq!(flat.diagnostics.len(), expected.diagnostics.len());
                // Places name classes by numbers of the session.
                let text = |flat: &modeshift_flat::flatten::Flat| {
                    modeshift_flat::export::modelica::flat_text(&flat.model)
                };
                assert_eq!(text(flat), text(expected), "{}", path.display());
                compared += usize::from(!flat.model.variables.is_empty());
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
