//! `modeshift check`: everything that modeshift can say about a model.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use crate::watch::Watch;
use modeshift_diag::Code;
use modeshift_driver::Session;
use std::time::Instant;

/// Check a model: syntax, classes, equations, modes and mode changes
///
/// Reports everything that is wrong or doubtful with the files and, in them, with the class named by
/// `--class` or else the last one.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift check Clutch.mo\n  \
    modeshift check --watch Clutch.mo\n  \
    modeshift check --class Drive.Examples.Shift Drive\n  \
    modeshift check --deny warnings --message-format sarif Clutch.mo > report.sarif")]
pub struct Check {
    #[command(flatten)]
    model: ModelArgs,

    /// Check again whenever a file changes, until interrupted
    #[arg(short, long)]
    watch: bool,
}

impl Run for Check {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        let mut session = self.model.session()?;
        if !self.watch {
            return self.check(&session, ui);
        }
        // Before the first check: a change during it is not to be missed.
        let watch = Watch::new(&[&self.model.paths[..], &self.model.libraries[..]].concat())?;
        loop {
            ui.begin_again()?;
            let started = Instant::now();
            self.check(&session, ui)?;
            ui.detail(1, format_args!("checked in {:.0?}", started.elapsed()))?;
            ui.remark("waiting for changes; Ctrl-C ends")?;
            for path in watch.changed()? {
                session.refresh(&path);
            }
            for file in self.model.sources()? {
                session.open(file);
            }
        }
    }
}

impl Check {
    fn check(&self, session: &Session, ui: &mut Ui) -> Result<(), Failure> {
        let found = session.check(self.model.class.as_deref(), ui.denies(Code::MS4003));
        let report = session.report(found);
        ui.report(report.diagnostics, &report.files)?;
        ui.summary(ui.tally().unwrap_or_else(|| "no errors".to_owned()))
    }
}
