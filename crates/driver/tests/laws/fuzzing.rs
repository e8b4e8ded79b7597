//! What must hold for any text at all, beyond syntax.

use modeshift_db::Db;
use modeshift_driver::{MemorySystem, Session, Settings, flat_with};
use modeshift_flat::Options;
use modeshift_flat::export::base_modelica::base_text;
use std::sync::Arc;

fn session(text: &str) -> Session {
    let settings = Settings::in_dir("/models");
    let mut session = Session::new(Arc::new(MemorySystem::new()), settings);
    session.open_text("/models/Text.mo", text);
    session
}

/// The flat model of what has no mistake can be printed as Base Modelica and read again.
pub fn flattening(text: &str) {
    let session = session(text);
    let db = session.db();
    for &file in session.open_files() {
        for class in session.models_of(file) {
            let options = Options {
                keep_arrays: true,
                ..Options::default()
            };
            let flat = flat_with(db, class, options);
            if flat.diagnostics.iter().any(|it| it.is_error()) {
                continue;
            }
            let printed = base_text(&flat.model);
            let again = modeshift_syntax::parse(&printed);
            let wrong = again.errors.iter().find(|error| error.is_error());
            assert!(wrong.is_none(), "{wrong:?}\n{printed}");
        }
    }
}

/// A check comes to an end with every class, and each message is one line with places in texts.
pub fn analysis(text: &str) {
    let session = session(text);
    let mut found = Vec::new();
    let lost = |class| panic!("nothing was found out about {}", session.name_of(class));
    session.check_in_phases(|_, said| found.extend(said), lost);
    for it in session.report(found).diagnostics {
        assert!(!it.message.contains('\n'), "{it:?}");
        for at in it.labels.iter().map(|label| label.at) {
            let file = session.db().files().by_id(at.file);
            let text = file.map(|file| file.text(session.db()));
            let inside = text.and_then(|text| text.get(at.span.range()));
            assert!(inside.is_some(), "{it:?}");
        }
    }
}
