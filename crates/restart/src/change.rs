//! One change from a long mode to a long mode, perhaps through a transient instant.

use modeshift_mdae::sym::{Expr, VarId, VarRef};

/// How a variable takes part in a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Determined by the equations.
    Unknown,
    /// Determined by the equations, constant between events.
    Discrete,
    /// Known at every instant with all its derivatives: inputs, and what invariant equations fix.
    Known,
    /// Keeps its value unless a law of the transient instant assigns it.
    Held,
}

/// An equation `residual = 0` that is enabled in a mode, with its number in the source model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModeEquation {
    pub source: usize,
    pub residual: Expr,
}

/// An equation of the transient instant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Law {
    pub source: usize,
    pub residual: Expr,
    /// `reinit(x, e)`: the residual is `x − e`, and the law *replaces* the continuity of `x`.
    pub reinit: Option<VarRef>,
    /// The held variable that the law assigns, if that is plain; others that it mentions are read.
    pub target: Option<VarId>,
}

/// What happens at the instant itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Transient {
    /// The long equations whose guards hold in the transient valuation.
    pub instant: Vec<ModeEquation>,
    /// The `when` equations that fire.
    pub laws: Vec<Law>,
    /// The equations that the long modes before and after have in common, as they are written: with no values in the place of
    /// unknowns, which may be others before. They say what is one state by several names.
    pub shared: Vec<ModeEquation>,
}

/// A change `S⁻ → S`, guards resolved and first-order form eliminated.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Change {
    /// By [`VarId`].
    pub roles: Vec<Role>,
    /// The equations of the long mode before.
    pub before: Vec<ModeEquation>,
    /// The equations of the long mode after.
    pub after: Vec<ModeEquation>,
    /// `before`, with values in the place of unknowns that an equation of their own gives, as `after` has them.
    pub restated: Vec<Expr>,
    /// Functions that are zero at the instant because their sign flips there. Current values in them
    /// are read as left limits.
    pub crossings: Vec<Expr>,
    pub transient: Option<Transient>,
    /// Initialisation: there is no mode before, the start values of the states are the left limits.
    pub initial: bool,
}

impl Change {
    pub fn role(&self, var: VarId) -> Role {
        self.roles
            .get(var.0 as usize)
            .copied()
            .unwrap_or(Role::Known)
    }

    pub fn is_unknown(&self, var: VarId) -> bool {
        matches!(self.role(var), Role::Unknown | Role::Discrete)
    }

    /// Whether the derivative of `var` is zero between events.
    pub fn is_constant(&self, var: VarId) -> bool {
        matches!(self.role(var), Role::Held | Role::Discrete)
    }
}
