//! The predicates of the mode variables as functions whose sign decides.
//!
//! A predicate keeps its truth until its function is clearly on the other side: numbers that are zero in a
//! mode (`w1 − w2` of an engaged clutch) are zero up to rounding only. The *excess* of a predicate is
//! positive where it is to flip.

use crate::block::{ModeValues, compile};
use crate::layout::{Layout, TIME};
use crate::tape::{Functions, Graph, Program, Unsupported, Work};
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, ModeDef, ModeId, VarKind};
use modeshift_mdae::sym::{At, Expr, ParamId, RelOp, VarRef, substitute, variables};
use modeshift_restart::modes::{Mode, Modes};

/// How far beyond its threshold a function must be, relative to the numbers it compares.
const MARGIN: f64 = 1e-11;

/// A few digits of the last place.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What is no jump but rounding, relative to the numbers that are compared.
const JUMP: f64 = 1e-6;

#[derive(Clone, Debug)]
struct Watched {
    mode: ModeId,
    op: RelOp,
    /// Reads only what is constant between events, and perhaps time.
    discrete: bool,
    /// The slope in time of a function that is linear in time.
    time_slope: Option<f64>,
}

/// The predicates of a mode, compiled.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    watched: Vec<Watched>,
    /// Left and right sides.
    program: Program,
}

/// The numbers that a predicate compares, at some point.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    pub left: f64,
    pub right: f64,
    /// When that is.
    time: f64,
}

