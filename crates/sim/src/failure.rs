//! What can go wrong while simulating, as data.

use crate::integrate::Trouble;
use crate::tape::Unsupported;
use modeshift_mdae::model::ModeId;
use modeshift_mdae::sym::VarRef;
use modeshift_restart::modes::Mode;
use modeshift_restart::verdict::Verdict;

/// Why a simulation stopped before its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub time: f64,
    pub mode: Mode,
    pub kind: FailureKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FailureKind {
    /// The simulation does not support this construct, in this equation of the model.
    Unsupported(Unsupported, Place),
    /// The mode has no square system of equations.
    SingularMode(Vec<usize>),
    /// No choice of states: the constraints are dependent where the model is.
    DependentConstraints(Vec<VarRef>),
    /// Equations have no unique solution, or none was found.
    Unsolvable(Unsolvable, Vec<VarRef>),
    /// The start values contradict the equations.
    Initial(f64),
    /// The values after a mode change are not determined.
    Restart {
        to: Mode,
        verdict: Verdict,
        undetermined: Vec<VarRef>,
    },
    /// The restart has no numeric solution.
    RestartUnsolved {
        to: Mode,
    },
    /// The mode does not settle at an instant; the modes that were tried.
    NoMode {
        flipping: Vec<ModeId>,
        rounds: usize,
    },
    /// Events accumulate at this time.
    Zeno {
        at: f64,
        guards: Vec<ModeId>,
        events: usize,
    },
    /// Events follow each other without time to speak of.
    Chattering {
        guards: Vec<ModeId>,
        events: usize,
    },
    StepTooSmall(Blame),
    /// The event-capturing scheme knows no `when`: an equation of the model.
    NoCapture(usize),
    /// The discrete equations have no solution at an event; the variables that do not settle.
    Discrete(Vec<String>),
    /// `assert` says so, about the mode.
    Assertion(usize),
    /// `assert` says so, about values.
    Check(usize),
}

/// Why no step could be taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blame {
    /// The state that is to blame, in the modeller's words.
    pub name: Option<String>,
    pub trouble: Option<Trouble>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolvable {
    Singular,
    Diverged,
    Undefined,
}

/// Where a construct stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Equation(usize),
    Mode(ModeId),
}
