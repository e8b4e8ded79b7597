//! `modeshift check`: everything that modeshift can say about a model.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_diag::Code;

/// Check a model: syntax, classes, equations, modes and mode changes
///
/// Reports everything that is wrong or doubtful with the files and, in them, with the class named by
/// `--class` or else the last one.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift check Clutch.mo\n  \
    modeshift check --class Drive.Examples.Shift Drive\n  \
    modeshift check --deny warnings --message-format sarif Clutch.mo > report.sarif")]
pub struct Check {
    #[command(flatten)]
    model: ModelArgs,
}

impl Run for Check {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        let session = self.model.session()?;
        let found = session.check(self.model.class.as_deref(), ui.denies(Code::MS4003));
        let report = session.report(found);
        ui.report(report.diagnostics, &report.files)?;
        ui.summary(ui.tally().unwrap_or_else(|| "no errors".to_owned()))
    }
}