impl Predicates {
    pub fn new(
        modes: &Modes<'_>,
        layout: &mut Layout,
        params: &FxHashMap<ParamId, f64>,
        functions: &Functions,
        truth: &[bool],
    ) -> Result<Self, (Unsupported, ModeId)> {
        let mut graph = Graph::default();
        let mut watched = Vec::new();
        let mut outputs = Vec::new();
        for (id, variable) in modes.mdae.modes.iter_enumerated() {
            let (op, lhs, rhs) = match &variable.def {
                ModeDef::Predicate(p) => (p.op, p.lhs.clone(), p.rhs.clone()),
                ModeDef::Opaque(value) => (RelOp::Greater, value.clone(), half()),
                _ => continue,
            };
            let sides = [lhs, rhs].map(|side| between_events(modes, &side));
            let mut values = ModeValues {
                layout,
                params,
                truth,
                local: FxHashMap::default(),
            };
            let regs =
                compile(&mut graph, functions, &mut values, &sides).map_err(|what| (what, id))?;
            let time = graph.input(TIME);
            let function = graph.sub(regs[0], regs[1]);
            let discrete = sides
                .iter()
                .flat_map(variables)
                .all(|o| is_discrete(modes.mdae, o));
            let slope = graph.derivatives(&[function], &[time])[0][0];
            let time_slope = match slope {
                Some(slope) if discrete => graph.value(slope).filter(|s| *s != 0.0),
                _ => None,
            };
            watched.push(Watched {
                mode: id,
                op,
                discrete: discrete && slope.is_none(),
                time_slope,
            });
            outputs.extend(regs);
        }
        Ok(Self {
            watched,
            program: Program::new(&graph, &outputs),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    pub fn len(&self) -> usize {
        self.watched.len()
    }

    pub fn mode(&self, index: usize) -> ModeId {
        self.watched[index].mode
    }

    /// Whether some predicate can flip between events other than at a time known beforehand.
    pub fn any_continuous(&self) -> bool {
        self.watched
            .iter()
            .any(|w| !w.discrete && w.time_slope.is_none())
    }

    /// The numbers of all predicates at `values`.
    pub fn sides(&self, values: &[f64], work: &mut Work, out: &mut Vec<Sides>) {
        self.program.run(values, work);
        out.clear();
        out.extend((0..self.watched.len()).map(|i| Sides {
            left: self.program.output(work, 2 * i),
            right: self.program.output(work, 2 * i + 1),
            time: values[TIME as usize],
        }));
    }

    /// The truth as the relation says.
    pub fn truth(&self, index: usize, sides: Sides) -> bool {
        crate::tape::compare(self.watched[index].op, sides.left, sides.right)
    }

    /// Positive where the predicate is to flip. `extra` is added to the margin.
    pub fn excess(&self, index: usize, sides: Sides, current: bool, extra: f64) -> f64 {
        let watched = &self.watched[index];
        let exact = if self.truth(index, sides) == current {
            -1.0
        } else {
            1.0
        };
        if watched.discrete {
            return exact;
        }
        let difference = sides.left - sides.right;
        let rising = match watched.op {
            RelOp::Greater | RelOp::GreaterEqual => !current,
            RelOp::Less | RelOp::LessEqual => current,
            RelOp::Equal | RelOp::NotEqual => return exact,
        };
        let size = 1.0 + sides.left.abs().max(sides.right.abs());
        let margin = match watched.time_slope {
            // It flips at its instant, and not back by rounding: `mod(time, 0.2) < 0.1` at 0.5.
            Some(slope) => ROUNDING * (size + (slope * sides.time).abs()),
            None => MARGIN * size + extra,
        };
        if rising {
            difference - margin
        } else {
            -difference - margin
        }
    }

    /// Whether a jump ended on the threshold of a predicate and flips it: a speed that was negative and is set to
    /// zero no longer is. Only for a number that drifts to its threshold is rounding a reason to wait.
    pub fn landed(&self, index: usize, before: Sides, after: Sides, current: bool) -> bool {
        let size = after.left.abs().max(after.right.abs());
        let (old, new) = (before.left - before.right, after.left - after.right);
        let jumped = (new - old).abs() > JUMP * (1.0 + size);
        let on_threshold = new.abs() <= MARGIN * (1.0 + size);
        jumped && on_threshold && crate::tape::compare(self.watched[index].op, 0.0, 0.0) != current
    }

    /// Whether the numbers that a predicate compares are equal but for rounding.
    pub fn is_on_threshold(sides: Sides) -> bool {
        let size = sides.left.abs().max(sides.right.abs());
        (sides.left - sides.right).abs() <= JUMP * (1.0 + size)
    }

    /// The truth of a predicate that lies on its threshold a short while later; `None` if it stays there.
    pub fn side_ahead(&self, index: usize, here: Sides, ahead: Sides) -> Option<bool> {
        let moved = (ahead.left - ahead.right) - (here.left - here.right);
        let size = ahead.left.abs().max(ahead.right.abs());
        (moved.abs() > MARGIN * (1.0 + size))
            .then(|| crate::tape::compare(self.watched[index].op, moved, 0.0))
    }

    /// When the predicate flips, for functions that are linear in time.
    pub fn time_of_flip(&self, index: usize, sides: Sides, t: f64, current: bool) -> Option<f64> {
        let watched = &self.watched[index];
        let slope = watched.time_slope?;
        let rising = match watched.op {
            RelOp::Greater | RelOp::GreaterEqual => !current,
            RelOp::Less | RelOp::LessEqual => current,
            RelOp::Equal | RelOp::NotEqual => return None,
        };
        let difference = sides.left - sides.right;
        // The difference moves towards the flip.
        if rising != (slope > 0.0) {
            return None;
        }
        Some((t - difference / slope).max(t))
    }
}

/// `pre(x)` between events is `x`.
fn between_events(modes: &Modes<'_>, expr: &Expr) -> Expr {
    let now = substitute(expr, &mut |o| {
        (o.at == At::Left).then(|| Expr::var_ref(VarRef { at: At::Now, ..o }))
    });
    modes.elimination.apply(&now)
}

fn half() -> Expr {
    Expr::one().div(&Expr::int(2))
}

fn is_discrete(mdae: &MDae, occurrence: VarRef) -> bool {
    let variable = mdae.variable(occurrence.var);
    variable.kind != VarKind::Unknown || variable.discrete
}

/// The mode with these truths of its predicates.
pub fn with_flips(mode: &Mode, flips: &[(ModeId, bool)]) -> Mode {
    let mut mode = mode.clone();
    for &(id, value) in flips {
        mode[id.index()] = value;
    }
    mode
}
