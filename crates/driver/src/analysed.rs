//! A model as the commands on mode changes need it.

use crate::Session;
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::ClassId;
use modeshift_mdae::analysis::Options;
use modeshift_mdae::calm::Calm;
use modeshift_mdae::model::MDae;
use num_bigint::BigUint;

/// A model as far as it can be analysed.
pub struct Analysed {
    /// Nothing when errors came before.
    pub mdae: Option<MDae>,
    pub name: String,
    pub class: Option<ClassId>,
    /// How many modes there are, where that is known.
    pub mode_count: Option<BigUint>,
    /// Which changes leave all states alone.
    pub calm: Calm,
    /// Errors of a model whose changes can be analysed nevertheless: values for which no mode fits, an equation too many.
    pub errors: Vec<Diagnostic>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Analysed {
    /// With all modes.
    pub fn of(session: &Session, class: Option<&str>) -> Self {
        let mut this = Self::lowered(session, class);
        let Some(class) = this.class.filter(|_| this.mdae.is_some()) else {
            return this;
        };
        let modes = session.modes(class, &Options::default());
        // What the modes command says about the structure of modes is not repeated, but a condition that
        // cannot be evaluated leaves no mode change to speak of.
        let singular = modes.diagnostics.iter().any(Diagnostic::is_error);
        let everywhere = modes.analysis.as_ref();
        let everywhere = everywhere.is_some_and(|it| it.is_singular_throughout());
        for found in modes.diagnostics {
            match found.code {
                Code::MS4001 | Code::MS4013 if everywhere && found.is_error() => {
                    this.diagnostics.push(found);
                }
                Code::MS4002 => this.diagnostics.push(found),
                Code::MS4014 => this.errors.push(found),
                _ => {}
            }
        }
        // A singular mode is told where a change leads to it.
        if !singular {
            let counted = crate::modes::counted(session.db(), class, false);
            this.errors
                .extend(counted.into_iter().filter(Diagnostic::is_error));
        }
        if let Some(analysis) = &modes.analysis {
            this.mode_count = analysis.mode_count.clone();
            this.calm = Calm::new(analysis);
        }
        this
    }

    /// Without a look at its modes: whoever names a change needs few of them.
    pub fn lowered(session: &Session, class: Option<&str>) -> Self {
        let mut this = Self {
            mdae: None,
            name: class.unwrap_or_default().to_owned(),
            class: None,
            mode_count: None,
            calm: Calm::default(),
            errors: Vec::new(),
            diagnostics: session.check_files(),
        };
        if this.diagnostics.iter().any(Diagnostic::is_error) {
            return this;
        }
        let class = match session.target(class) {
            Ok(class) => class,
            Err(diagnostic) => {
                this.diagnostics.push(*diagnostic);
                return this;
            }
        };
        this.class = Some(class);
        this.name = session.flat(class).model.name.to_string();
        match session.lowered(class) {
            Ok(mdae) => this.mdae = Some(mdae),
            Err(found) => this.diagnostics.extend(found),
        }
        this
    }
}
