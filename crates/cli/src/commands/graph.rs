//! `modeshift graph`: pictures of incidence, dependencies and modes.

use super::Run;
use super::modes::find;
use crate::changes::Found;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_driver::analysis::{Analysis, Options};
use modeshift_report::graph::{self, MAX_NODES};
use modeshift_restart::explore::{self, explore};

/// Draw a model: incidence, dependencies or modes
///
/// Incidence is the matrix of one mode in block triangular form, the matching marked. Dependencies lead from the
/// equation that determines a variable to those that need it, with the modes in which they do. Modes are joined by their
/// changes: green continuous, blue jump, orange impulsive, violet undetermined, red rejected.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift graph Clutch.mo --what modes --format svg > modes.svg\n  \
    modeshift graph Clutch.mo --what incidence --mode g=true --format svg > engaged.svg\n  \
    modeshift graph Clutch.mo --what dependencies | dot -Tpdf > dependencies.pdf")]
pub struct Graph {
    #[command(flatten)]
    model: ModelArgs,

    /// What to draw
    #[arg(long, value_name = "WHAT", default_value = "dependencies")]
    what: What,

    /// The language of the picture
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    format: Format,

    /// The mode whose incidence to draw: values of conditions, separated by commas; those left out are false
    #[arg(long, value_name = "CONDITION=VALUE,…")]
    mode: Option<String>,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// Which variables occur in which equations of one mode
    Incidence,
    /// Which equation needs what another one determines
    Dependencies,
    /// Modes and the changes between them
    Modes,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

impl Run for Graph {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        if self.mode.is_some() && self.what != What::Incidence {
            return Err(Failure::Usage(
                "`--mode` is for `--what incidence`".to_owned(),
            ));
        }
        let session = self.model.session(ui)?;
        let modes = find(&session, &self.model, &Options::default());
        let found = Found::new(&session, ui, modes.diagnostics);
        let picture = modes
            .analysis
            .as_ref()
            .map(|analysis| self.draw(analysis))
            .transpose();
        found.finish(ui, None::<&()>)?;
        match picture? {
            Some(picture) => ui.print(|out| out.write_all(picture.as_bytes())),
            None => Ok(()),
        }
    }
}

impl Graph {
    fn draw(&self, analysis: &Analysis) -> Result<String, Failure> {
        let graph = match self.what {
            What::Dependencies if self.format == Format::Svg => {
                graph::readable_dependencies(analysis)
            }
            What::Dependencies => graph::dependencies(analysis),
            What::Modes => {
                let explored = explore(&analysis.mdae, &explore::Options::default(), &|_, _| {});
                match self.format {
                    Format::Svg => graph::readable_modes(analysis, &explored, &|_| None),
                    Format::Dot => {
                        let many = analysis.mode_count.as_ref();
                        if many.is_none_or(|count| *count > MAX_NODES.into()) {
                            return Err(too_many("modes"));
                        }
                        graph::modes(analysis, &explored, &|_| None)
                    }
                }
            }
            What::Incidence => {
                let mode = match &self.mode {
                    Some(text) => analysis.read_mode(text).map_err(Failure::Usage)?,
                    None => some_mode(analysis),
                };
                let incidence = graph::incidence(analysis, &mode);
                if self.format == Format::Svg {
                    return Ok(graph::matrix(&incidence));
                }
                graph::bipartite(&incidence)
            }
        };
        match self.format {
            Format::Dot => Ok(graph::dot(&graph)),
            Format::Svg if graph.nodes.len() > MAX_NODES => Err(too_many("equations")),
            Format::Svg => Ok(graph::svg(&graph)),
        }
    }
}

/// A mode that can happen: one of the first class.
fn some_mode(analysis: &Analysis) -> Vec<bool> {
    let classes = analysis.classes.iter().chain(
        analysis
            .parts
            .iter()
            .filter_map(|part| part.classes.as_ref()),
    );
    let first = classes.flat_map(|classes| &classes.classes).next();
    let mut mode = first
        .map(|class| class.representative.clone())
        .unwrap_or_default();
    mode.resize(analysis.mdae.modes.len(), false);
    mode
}

fn too_many(what: &str) -> Failure {
    Failure::Usage(format!(
        "there are more than {MAX_NODES} {what}, too many for a picture; `modeshift report` makes a page to walk around in"
    ))
}
