//! `modeshift modes`: the structure of all modes.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_diag::json::JsonDiagnostic;
use modeshift_diag::{Code, Diagnostic};
use modeshift_driver::analysis::{Analysis, Options};
use modeshift_driver::{Modes as Found, Session};
use modeshift_report::modes::{Places, document, dot, single, table};

/// Show the modes of a model
///
/// Which conditions decide which equations hold, how the modes are grouped by their index and
/// degrees of freedom, which of them are singular, and which conditions depend on what they decide.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift modes Clutch.mo\n  \
    modeshift modes --format json Circuit.mo > modes.json\n  \
    modeshift modes --mode \"g1=true,g2=false\" Mesh.mo")]
pub struct Modes {
    #[command(flatten)]
    model: ModelArgs,

    /// How to show the modes
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Show one mode only: values of conditions, separated by commas; those left out are false
    #[arg(long, value_name = "CONDITION=VALUE,…")]
    mode: Option<String>,

    /// How many decision diagram nodes the analysis of all modes may use
    #[arg(long, value_name = "NODES")]
    node_limit: Option<usize>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// A table for people
    Table,
    /// A document, see docs/schemas/modes.schema.json
    Json,
    /// The conditional dependency graph, for Graphviz
    Dot,
}

impl Run for Modes {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let options = self.options(ui);
        let Found {
            analysis,
            diagnostics,
        } = find(&session, &self.model, &options);
        if self.format == Format::Json {
            return self.print_document(ui, &session, analysis.as_ref(), diagnostics);
        }
        let report = session.report(diagnostics);
        ui.report(report.diagnostics, &report.files)?;
        let Some(analysis) = analysis else {
            return Ok(());
        };
        let text = match (&self.mode, self.format) {
            (Some(mode), _) => single(&analysis, &valuation(&analysis, mode)?),
            (None, Format::Dot) => dot(&analysis),
            (None, _) => table(&analysis),
        };
        ui.print(|out| out.write_all(text.as_bytes()))
    }
}

impl Modes {
    fn options(&self, ui: &Ui) -> Options {
        let mut options = Options {
            deny_fixpoints: ui.denies(Code::MS4003),
            ..Options::default()
        };
        if let Some(limit) = self.node_limit {
            options.node_limit = limit.max(1 << 10);
        }
        options.structure = self.mode.is_none();
        options
    }

    fn print_document(
        &self,
        ui: &mut Ui,
        session: &Session,
        analysis: Option<&Analysis>,
        diagnostics: Vec<Diagnostic>,
    ) -> Result<(), Failure> {
        let report = session.report(diagnostics);
        let diagnostics = ui.judge_in(report.diagnostics, &report.files);
        ui.count(&diagnostics);
        let rejected = diagnostics.iter().any(Diagnostic::is_error);
        let json: Vec<JsonDiagnostic> = diagnostics
            .iter()
            .map(|d| JsonDiagnostic::new(d, &report.files))
            .collect();
        let Some(analysis) = analysis else {
            return ui.print_json(&modeshift_report::modes::Failed::new(json));
        };
        let files = session.files_of(analysis.places().map(|place| session.resolve(place)));
        let places = Places {
            files: &files,
            resolve: &|place| session.resolve(place),
        };
        if let Some(mode) = &self.mode {
            let mode = valuation(analysis, mode)?;
            return ui.print_json(&modeshift_report::modes::single_document(
                analysis, &mode, &places,
            ));
        }
        ui.print_json(&document(analysis, rejected, json, &places))
    }
}

/// Everything up to the modes of the model the arguments name.
pub(super) fn find(session: &Session, model: &ModelArgs, options: &Options) -> Found {
    let mut diagnostics = session.check_files();
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Found {
            analysis: None,
            diagnostics,
        };
    }
    match session.target(model.class.as_deref()) {
        Ok(class) => {
            let mut found = session.modes(class, options);
            found.diagnostics.splice(0..0, diagnostics);
            found
        }
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            Found {
                analysis: None,
                diagnostics,
            }
        }
    }
}

/// Reads `g1=true,g2=false`.
fn valuation(analysis: &Analysis, text: &str) -> Result<Vec<bool>, Failure> {
    analysis.read_mode(text).map_err(Failure::Usage)
}
