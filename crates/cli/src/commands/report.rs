//! `modeshift report`: everything about a model on one page.

use super::Run;
use super::modes::find;
use crate::changes::Found;
use crate::model::ModelArgs;
use crate::progress::Progress;
use crate::ui::{Failure, Ui};
use modeshift_diag::Code;
use modeshift_driver::analysis::Options;
use modeshift_report::ModelVerdict;
use modeshift_report::html::page;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Make a page about a model: modes, matrices, dependencies, changes, restart systems
///
/// Writes one HTML file that needs no other: the modes as a table that can be sorted and filtered by a formula, the
/// incidence matrix of each class of modes in block triangular form, the conditional dependency graph, the graph of
/// modes with the restart system of every change, and the source of every equation.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift report Clutch.mo -o clutch.html\n  \
    modeshift report --class Drive.Examples.Shift Drive -o shift.html\n  \
    modeshift report Clutch.mo -o - > clutch.html")]
pub struct Report {
    #[command(flatten)]
    model: ModelArgs,

    /// The file to write; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

impl Run for Report {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let options = Options {
            deny_fixpoints: ui.denies(Code::MS4003),
            ..Options::default()
        };
        let modes = find(&session, &self.model, &options);
        let mut found = Found::new(&session, ui, modes.diagnostics.clone());
        let bar: OnceLock<Progress> = OnceLock::new();
        let progress = |_, total| {
            bar.get_or_init(|| Progress::new(ui, total, "mode changes"))
                .advance();
        };
        // The page tells everything, also what `--quiet` keeps off the terminal.
        let document = session.page(&modes, &progress, &mut |diagnostics| found.add(diagnostics));
        if let Some(bar) = bar.into_inner() {
            bar.finish();
        }
        let Some(mut document) = document else {
            return found.finish(ui, None::<&()>);
        };
        if found.has_errors() {
            document.verdict = ModelVerdict::Rejected;
        }
        let page = page(&document)?;
        found.finish(ui, None::<&()>)?;
        self.write(ui, &page)
    }
}

impl Report {
    fn write(&self, ui: &mut Ui, page: &str) -> Result<(), Failure> {
        if self.output.as_os_str() == "-" {
            return ui.print(|out| out.write_all(page.as_bytes()));
        }
        fs::write(&self.output, page).map_err(|error| {
            Failure::Usage(format!(
                "{}: {}",
                self.output.display(),
                crate::sources::reason(&error)
            ))
        })?;
        ui.remark(format!("the report is in {}", self.output.display()))
    }
}
