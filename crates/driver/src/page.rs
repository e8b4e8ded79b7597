//! The page about a model, which `modeshift report` writes and editors show.

use crate::{Modes, Session};
use modeshift_base::FxHashMap;
use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_hir::ClassId;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::calm::Calm;
use modeshift_mdae::model::MDae;
use modeshift_report::html::{Document, Input, Places, document};
use modeshift_restart::explore::{self, Progress, explore, initialise_from_fixed};
use modeshift_restart::left_limits::Given;
use modeshift_sim::parameters::of_run;
use modeshift_sim::tape::Functions;

impl Session {
    /// Everything about the modes of a model and their changes. `diagnose` hears what is wrong with changes and tells
    /// how the page is to say it. `None` without an analysis.
    pub fn page(
        &self,
        class: Option<ClassId>,
        modes: &Modes,
        progress: Progress<'_>,
        diagnose: &mut dyn FnMut(Vec<Diagnostic>) -> Vec<JsonDiagnostic>,
    ) -> Option<Document> {
        let analysis: &Analysis = modes.analysis.as_ref()?;
        let all = self.report(modes.diagnostics.clone());
        let before = all.diagnostics.iter();
        let before = before
            .map(|it| JsonDiagnostic::new(it, &all.files))
            .collect();
        let mut explored = explore(&analysis.mdae, &explore::Options::default(), progress);
        explored.keep_calm(&Calm::new(analysis));
        let mut given = self.given_at_start(class, &analysis.mdae);
        let start = initialise_from_fixed(&analysis.mdae, &mut given, &[]);
        let files = self.files_of(analysis.places().map(|place| self.resolve(place)));
        let places = Places {
            files: &files,
            resolve: &|place| self.resolve(place),
        };
        let input = Input {
            analysis,
            explored: &explored,
            start: Some(&start),
            places: &places,
            diagnose,
        };
        Some(document(input, false, before))
    }
    /// What is known at the start: the parameters as a run has them, also those that initial equations determine.
    pub fn given_at_start(&self, class: Option<ClassId>, mdae: &MDae) -> Given {
        let functions = class.map_or_else(Functions::default, |class| {
            Functions::new(&self.flat(class).model.functions)
        });
        let (params, _) = of_run(mdae, &functions, &FxHashMap::default(), 0.0);
        Given {
            params,
            ..Given::default()
        }
    }
}
