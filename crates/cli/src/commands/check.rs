//! `modeshift check`: everything that modeshift can say about a model.

use super::Run;
use crate::model::ModelArgs;
use crate::sources::Sources;
use crate::ui::{Failure, Ui, plural};
use crate::watch::Watch;
use modeshift_diag::Code;
use modeshift_driver::Session;
use std::path::PathBuf;
use std::time::Instant;

/// Check a model: syntax, classes, equations, modes and mode changes
///
/// Reports everything that is wrong or doubtful with the files and, in them, with the class named by
/// `--class` or else the last one. Of a directory, a package or not, all files and all complete models are checked.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift check Clutch.mo\n  \
    modeshift check --watch Clutch.mo\n  \
    modeshift check Drive\n  \
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
        let mut session = match self.is_about_all() {
            true => self.model.session_of(self.files()?)?,
            false => self.model.session()?,
        };
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
            for file in self.files()? {
                session.open(file);
            }
        }
    }
}

impl Check {
    /// Whether a directory was named and no class of it.
    fn is_about_all(&self) -> bool {
        self.model.class.is_none() && self.model.paths.iter().any(|path| path.is_dir())
    }

    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        match self.is_about_all() {
            true => Ok(Sources::find(&self.model.paths)?.files),
            false => self.model.sources(),
        }
    }

    fn check(&self, session: &Session, ui: &mut Ui) -> Result<(), Failure> {
        let deny_fixpoints = ui.denies(Code::MS4003);
        let all = self.is_about_all();
        let found = match all {
            true => session.check_all_denying(deny_fixpoints),
            false => session.check(self.model.class.as_deref(), deny_fixpoints),
        };
        let report = session.report(found);
        ui.report(report.diagnostics, &report.files)?;
        let tally = ui.tally().unwrap_or_else(|| "no errors".to_owned());
        if !all {
            return ui.summary(tally);
        }
        let files = session.open_files();
        let models = files
            .iter()
            .map(|&file| session.models_of(file).len())
            .sum();
        ui.summary(format_args!(
            "{}, {}: {tally}",
            plural(files.len(), "file"),
            plural(models, "model")
        ))
    }
}
