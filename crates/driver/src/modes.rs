//! From a class to the structure of its modes.

use crate::Session;
use crate::pipeline::mdae;
use modeshift_base::FileSpan;
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_hir::ClassId;
use modeshift_mdae::analysis::{Analysis, Options};
use modeshift_mdae::diagnose::{Lag, diagnostics, lags};

/// The modes of a class. Without an analysis something before it failed.
pub struct Modes {
    pub analysis: Option<Analysis>,
    /// Of all phases up to the modes, places as the phases carry them.
    pub diagnostics: Vec<Diagnostic>,
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
        self.offer_left_limits(&analysis, &mut of_modes);
        found.extend(of_modes);
        Modes {
            analysis: Some(analysis),
            diagnostics: found,
        }
    }

    /// Adds the edit `s` → `pre(s)` to messages about fixpoints, where the condition is written so that
    /// the edit is certain to be right.
    fn offer_left_limits(&self, analysis: &Analysis, diagnostics: &mut [Diagnostic]) {
        for lag in lags(analysis) {
            let edits = self.left_limit_edits(&lag);
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
