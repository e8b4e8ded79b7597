//! From a class to the structure of its modes.

use crate::Session;
use crate::pipeline::{instance, mdae};
use modeshift_base::FileSpan;
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_hir::{ClassId, Db};
use modeshift_mdae::analysis::{Analysis, Options};
use modeshift_mdae::diagnose::{Lag, diagnostics, lags};
use modeshift_restart::diagnose::diagnose as restart_diagnostics;
use modeshift_restart::explore;

/// The modes of a class. Without an analysis something before it failed.
pub struct Modes {
    pub analysis: Option<Analysis>,
    /// Of all phases up to the modes, places as the phases carry them.
    pub diagnostics: Vec<Diagnostic>,
}

/// What all phases up to the modes have to say about a class: kept, so that an editor pays for it only
/// when the flat model has changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Findings {
    pub diagnostics: Vec<Diagnostic>,
    /// What [`Session::offer_left_limits`] looks for in the text.
    pub lags: Vec<Lag>,
}

/// Later phases speak only when earlier ones found no error. Equations are counted only where the structure of
/// the modes found nothing: it tells more about the same mistakes.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn findings(db: &dyn Db, class: ClassId, deny_fixpoints: bool) -> Findings {
    let flat = crate::flat(db, class);
    let mut found = Findings {
        diagnostics: flat.diagnostics.clone(),
        lags: Vec::new(),
    };
    let failed = |found: &Findings| found.diagnostics.iter().any(Diagnostic::is_error);
    if failed(&found) {
        return found;
    }
    let lowered = mdae(db, class);
    found
        .diagnostics
        .extend(lowered.diagnostics.iter().cloned());
    if !failed(&found) {
        let options = Options {
            deny_fixpoints,
            ..Options::default()
        };
        let analysis = Analysis::new(lowered.mdae.clone(), &options);
        found.diagnostics.extend(diagnostics(&analysis));
        found.lags = lags(&analysis);
        if !failed(&found) {
            found.diagnostics.extend(changes(&analysis));
        }
    }
    if !failed(&found) {
        let balance = modeshift_flat::balance::check(instance(db, class), &flat.model);
        found.diagnostics.extend(balance);
    }
    found
}

/// What there is to say about the mode changes of a model of moderate size; larger ones are left to
/// `modeshift transitions`, which shows its progress.
fn changes(analysis: &Analysis) -> Vec<Diagnostic> {
    const MAX_MODES: u32 = 256;
    const MAX_EQUATIONS: usize = 2000;
    let few = analysis
        .mode_count
        .as_ref()
        .is_some_and(|count| *count <= MAX_MODES.into());
    if !few || analysis.rows.equations.len() > MAX_EQUATIONS {
        return Vec::new();
    }
    let options = explore::Options {
        max_modes: MAX_MODES as usize,
        ..explore::Options::default()
    };
    let explored = explore::explore(&analysis.mdae, &options, &|_, _| {});
    let mut found: Vec<Diagnostic> = Vec::new();
    for transition in &explored.transitions {
        for diagnostic in restart_diagnostics(&explored, transition, 1) {
            let places = |d: &Diagnostic| -> Vec<FileSpan> {
                d.labels.iter().map(|label| label.at).collect()
            };
            let known = found
                .iter()
                .any(|d| d.code == diagnostic.code && places(d) == places(&diagnostic));
            if !known {
                found.push(diagnostic);
            }
        }
    }
    found
}

impl Session {
    /// Everything up to the modes of a class.
    pub fn modes(&self, class: ClassId, options: &Options) -> Modes {
        let mut found = crate::flat(self.db(), class).diagnostics.clone();
        if found.iter().any(Diagnostic::is_error) {
            return Modes {
                analysis: None,
                diagnostics: found,
            };
        }
        let lowered = mdae(self.db(), class);
        found.extend(lowered.diagnostics.iter().cloned());
        if found.iter().any(Diagnostic::is_error) {
            return Modes {
                analysis: None,
                diagnostics: found,
            };
        }
        let analysis = Analysis::new(lowered.mdae.clone(), options);
        let mut of_modes = diagnostics(&analysis);
        self.offer_left_limits(&lags(&analysis), &mut of_modes);
        found.extend(of_modes);
        Modes {
            analysis: Some(analysis),
            diagnostics: found,
        }
    }

    /// Adds the edit `s` → `pre(s)` to messages about fixpoints, where the condition is written so that
    /// the edit is certain to be right.
    pub(crate) fn offer_left_limits(&self, lags: &[Lag], diagnostics: &mut [Diagnostic]) {
        for lag in lags {
            let edits = self.left_limit_edits(lag);
            if edits.is_empty() {
                continue;
            }
            let about = diagnostics.iter_mut().find(|diagnostic| {
                matches!(diagnostic.code, Code::MS4002 | Code::MS4003)
                    && diagnostic.labels.iter().any(|label| label.at == lag.place)
            });
            if let Some(diagnostic) = about {
                let title = format!("read the value just before: `pre({})`", lag.name);
                let fix = modeshift_diag::Fix { title, edits };
                if !diagnostic.fixes.contains(&fix) {
                    diagnostic.fixes.push(fix);
                }
            }
        }
    }

    fn left_limit_edits(&self, lag: &Lag) -> Vec<Edit> {
        let shown = self.resolve(lag.place);
        let Some((_, text)) = self.name_and_text(shown.file) else {
            return Vec::new();
        };
        let Some(equation) = text.get(shown.span.range()) else {
            return Vec::new();
        };
        lag.edits(equation)
            .into_iter()
            .map(|(range, text)| {
                let start = lag.place.span.start + range.start as u32;
                let span = modeshift_base::Span::new(start, start + range.len() as u32);
                Edit {
                    at: FileSpan { span, ..lag.place },
                    text,
                }
            })
            .collect()
    }
}
