//! The verdict on a mode change, and all that is known about it.

use crate::array::{RowKind, Setting};
use crate::change::Change;
use crate::distribution::exact;
use crate::facts::{Past, Reason};
use crate::heights::stack;
use crate::judgement::judge;
use crate::regular::is_mode_regular;
use crate::sigma::{ModeOffsets, SingularMode, mode_offsets};
use crate::system::RestartSystem;
use crate::terms::Order;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{VarId, VarRef, incidence};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Determined,
    Undetermined,
    /// An impulsive variable occurs inside a function.
    NonlinearImpulse,
    /// Equations of the restart contradict each other.
    Inconsistent,
    /// Structurally fine, but the Jacobian of the restart system, or of the new mode, is singular for all values.
    NumericallySingular,
    /// The new mode is structurally singular.
    SingularMode,
    /// Several restart systems are possible and differ.
    Ambiguous,
}

impl Verdict {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Determined => "determined",
            Self::Undetermined => "undetermined",
            Self::NonlinearImpulse => "nonlinear-impulse",
            Self::Inconsistent => "inconsistent",
            Self::NumericallySingular => "numerically-singular",
            Self::SingularMode => "singular-mode",
            Self::Ambiguous => "ambiguous",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A remark on a verdict.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Flag {
    /// In this row an impulse is multiplied by these states, which jump themselves: the result depends on
    /// how the instant is resolved.
    SchemeDependent {
        row: RowKind,
        impulse: VarRef,
        states: Vec<VarRef>,
    },
    /// A state of the new mode that was no state before. Where it is determined it starts from the last value it had.
    AlgebraicBefore { state: VarRef },
}

/// What is known about a mode change.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub verdict: Verdict,
    /// By equation of the new mode.
    pub heights: Vec<u32>,
    /// Largest order of every impulsive variable.
    pub impulsive: BTreeMap<VarRef, Order>,
    /// Determined states that may differ before and after.
    pub jumps: Vec<VarRef>,
    pub determined: Vec<VarRef>,
    pub undetermined: Vec<VarRef>,
    pub facts: Vec<(RowKind, Reason)>,
    pub redundant: Vec<RowKind>,
    /// Rows that cannot be reconciled.
    pub conflict: Vec<RowKind>,
    /// Rows of the new mode that were left out, and could have taken the place of others with other values
    /// after the change, with those others.
    pub rivals: Vec<(RowKind, RowKind)>,
    /// Rows in which an impulse is locked in a function, with the variables.
    pub nonlinear: Vec<(RowKind, Vec<VarRef>)>,
    /// Variables that may be impulsive, of which no order is known: they follow from an impulse that is locked in a function.
    pub open: Vec<VarRef>,
    pub flags: Vec<Flag>,
    pub system: RestartSystem,
    /// Why the new mode is structurally singular.
    pub singular: Option<SingularMode>,
    /// Equations at the transient instant only, as [`RowKind::Instant`] numbers them: source equations.
    pub instant_sources: Vec<usize>,
    pub offsets_before: Option<ModeOffsets>,
    pub offsets_after: Option<ModeOffsets>,
    /// The new mode is linear: the result was computed among distributions, or held against that.
    pub exact: bool,
}

impl Analysis {
    pub(crate) fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            heights: Vec::new(),
            impulsive: BTreeMap::new(),
            jumps: Vec::new(),
            determined: Vec::new(),
            undetermined: Vec::new(),
            facts: Vec::new(),
            redundant: Vec::new(),
            conflict: Vec::new(),
            rivals: Vec::new(),
            nonlinear: Vec::new(),
            open: Vec::new(),
            flags: Vec::new(),
            system: RestartSystem::default(),
            singular: None,
            instant_sources: Vec::new(),
            offsets_before: None,
            offsets_after: None,
            exact: false,
        }
    }

    fn singular(reason: SingularMode) -> Self {
        Self {
            singular: Some(reason),
            ..Self::new(Verdict::SingularMode)
        }
    }
}

/// Analyses one mode change.
pub fn analyse(change: &Change) -> Analysis {
    let after = match mode_offsets(change, &change.after) {
        Ok(offsets) => offsets,
        Err(reason) => return Analysis::singular(reason),
    };
    let before = if change.initial {
        // The start values are the past; no equation held before.
        ModeOffsets {
            c: Vec::new(),
            ..after.clone()
        }
    } else {
        match mode_offsets(change, &change.before) {
            Ok(offsets) => offsets,
            // The left limits of what is differentiated are there, whatever the equations say.
            Err(_) => differentiated(change),
        }
    };
    let mut setting = Setting::new(change, before, after);
    let past = Past::new(change, &setting.before);
    let regular = is_mode_regular(&change.after, &setting.after);
    let exact = exact(change, &setting.before, &setting.after, &past, regular);
    let corrected = exact.map(|exact| {
        let mut analysis = by_array(&setting, &past);
        exact.correct(&mut analysis);
        analysis
    });
    let mut analysis = match corrected {
        Some(analysis) if analysis.exact => analysis,
        plain => informed(&mut setting, &past, plain),
    };
    if analysis.verdict == Verdict::Determined && !regular {
        analysis.verdict = Verdict::NumericallySingular;
    }
    analysis
}

fn by_array(setting: &Setting<'_>, past: &Past<'_>) -> Analysis {
    judge(setting, past, stack(setting, past))
}

/// With the last values of what becomes a state the array says what an implicit Euler step does; with rates that both modes
/// give it says more. `plain` is what it says without either, where that is known already.
fn informed(setting: &mut Setting<'_>, past: &Past<'_>, plain: Option<Analysis>) -> Analysis {
    let mut analysis = if setting.know_last_values() {
        let informed = by_array(setting, past);
        if informed.verdict == Verdict::Determined && informed.nonlinear.is_empty() {
            return informed;
        }
        let plain = plain.unwrap_or_else(|| {
            setting.forget_last_values();
            let plain = by_array(setting, past);
            setting.know_last_values();
            plain
        });
        better(plain, informed)
    } else {
        plain.unwrap_or_else(|| by_array(setting, past))
    };
    let lacks = matches!(
        analysis.verdict,
        Verdict::Inconsistent
            | Verdict::Undetermined
            | Verdict::Ambiguous
            | Verdict::NonlinearImpulse
    ) || !analysis.nonlinear.is_empty();
    if lacks && setting.know_rates() {
        analysis = better(analysis, by_array(setting, past));
    }
    analysis
}

/// Of two analyses the second, which was told more about the past, if it has an answer.
fn better(first: Analysis, informed: Analysis) -> Analysis {
    let answers = match informed.verdict {
        Verdict::Determined => {
            first.verdict != Verdict::Determined
                || informed.nonlinear.len() <= first.nonlinear.len()
        }
        Verdict::Undetermined => {
            first.verdict == Verdict::Undetermined
                && informed.undetermined.len() < first.undetermined.len()
        }
        _ => false,
    };
    if answers { informed } else { first }
}

/// The offsets of a mode that has none: what it differentiates was there.
fn differentiated(change: &Change) -> ModeOffsets {
    let mut d: FxHashMap<VarId, u32> = FxHashMap::default();
    for equation in &change.before {
        for (var, order) in incidence(&equation.residual) {
            if change.is_unknown(var) {
                let highest = d.entry(var).or_insert(0);
                *highest = (*highest).max(order);
            }
        }
    }
    ModeOffsets {
        c: vec![0; change.before.len()],
        d,
        equation_of: FxHashMap::default(),
    }
}
