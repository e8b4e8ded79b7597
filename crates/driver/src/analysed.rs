//! A model as the commands on mode changes need it.

use crate::Session;
use modeshift_diag::{Code, Diagnostic};
use modeshift_mdae::analysis::Options;
use modeshift_mdae::model::MDae;
use num_bigint::BigUint;

/// A model as far as it can be analysed.
pub struct Analysed {
    /// Nothing when errors came before.
    pub mdae: Option<MDae>,
    pub name: String,
    /// How many modes there are, where that is known.
    pub mode_count: Option<BigUint>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Analysed {
    pub fn of(session: &Session, class: Option<&str>) -> Self {
        let mut diagnostics = session.check_files();
        let failed = |list: &[Diagnostic]| list.iter().any(Diagnostic::is_error);
        let name = class.unwrap_or_default().to_owned();
        if failed(&diagnostics) {
            return Self {
                mdae: None,
                name,
                mode_count: None,
                diagnostics,
            };
        }
        let class = match session.target(class) {
            Ok(class) => class,
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return Self {
                    mdae: None,
                    name,
                    mode_count: None,
                    diagnostics,
                };
            }
        };
        let name = session.flat(class).model.name.to_string();
        let modes = session.modes(class, &Options::default());
        // What the modes command says about the structure of modes is not repeated, but a condition that
        // cannot be evaluated leaves no mode change to speak of.
        diagnostics.extend(
            modes
                .diagnostics
                .into_iter()
                .filter(|diagnostic| modes.analysis.is_none() || diagnostic.code == Code::MS4002),
        );
        let mode_count = modes.analysis.as_ref().and_then(|it| it.mode_count.clone());
        let mdae = modes.analysis.map(|analysis| analysis.mdae);
        Self {
            mdae,
            name,
            mode_count,
            diagnostics,
        }
    }
}
