//! A model with a frame is the model: whatever is typed in its equations, the flat model, what is said about it and what follows
//! are those of a session that looks at it as a whole.

use modeshift_db::Database;
use modeshift_driver::{OsSystem, Report, Session, Settings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[path = "common/models.rs"]
mod models;

/// Of so many test models one is tried.
const STRIDE: usize = 9;
/// Numbers and words of a text that are changed, one after the other.
const EDITS: usize = 4;

/// The text with another number in the place of one in its equations.
fn with_other_number(text: &str, which: usize) -> Option<String> {
    let from = text.find("equation")?;
    let bytes = text.as_bytes();
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"._[".contains(&it);
    let starts = (from..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && !is_part(bytes[at - 1]))
        .collect::<Vec<_>>();
    let at = *starts.get(which)?;
    let number = ["7", "0", "1", "123456", "2.5"][which % 5];
    Some(format!("{}{number}{}", &text[..at], &text[at + 1..]))
}

fn brief(report: &Report) -> Vec<String> {
    let lines = report.diagnostics.iter().map(|it| {
        let labels = it.labels.iter();
        let labels: Vec<_> = labels.map(|it| (it.at.span, it.message.clone())).collect();
        format!("{} {} {labels:?} {:?}", it.code, it.message, it.notes)
    });
    lines.collect()
}

/// A fault that is known: values that were computed with a function before the simulation are kept while its algorithm is edited.
const KNOWN_FAULT: &str = "functions/NewtonInFunction.mo";

/// Deep trees need a deep stack, as the command line gives its threads; code that is not optimised needs more of it.
const STACK: usize = 512 << 20;

#[test]
fn a_frame_and_its_plain_equations_are_the_model() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let compared = thread.spawn(compare_all).expect("a thread");
    compared.join().expect("no difference");
}

fn compare_all() {
    let (mut compared, mut framed) = (0, 0);
    let files = models::model_files();
    let chosen = files.iter().step_by(STRIDE);
    for path in chosen.filter(|it| !it.ends_with(KNOWN_FAULT)) {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let dir: PathBuf = path.parent().map(Path::to_owned).unwrap_or_default();
        let db = Database::logging(Arc::new(OsSystem));
        let mut session = Session::with_database(db, Settings::in_dir(&dir).live());
        let texts = (0..EDITS).map_while(|which| with_other_number(&text, which));
        for text in std::iter::once(text.clone()).chain(texts) {
            let file = session.open_text(path, &text);
            let mut fresh = Session::new(Arc::new(OsSystem), Settings::in_dir(&dir));
            let fresh_file = fresh.open_text(path, &text);
            let ran = session.db().executed(|_| {
                session.models_of(file).into_iter().for_each(|it| {
                    session.flat(it);
                })
            });
            let has = |stage: &str| ran.iter().any(|it| it == stage);
            framed += usize::from(has("flat") && !has("frame") && !has("instance"));
            let classes = session.models_of(file).into_iter();
            for (class, expected) in classes.zip(fresh.models_of(fresh_file)) {
                let shown = |session: &Session, class| {
                    modeshift_flat::export::modelica::flat_text(&session.flat(class).model)
                };
                assert_eq!(
                    shown(&session, class),
                    shown(&fresh, expected),
                    "{}",
                    path.display()
                );
                compared += 1;
            }
            let (told, expected) = (
                session.report(session.check_all()),
                fresh.report(fresh.check_all()),
            );
            assert_eq!(brief(&told), brief(&expected), "{}\n{text}", path.display());
        }
    }
    assert!(compared > 200 && framed > 40, "{framed} of {compared}");
}

const EDITED: &str = "record Two Real a; Real b; end Two;
model Part parameter Real k = 2; Real z(unit = \"V\"); equation z = k * time; end Part;
model M
  Part part;
  Real x[2], y(start = 1, unit = \"A\"), w;
  Two one, other;
  Integer n;
  parameter Integer m = 2;
  constant Real c(unit = \"V\") = 3;
  Real s = 2 * w;
equation
  x = {1, 2} * y;
  n = 3;
  one.a = 2 * time;
  one.b = 3;
  other = one;
  EQUATION
  der(y) = -5 * y;
end M;
";

/// Each is more, or less, than a plain equation.
const EQUATIONS: [&str; 16] = [
    "w = 2 * part.z;",
    "w = 3 * part.z;",
    "w = 12345678 * part.z \"told\";",
    "w = c + 2;",
    "w = part.z + y;",
    "w = x[1] + 2;",
    "w = sum(x);",
    "w = nowhere + 2;",
    "w = m * 2;",
    "2 = 3;",
    "w = if y > 2 then 1 else 2;",
    "w + 1 = 2; w = 3;",
    "",
    "w = sin(2 * part.z) / 0;",
    "w = part;",
    "w = other.a + 0 * y;",
];

#[test]
fn whatever_stands_in_the_place_of_a_plain_equation() {
    let settings = Settings::in_dir("/nowhere");
    let mut session = Session::new(Arc::new(OsSystem), settings.clone().live());
    for equation in EQUATIONS.iter().chain(EQUATIONS.iter().rev()) {
        let text = EDITED.replace("EQUATION", equation);
        session.open_text("M.mo", &text);
        let mut fresh = Session::new(Arc::new(OsSystem), settings.clone());
        fresh.open_text("M.mo", &text);
        let (told, expected) = (
            session.report(session.check_all()),
            fresh.report(fresh.check_all()),
        );
        assert_eq!(brief(&told), brief(&expected), "{equation}");
    }
}
