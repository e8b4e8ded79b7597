//! `modeshift check`: everything that modeshift can say about a model.

use super::Run;
use crate::atomic;
use crate::baseline::Baseline;
use crate::model::ModelArgs;
use crate::sources::Sources;
use crate::ui::{Failure, Ui, plural};
use crate::watch::Watch;
use modeshift_diag::{Code, Diagnostic, Fix, Severity, apply_fixes};
use modeshift_driver::{Report, Session};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Check a model: syntax, classes, equations, modes and mode changes
///
/// Reports everything that is wrong or doubtful in the files and in the class named by `--class`, or else in the
/// last class. In a directory, all files, complete models and functions are checked, whether it is a package or
/// not.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift check Clutch.mo\n  \
    modeshift check --watch Clutch.mo\n  \
    modeshift check Drive\n  \
    modeshift check --class Drive.Examples.Shift Drive\n  \
    modeshift check --diff Clutch.mo\n  \
    modeshift check --statistics Drive\n  \
    modeshift check --deny warnings --message-format sarif Clutch.mo > report.sarif")]
pub struct Check {
    #[command(flatten)]
    model: ModelArgs,

    /// Check again whenever a file changes, until interrupted
    #[arg(short, long)]
    watch: bool,

    /// Apply the fixes that are offered, where there is one and not a choice of several
    #[arg(long, conflicts_with = "watch")]
    fix: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long, conflicts_with_all = ["watch", "fix"])]
    diff: bool,

    /// Count the messages by code
    #[arg(long)]
    statistics: bool,

    /// Leave out the warnings listed in this file, which `--write-baseline` made
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all current warnings to this file
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
}

impl Run for Check {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        let mut session = match self.is_about_all() {
            true => self.model.session_of(self.files()?, ui)?,
            false => self.model.session(ui)?,
        };
        if self.fix || self.diff {
            self.mend(&mut session, ui)?;
        }
        if !self.watch {
            return self.check(&session, ui);
        }
        let settings = session.settings().clone().live();
        session.set_settings(settings);
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

    fn found(&self, session: &Session, ui: &Ui) -> Report {
        let deny_fixpoints = ui.denies_by_name(Code::MS4003);
        let found = match self.is_about_all() {
            true => session.check_all_denying(deny_fixpoints),
            false => session.check(self.model.class.as_deref(), deny_fixpoints),
        };
        session.report(found)
    }

    /// Applies the fixes, or shows what they change. A text that can be read again may offer more of them.
    fn mend(&self, session: &mut Session, ui: &mut Ui) -> Result<(), Failure> {
        const MAX_ROUNDS: usize = 8;
        let mut total = 0;
        for _ in 0..MAX_ROUNDS {
            let report = self.found(session, ui);
            let open = session.open_files().iter();
            let open: Vec<String> = open.map(|&file| session.display_name(file)).collect();
            let fixes = report.diagnostics.iter().filter(|it| it.fixes.len() == 1);
            let fixes: Vec<&Fix> = fixes.flat_map(|it| &it.fixes).collect();
            let mut applied = 0;
            for (id, file) in report
                .files
                .iter()
                .filter(|(_, it)| open.iter().any(|name| name == it.name()))
            {
                let (mended, count) = apply_fixes(fixes.iter().copied(), id, file.text());
                if count == 0 || mended == file.text() {
                    continue;
                }
                applied += count;
                if self.diff {
                    let diff = TextDiff::from_lines(file.text(), &mended);
                    let mut unified = diff.unified_diff();
                    let unified = unified
                        .context_radius(2)
                        .header(file.name(), "fixed")
                        .to_string();
                    ui.summary(unified.trim_end())?;
                } else {
                    atomic::replace(Path::new(file.name()), &mended)?;
                    session.refresh(file.name());
                }
            }
            total += applied;
            if applied == 0 || self.diff {
                break;
            }
        }
        if self.fix {
            ui.remark(format_args!("{} applied", plural(total, "fix")))?;
        }
        Ok(())
    }

    /// The warnings that need not be shown.
    fn known(&self, ui: &Ui) -> Result<Baseline, Failure> {
        let path = self.baseline.as_ref().or(ui.config().baseline.as_ref());
        match path.filter(|_| self.write_baseline.is_none()) {
            Some(path) => Baseline::read(path),
            None => Ok(Baseline::default()),
        }
    }

    fn check(&self, session: &Session, ui: &mut Ui) -> Result<(), Failure> {
        let all = self.is_about_all();
        let report = self.found(session, ui);
        let judged = ui.judge_in(report.diagnostics, &report.files);
        if let Some(path) = &self.write_baseline {
            let baseline = Baseline::of(&judged, &report.files);
            baseline.write(path)?;
            ui.remark(format_args!(
                "{} listed in {}",
                plural(baseline.len(), "message"),
                path.display()
            ))?;
        }
        let shown = self.known(ui)?.new_ones(judged, &report.files);
        let statistics = self.statistics.then(|| statistics(&shown));
        ui.report(shown, &report.files)?;
        if let Some(statistics) = statistics {
            ui.summary(statistics.trim_end())?;
        }
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

/// How many messages there are of each code, the most frequent first.
fn statistics(shown: &[Diagnostic]) -> String {
    let mut counts: BTreeMap<Code, (usize, Severity)> = BTreeMap::new();
    for diagnostic in shown {
        let entry = counts
            .entry(diagnostic.code)
            .or_insert((0, diagnostic.severity));
        entry.0 += 1;
        entry.1 = entry.1.max(diagnostic.severity);
    }
    let mut counts: Vec<(Code, (usize, Severity))> = counts.into_iter().collect();
    counts.sort_by_key(|(code, (count, _))| (std::cmp::Reverse(*count), *code));
    let line = |(code, (count, severity)): &(Code, (usize, Severity))| {
        let severity = format!("{severity:?}").to_lowercase();
        format!("{count:6}  {code}  {severity:7}  {}\n", code.title())
    };
    counts.iter().map(line).collect()
}
