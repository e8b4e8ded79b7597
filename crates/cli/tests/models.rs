//! Every `.mo` file under `test-models/` is one test: its header says what to run on it and what to
//! expect (see `modeshift_testkit::directives`). A new test is one new file.

use modeshift_testkit::directives::{self, Expectation, Header, Mend, Run};
use modeshift_testkit::judge::{Outcome, complaints};
use std::path::Path;
use std::process::Command;

fn model(path: &Path) -> datatest_stable::Result<()> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let Header::Runs(runs) = directives::parse(&text)? else {
        return Ok(());
    };
    for (i, run) in runs.iter().enumerate() {
        let outcome = execute(path, run)?;
        let complaints = complaints(run, &outcome);
        if !complaints.is_empty() {
            let command = run.args.join(" ");
            let what = complaints.join("\n  ");
            let printed = outcome.transcript();
            // A panic, because an `Err` would be printed with its line breaks escaped.
            panic!("`{command}` is not as expected:\n  {what}\n\n{printed}");
        }
        if run.snapshot {
            compare_with_snapshot(path, i, run, &outcome);
        }
        if !run.mends.is_empty() {
            mended(path, &text, run)?;
        }
    }
    Ok(())
}

/// With the changes that the header lists, the command reports no error and none of the codes expected before.
fn mended(path: &Path, text: &str, run: &Run) -> datatest_stable::Result<()> {
    let dir = tempfile::tempdir()?;
    let copy = dir
        .path()
        .join(path.file_name().ok_or("a model has a name")?);
    std::fs::write(&copy, Mend::apply(&run.mends, text))?;
    let outcome = execute(&copy, run)?;
    let was_expected = |code: &str| {
        let mut expected = run.expectations.iter();
        expected.any(|it| matches!(it, Expectation::Code { code: known, .. } if known == code))
    };
    let mut left = outcome.diagnostics().into_iter();
    if let Some(left) = left.find(|it| it.is_error || was_expected(&it.code)) {
        let printed = outcome.transcript();
        panic!("mended, the model still gives {}:\n\n{printed}", left.code);
    }
    Ok(())
}

/// Runs the binary in the model's directory, so that what it prints does not depend on where the
/// repository is.
fn execute(path: &Path, run: &Run) -> datatest_stable::Result<Outcome> {
    let (command, flags) = run.args.split_first().ok_or("a command is missing")?;
    let path = path.canonicalize()?;
    let dir = path.parent().ok_or("a model is in a directory")?;
    let name = path.file_name().ok_or("a model has a name")?;
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg(command)
        .arg(name)
        .args(flags)
        .current_dir(dir)
        .env_remove("MODELICAPATH")
        .output()?;
    Ok(output.into())
}

/// Snapshots live beside the models, in `snap/`.
fn compare_with_snapshot(path: &Path, index: usize, run: &Run, outcome: &Outcome) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = if index == 0 {
        stem.into_owned()
    } else {
        format!("{stem}-{}", index + 1)
    };
    let mut settings = insta::Settings::clone_current();
    if let Some(dir) = path.canonicalize().ok().as_deref().and_then(Path::parent) {
        settings.set_snapshot_path(dir.join("snap"));
    }
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(run.args.join(" "));
    settings.bind(|| insta::assert_snapshot!(name, outcome.transcript()));
}

datatest_stable::harness! {
    { test = model, root = "../../test-models", pattern = r"\.mo$" },
}
