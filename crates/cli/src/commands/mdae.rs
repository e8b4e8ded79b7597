//! `modeshift mdae`: the guarded equations of a model.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_driver::Session;
use modeshift_driver::analysis::MDae;
use modeshift_report::ModelVerdict;
use modeshift_report::mdae::{document, text};
use modeshift_report::modes::{Failed, Places};

/// Print the guarded equations of a model
///
/// Mode variables with their definitions, and every equation with the condition under which it holds: what
/// all analyses of modes and mode changes start from.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift mdae Clutch.mo\n  \
    modeshift mdae --format json Clutch.mo")]
pub struct Mdae {
    #[command(flatten)]
    model: ModelArgs,

    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Text for people
    Text,
    /// A document, see docs/schemas/mdae.schema.json
    Json,
}

impl Run for Mdae {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let (mdae, diagnostics) = find(&session, &self.model);
        let report = session.report(diagnostics);
        if self.format == Format::Text {
            ui.report(report.diagnostics, &report.files)?;
            return match mdae {
                Some(mdae) => ui.print(|out| out.write_all(text(mdae).as_bytes())),
                None => Ok(()),
            };
        }
        let diagnostics = ui.judge_in(report.diagnostics, &report.files);
        ui.count(&diagnostics);
        let json: Vec<JsonDiagnostic> = diagnostics
            .iter()
            .map(|d| JsonDiagnostic::new(d, &report.files))
            .collect();
        let Some(mdae) = mdae else {
            let schema = modeshift_report::mdae::SCHEMA;
            return ui.print_json(&Failed {
                schema,
                verdict: ModelVerdict::Rejected,
                diagnostics: json,
            });
        };
        let files = session.files_of(mdae.places().map(|place| session.resolve(place)));
        let places = Places {
            files: &files,
            resolve: &|place| session.resolve(place),
        };
        ui.print_json(&document(mdae, json, &places))
    }
}

fn find<'s>(session: &'s Session, model: &ModelArgs) -> (Option<&'s MDae>, Vec<Diagnostic>) {
    let mut found = session.check_files();
    if found.iter().any(Diagnostic::is_error) {
        return (None, found);
    }
    let class = match session.target(model.class.as_deref()) {
        Ok(class) => class,
        Err(diagnostic) => {
            found.push(*diagnostic);
            return (None, found);
        }
    };
    found.extend(
        modeshift_driver::flat(session.db(), class)
            .diagnostics
            .iter()
            .cloned(),
    );
    if found.iter().any(Diagnostic::is_error) {
        return (None, found);
    }
    let lowered = modeshift_driver::mdae(session.db(), class);
    found.extend(lowered.diagnostics.iter().cloned());
    (Some(&lowered.mdae), found)
}
