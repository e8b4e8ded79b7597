//! `modeshift transitions`: which variables jump, which are impulsive, and how the model restarts.

use super::Run;
use crate::changes::{Found, parse_valuation};
use crate::model::ModelArgs;
use crate::progress::Progress;
use crate::ui::{Failure, Ui};
use modeshift_diag::json::JsonDiagnostic;
use modeshift_driver::Analysed;
use modeshift_report::transitions::{
    Document, LeftOut, SCHEMA, change_count, class, group, independent, text,
};
use modeshift_restart::explore::{Exploration, Options, explore, initialise_from_fixed};
use modeshift_restart::verdict::Verdict;
use std::sync::OnceLock;

/// Analyse mode changes: jumps, impulses and the equations that restart the model
///
/// Analyses every change in which a single condition flips, every change that `--from` and `--to`
/// describe, and the start of the model.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift transitions Clutch.mo\n  \
    modeshift transitions --from g=false --to g=true --format text Clutch.mo\n  \
    modeshift transitions --format json Clutch.mo | jq '.transitions[].verdict'")]
pub struct Transitions {
    #[command(flatten)]
    model: ModelArgs,

    /// Only changes out of modes like this: `g=false,h=true`
    #[arg(long, value_name = "VALUES")]
    from: Option<String>,

    /// Only changes into modes (or instants) like this
    #[arg(long, value_name = "VALUES")]
    to: Option<String>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// One line for each group of changes or, if there are many groups, for each condition
    Table,
    /// The restart systems, each line with the equation it comes from
    Text,
    /// Everything, see docs/schemas/transitions.schema.json
    Json,
    /// The restart systems for a paper
    Latex,
}

impl Run for Transitions {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        let machine = self.format == Format::Json;
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let selected = self.from.is_some() || self.to.is_some();
        let class = self.model.class.as_deref();
        // A change that is named concerns few modes; only these are looked at.
        let Analysed {
            mut mdae,
            name,
            class,
            mode_count,
            calm,
            errors,
            diagnostics,
        } = match selected {
            true => Analysed::lowered(&session, class),
            false => Analysed::of(&session, class),
        };
        let mut found = Found::new(&session, ui, [diagnostics, errors].concat());
        let Some(mdae) = &mut mdae else {
            let document = empty(name, found.json());
            return found.finish(ui, machine.then_some(&document));
        };
        let mut options = Options {
            selected,
            ..Options::default()
        };
        for (text, list) in [(&self.from, &mut options.from), (&self.to, &mut options.to)] {
            if let Some(text) = text {
                *list = parse_valuation(mdae, text)?;
            }
        }
        let mdae = &*mdae;
        let bar: OnceLock<Progress> = OnceLock::new();
        let mut explored = explore(mdae, &options, &|_, total| {
            bar.get_or_init(|| Progress::new(ui, total, "mode changes"))
                .advance();
        });
        if let Some(bar) = bar.into_inner() {
            bar.finish();
        }
        match class.filter(|_| selected) {
            Some(class) => found.look_at_modes(class, &mut explored),
            None => explored.keep_calm(&calm),
        }
        let start = (!options.selected).then(|| {
            let mut given = session.given_at_start(class, mdae);
            initialise_from_fixed(mdae, &mut given, &[])
        });
        let mut document = empty(name, Vec::new());
        document.change_count = change_count(&explored);
        document.independent = independent(&explored);
        document.truncated = explored.truncated;
        let left_out = LeftOut::of(&explored, mode_count.as_ref());
        if let Some(left_out) = &left_out {
            document.modes_not_analysed = left_out.modes.clone();
            document.changes_not_analysed = left_out.changes.clone();
            document.left_out = Some(left_out.text());
        }
        document.transitions = found.classes(&explored);
        if let Some(start) = &start {
            document.initialisation = found.classes(start).pop().filter(|class| {
                !class.result.determined_states.is_empty()
                    || class.result.verdict != Verdict::Determined
            });
        }
        if options.selected && explored.transitions.is_empty() {
            found.no_such_change(mdae, self.from.as_deref(), self.to.as_deref());
        }
        if let Some(left_out) = &left_out {
            found.too_many_changes(left_out);
        }
        document.diagnostics = found.json();
        if !machine {
            let printed = match self.format {
                Format::Text => text::text(&document),
                Format::Latex => text::latex(&document),
                Format::Table | Format::Json => text::table(&document, ui.width()),
            };
            ui.print(|out| out.write_all(printed.as_bytes()))?;
        }
        found.finish(ui, machine.then_some(&document))
    }
}

fn empty(model: String, diagnostics: Vec<JsonDiagnostic>) -> Document {
    Document {
        schema: SCHEMA,
        model,
        change_count: 0,
        truncated: false,
        modes_not_analysed: serde_json::Value::Null,
        changes_not_analysed: serde_json::Value::Null,
        left_out: None,
        independent: Vec::new(),
        transitions: Vec::new(),
        initialisation: None,
        diagnostics,
    }
}

impl Found<'_> {
    /// The classes of an exploration, and what there is to say about them.
    fn classes(&mut self, explored: &Exploration<'_>) -> Vec<modeshift_report::transitions::Class> {
        let locate = self.locator(explored.modes.mdae);
        let grouped = group(explored, &locate);
        let mut classes = Vec::new();
        for (members, outcome) in grouped.members.iter().zip(&grouped.outcomes) {
            let Some(gravest) = modeshift_restart::diagnose::gravest(explored, members) else {
                continue;
            };
            let transition = &explored.transitions[gravest];
            let said = modeshift_restart::diagnose::diagnose(explored, transition, members.len());
            let diagnostics = self.add(said);
            classes.extend(class(explored, members, outcome, diagnostics));
        }
        classes
    }
}
