//! What the functions of a model have to say after a run: why one failed, with the calls that led there, warnings, and
//! what they printed.

use modeshift_base::FileSpan;
use modeshift_code::{CallError, Context, WarningKind};
use modeshift_diag::{Code, Diagnostic};
use modeshift_sim::tape::Functions;

/// More places than this make a message unreadable.
const MAX_CALLS: usize = 4;

/// A run that ended because a function failed says so.
pub(crate) fn explain(diagnostic: &mut Diagnostic, error: &CallError, time: Option<f64>) {
    let undefined = matches!(diagnostic.code, Code::MS6008 | Code::MS6011);
    let (Some((name, _)), Some(time), true) = (error.stack.first(), time, undefined) else {
        let note = format!("the last trouble in a function: {error}");
        diagnostic.notes.push(note);
        return;
    };
    let message = format!(
        "at time {} the function `{name}` fails: {}",
        modeshift_base::rounded(time),
        error.trouble
    );
    let mut told = Diagnostic::new(diagnostic.code, message);
    let mut shown: Vec<FileSpan> = Vec::new();
    for (depth, (name, place)) in error.stack.iter().enumerate() {
        let text = match depth {
            0 => "fails here".to_owned(),
            _ => format!("called here, in `{name}`"),
        };
        // A recursion calls from the same place again and again.
        if let Some(place) = place.filter(|place| !shown.contains(place) && shown.len() < MAX_CALLS)
        {
            shown.push(place);
            told = told.label(place, text);
        }
    }
    if error.stack.len() > 1 {
        told = told.note(format!("calls: {}", calls(error)));
    }
    told.labels.append(&mut diagnostic.labels);
    told.notes.append(&mut diagnostic.notes);
    *diagnostic = told;
}

/// The functions that called each other, each with how often it called itself.
fn calls(error: &CallError) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for (name, _) in &error.stack {
        match runs.last_mut() {
            Some((last, times)) if *last == &**name => *times += 1,
            _ => runs.push((name, 1)),
        }
    }
    let more = match runs.len().saturating_sub(MAX_CALLS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = runs
        .iter()
        .take(MAX_CALLS)
        .map(|(name, times)| match times {
            1 => format!("`{name}`"),
            times => format!("`{name}` ({times} times)"),
        });
    format!("{}{more}", names.collect::<Vec<_>>().join(", called by "))
}

/// What functions warned of.
pub(crate) fn warnings(functions: &Functions) -> Vec<Diagnostic> {
    let told = |context: &mut Context| {
        let warnings = context.warnings().iter();
        let told = warnings.map(|(kind, message)| match kind {
            WarningKind::Assertion => {
                let message = format!("an assertion in a function does not hold: {message}");
                Diagnostic::new(Code::MS6016, message)
            }
            WarningKind::Derivative => Diagnostic::new(Code::MS2049, message.to_string()),
        });
        told.collect()
    };
    functions.runtime().with_context(told)
}

/// What functions printed.
pub(crate) fn printed(functions: &Functions) -> String {
    let take = |context: &mut Context| std::mem::take(&mut context.printed);
    functions.runtime().with_context(take)
}
