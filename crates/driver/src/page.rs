//! The page about a model, which `modeshift report` writes and editors show.

use crate::{Modes, Session};
use modeshift_base::FxHashMap;
use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::calm::Calm;
use modeshift_report::html::{Document, Input, Places, document};
use modeshift_restart::explore::{self, Progress, explore, initialise_from_fixed};
use modeshift_restart::left_limits::{Given, parameter_values};

impl Session {
    /// Everything about the modes of a model and their changes. `diagnose` hears what is wrong with changes and tells
    /// how the page is to say it. `None` without an analysis.
    pub fn page(
        &self,
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
        let params = parameter_values(&analysis.mdae, &FxHashMap::default());
        let mut given = Given {
            params,
            ..Given::default()
        };
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
}
