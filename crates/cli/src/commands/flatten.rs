//! `modeshift flatten`: the model as one list of variables and equations.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_diag::Diagnostic;
use modeshift_diag::json::{JsonDiagnostic, JsonPlace};
use modeshift_driver::{ClassId, Session, flat_with};
use modeshift_flat::export::base_modelica::write_base;
use modeshift_flat::export::json::{FlatDocument, SCHEMA, Writer};
use modeshift_flat::export::modelica::write_flat;
use modeshift_flat::model::FlatModel;
use modeshift_flat::{Flat, Options};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::io;

/// Flatten a model: all variables and equations in one list
///
/// Instantiates the class named by `--class`, or else the last one, and prints its variables, equations and
/// the functions it uses, with connections turned into equations.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift flatten Clutch.mo\n  \
    modeshift flatten --format base-modelica --class Drive.Examples.Shift Drive\n  \
    modeshift flatten --format json Clutch.mo | jq '.equations[].text'")]
pub struct Flatten {
    #[command(flatten)]
    model: ModelArgs,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "modelica")]
    format: Format,

    /// Print what is analysed and simulated: clocks and state machines translated to `when` equations
    #[arg(long)]
    without_clocks: bool,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Flat Modelica, as OpenModelica prints it
    Modelica,
    /// Flat Modelica, as OpenModelica's first frontend printed it (`-d=-newInst`)
    ModelicaClassic,
    /// Base Modelica (MCP-0031), arrays and records kept
    BaseModelica,
    /// Variables and equations with their sources, see docs/schemas/flat.schema.json
    Json,
}

/// The document of `--format json`.
#[derive(Serialize)]
struct Document<'m> {
    #[serde(flatten)]
    flat: FlatDocument<'m>,
    diagnostics: Vec<JsonDiagnostic>,
}

impl Run for Flatten {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let (found, flat) = self.flatten(&session);
        let failed = found.iter().any(Diagnostic::is_error);
        let report = session.report(found);
        let model = flat.filter(|_| !failed).map(|flat| flat.model);
        if self.format == Format::Json {
            let judged = ui.judge_in(report.diagnostics, &report.files);
            ui.count(&judged);
            let diagnostics = judged
                .iter()
                .map(|diagnostic| JsonDiagnostic::new(diagnostic, &report.files))
                .collect();
            return print_json(ui, &session, &model.unwrap_or_default(), diagnostics);
        }
        ui.report(report.diagnostics, &report.files)?;
        match model {
            None => Ok(()),
            Some(model) if self.format == Format::BaseModelica => {
                print(ui, |out| write_base(&model, out))
            }
            Some(model) => print(ui, |out| write_flat(&model, out)),
        }
    }
}

impl Flatten {
    /// What is wrong, and the flat model if there is a class to flatten.
    fn flatten(&self, session: &Session) -> (Vec<Diagnostic>, Option<Flat>) {
        let mut found = session.check_files();
        if found.iter().any(Diagnostic::is_error) {
            return (found, None);
        }
        match session.target(self.model.class.as_deref()) {
            Ok(class) if self.without_clocks => {
                found.extend(session.flat(class).diagnostics.iter().cloned());
                if !found.iter().any(Diagnostic::is_error) {
                    found.extend(session.clock_findings(class));
                }
                let model = session.without_clocks(class).clone().into();
                let flat = Flat {
                    model,
                    ..Flat::default()
                };
                (found, Some(flat))
            }
            Ok(class) => {
                let mut flat = flat_with(session.db(), class, self.options(session, class));
                found.append(&mut flat.diagnostics);
                (found, Some(flat))
            }
            Err(diagnostic) => {
                found.push(*diagnostic);
                (found, None)
            }
        }
    }

    /// The shape of the flat model that the format needs.
    fn options(&self, session: &Session, class: ClassId) -> Options {
        let usual = Options::default();
        match self.format {
            Format::Json => Options {
                scalar: true,
                ..usual
            },
            Format::BaseModelica => Options {
                keep_arrays: true,
                ..usual
            },
            Format::Modelica => openmodelica_shape(session, class),
            Format::ModelicaClassic => Options {
                classic: true,
                ..usual
            },
        }
    }
}

/// The shape in which OpenModelica prints the class.
pub(super) fn openmodelica_shape(session: &Session, class: ClassId) -> Options {
    Options {
        classic: wants_classic(session, class),
        ..Options::default()
    }
}

/// Whether the class asks OpenModelica for its first frontend: flat Modelica follows what OpenModelica prints
/// for a class, and a class can say with which options.
fn wants_classic(session: &Session, class: ClassId) -> bool {
    session.openmodelica_options(class).is_some_and(|options| {
        options
            .split(|c: char| c.is_whitespace() || c == ',' || c == '=')
            .any(|option| option == "-newInst")
    })
}

/// Writes the model to standard output as it is made, without building one text of it.
fn print(
    ui: &mut Ui,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> Result<(), Failure> {
    ui.print(|out| {
        let mut adapter = Adapter { out, error: None };
        let written = write(&mut adapter);
        match adapter.error {
            Some(error) => Err(error),
            None => written.map_err(|_| io::Error::other("the model cannot be written")),
        }
    })
}

/// `fmt::Write` on an `io::Write`, which keeps the error.
struct Adapter<'o> {
    out: &'o mut dyn io::Write,
    error: Option<io::Error>,
}

impl fmt::Write for Adapter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

fn print_json(
    ui: &mut Ui,
    session: &Session,
    model: &FlatModel,
    diagnostics: Vec<JsonDiagnostic>,
) -> Result<(), Failure> {
    let places: BTreeSet<_> = model.places().map(|place| session.resolve(place)).collect();
    let files = session.files_of(places);
    let locate = |place| JsonPlace::new(session.resolve(place), &files);
    let flat = Writer::new(model, &locate).document();
    debug_assert_eq!(flat.schema, SCHEMA);
    ui.print_json(&Document { flat, diagnostics })
}
