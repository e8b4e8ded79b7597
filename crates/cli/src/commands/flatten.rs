//! `modeshift flatten`: the flat model as text.

use super::Run;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_diag::Diagnostic;
use modeshift_driver::flat_with;
use modeshift_flat::export::base_modelica::base_text;
use modeshift_flat::export::modelica::flat_text;
use modeshift_flat::flatten::Options;

/// Print the flat model of a class
///
/// All components are expanded, connections are replaced by their equations, and arrays by their elements.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift flatten Clutch.mo\n  \
    modeshift flatten --format base-modelica --class Drive.Examples.Shift Drive")]
pub struct Flatten {
    #[command(flatten)]
    model: ModelArgs,

    /// How to write the flat model
    #[arg(long, value_enum, default_value_t = Format::Modelica)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Flat Modelica, in OpenModelica's shape
    Modelica,
    /// Base Modelica (MCP-0031)
    BaseModelica,
}

impl Run for Flatten {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session()?;
        let mut found = session.check_files();
        let mut text = None;
        if !found.iter().any(Diagnostic::is_error) {
            match session.target(self.model.class.as_deref()) {
                Ok(class) => {
                    let options = Options {
                        keep_arrays: self.format == Format::BaseModelica,
                    };
                    let flat = flat_with(session.db(), class, options);
                    found.extend(flat.diagnostics);
                    text = Some(match self.format {
                        Format::Modelica => flat_text(&flat.model),
                        Format::BaseModelica => base_text(&flat.model),
                    });
                }
                Err(diagnostic) => found.push(*diagnostic),
            }
        }
        let report = session.report(found);
        let failed = report.has_errors();
        ui.report(report.diagnostics, &report.files)?;
        match text {
            Some(text) if !failed => ui.print(|out| out.write_all(text.as_bytes())),
            _ => Ok(()),
        }
    }
}
