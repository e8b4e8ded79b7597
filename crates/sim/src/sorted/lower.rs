//! The state of lowering, from flat expressions to nodes of one graph.
//!
//! Parameters are numbers wherever they can be; a relation between values that change with time becomes the slot of a
//! condition that is held between events; `pre`, `sample` and `delay` become slots that the run fills.

use super::alias::Aliases;
use super::slots::{INITIAL, Key, LAMBDA, Slots, TERMINAL, TIME};
use super::transport::Transport;
use super::value::Why;
use crate::tape::{Derivatives, Functions, Graph, Op, Reg, Unary};
use modeshift_base::{FxHashMap, Name};
use modeshift_flat::model::{FlatModel, Origin, VarId, Variable};
use modeshift_inst::ty::{Type, Variability};
use modeshift_mdae::sym::RelOp;
use std::sync::Arc;

/// How a variable of the flat model gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Before the run.
    Constant,
    /// With the initial values.
    Free,
    /// From outside.
    Input,
    /// At events only.
    Discrete,
    Continuous,
    /// Clocks and functions.
    Text,
}

/// Something that changes at events only, and makes one when it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeldKind {
    Relation(RelOp, Reg, Reg),
    /// An integer part.
    Round(Unary, Reg),
}

#[derive(Clone, Debug)]
pub struct Held {
    pub kind: HeldKind,
    /// What it is at an event.
    pub value: Reg,
    pub slot: u32,
    /// For a relation that is decided by time and held values: the derivative of `a - b` by time.
    pub time_slope: Option<Reg>,
    pub origin: Option<Arc<Origin>>,
}

/// `lhs = rhs`, scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub lhs: Reg,
    pub rhs: Reg,
    /// Whether the unknown is a number that may change continuously.
    pub real: bool,
    /// It comes from a `when` or an algorithm, which are for instants.
    pub at_instants: bool,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct Reinit {
    pub fires: Reg,
    pub variable: u32,
    pub value: Reg,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct Assertion {
    /// 0 where it is violated.
    pub holds: Reg,
    pub message: String,
    /// The message as a number that stands for a string, where it is computed.
    pub text: Option<Reg>,
    pub warning: bool,
    /// It stands in `when` or in an initial section.
    pub at_instants: bool,
    pub origin: Arc<Origin>,
}

/// A call that is made for what it does.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The node of the call.
    pub call: Reg,
    pub name: Arc<str>,
    /// It stands in `when` or in an initial section.
    pub at_instants: bool,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Debug)]
pub struct End {
    pub fires: Reg,
    pub message: String,
    pub origin: Arc<Origin>,
}

#[derive(Clone, Copy, Debug)]
pub struct Delay {
    pub node: Reg,
    pub time: Reg,
    /// At most so long, where the time changes.
    pub most: f64,
    pub slot: u32,
}

/// A subscript that is found at run time.
#[derive(Clone, Debug)]
pub struct Subscripted {
    pub index: Reg,
    pub size: usize,
    pub origin: Option<Arc<Origin>>,
}

/// Start and interval may follow from the initial equations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    pub start: Reg,
    pub interval: Reg,
    pub slot: u32,
}

/// A construct that cannot be simulated, and where it stands.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub why: Why,
    pub origin: Option<Arc<Origin>>,
    /// The structure of the model changes with its conditions: this is for mode changes with restarts.
    pub structural: bool,
    /// It stands in an initial section, and is no matter of modes.
    pub at_start: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Known {
    No,
    /// Its binding is being followed.
    Open,
    Yes(Reg),
}

pub struct Lowering<'a> {
    pub flat: &'a FlatModel,
    pub functions: &'a Functions,
    pub graph: Graph,
    pub slots: Slots,
    pub class: Vec<Class>,
    pub aliases: Aliases,
    pub overrides: &'a FxHashMap<u32, f64>,
    pub(super) params: Vec<Known>,
    /// Parameters that the initial equations determine, with their bindings.
    pub free: Vec<(u32, Option<Reg>)>,
    pub(super) moving: Vec<bool>,
    pub held: Vec<Held>,
    pub(super) held_index: FxHashMap<HeldKind, u32>,
    pub samples: Vec<Sample>,
    pub delays: Vec<Delay>,
    pub transports: Vec<Transport>,
    /// Auxiliary Boolean variables follow the variables of the model.
    pub n_variables: u32,
    pub no_event: bool,
    pub iterators: Vec<(Name, Reg)>,
    /// Inside an algorithm: the values that variables have at present.
    pub env: Option<FxHashMap<u32, Reg>>,
    /// Whether preferred variables that nobody differentiates may be states.
    pub prefer: bool,
    /// Whether relations in `smooth(0, …)` make events.
    pub kink_events: bool,
    pub has_kinks: bool,
    /// Whether `homotopy` is a way from the simplified to the actual expression.
    pub homotopy: bool,
    pub has_homotopy: bool,
    pub derivatives: Derivatives,
    /// Under what condition the current statement is reached.
    pub path: Reg,
    pub equations: Vec<Scalar>,
    pub initial: Vec<Scalar>,
    pub reinits: Vec<Reinit>,
    pub assertions: Vec<Assertion>,
    pub ends: Vec<End>,
    pub effects: Vec<Effect>,
    pub subscripts: Vec<Subscripted>,
    pub origin: Option<Arc<Origin>>,
    /// The model is the discrete part of another one: discrete inputs have a past of their own.
    pub is_part: bool,
    /// While a parameter is computed, which happens once.
    pub(super) in_parameter: bool,
    /// What is lowered happens at instants: it stands in `when`, in an initial section, or in a parameter.
    pub(super) at_instant: bool,
    /// The variables that watch conditions of `when`.
    pub watches: FxHashMap<Reg, u32>,
    /// The derivative of a delayed value was asked for; it is not kept.
    pub delayed_derivative: bool,
}

impl<'a> Lowering<'a> {
    pub fn new(
        flat: &'a FlatModel,
        functions: &'a Functions,
        overrides: &'a FxHashMap<u32, f64>,
        homotopy: bool,
    ) -> Self {
        let class = super::classify::classes(flat);
        let aliases = Aliases::new(flat, &class);
        let mut graph = Graph::default();
        let path = graph.constant(1.0);
        Self {
            flat,
            functions,
            graph,
            slots: Slots::default(),
            params: vec![Known::No; class.len()],
            n_variables: class.len() as u32,
            class,
            aliases,
            overrides,
            free: Vec::new(),
            moving: Vec::new(),
            held: Vec::new(),
            held_index: FxHashMap::default(),
            samples: Vec::new(),
            delays: Vec::new(),
            transports: Vec::new(),
            no_event: false,
            iterators: Vec::new(),
            env: None,
            prefer: true,
            kink_events: true,
            has_kinks: false,
            homotopy,
            has_homotopy: false,
            derivatives: Derivatives::default(),
            path,
            equations: Vec::new(),
            initial: Vec::new(),
            reinits: Vec::new(),
            assertions: Vec::new(),
            ends: Vec::new(),
            effects: Vec::new(),
            subscripts: Vec::new(),
            origin: None,
            delayed_derivative: false,
            watches: FxHashMap::default(),
            is_part: false,
            in_parameter: false,
            at_instant: false,
        }
    }

    pub fn variable(&self, v: u32) -> &'a Variable {
        &self.flat.variables[VarId::new(v as usize)]
    }

    pub fn name(&self, v: u32) -> String {
        match self.flat.variables.get(VarId::new(v as usize)) {
            Some(variable) => format!("`{}`", variable.name),
            None => "a condition of `when`".to_owned(),
        }
    }

    /// The unknown that a variable is.
    pub fn aliases_of(&self, v: u32) -> u32 {
        if (v as usize) < self.class.len() {
            self.aliases.of(v).0
        } else {
            v
        }
    }

    /// Whether discrete variables keep values from event to event.
    pub fn remembers(&self) -> bool {
        let discrete = |v: &u32| self.class_of(*v) == Class::Discrete;
        let mut all = (0..self.class.len() as u32).filter(discrete);
        all.any(|v| self.aliases.left_counts(v))
    }

    pub fn refuse(&self, why: Why) -> Refusal {
        Refusal {
            why,
            origin: self.origin.clone(),
            structural: false,
            at_start: false,
        }
    }

    /// A Boolean variable of our own.
    pub fn auxiliary(&mut self) -> u32 {
        self.n_variables += 1;
        self.n_variables - 1
    }

    pub fn slot(&mut self, key: Key) -> Reg {
        let slot = self.slots.of(key);
        self.graph.input(slot)
    }

    pub fn class_of(&self, v: u32) -> Class {
        self.class
            .get(v as usize)
            .copied()
            .unwrap_or(Class::Discrete)
    }

    /// Whether a node may change between events.
    pub fn moves(&mut self, reg: Reg) -> bool {
        for node in self.moving.len()..self.graph.len() {
            let moves = match self.graph.op(node as Reg) {
                Op::Const(_) => false,
                Op::Input(slot) => self.slot_moves(slot),
                op => op
                    .operands()
                    .into_iter()
                    .flatten()
                    .any(|r| self.moving[r as usize]),
            };
            self.moving.push(moves);
        }
        self.moving[reg as usize]
    }

    pub fn slot_moves(&self, slot: u32) -> bool {
        match self.slots.key(slot) {
            None => slot == TIME,
            Some(Key::Var(v, 0)) => match self.class_of(v) {
                Class::Continuous => true,
                Class::Input => is_continuous(self.variable(v)),
                _ => false,
            },
            Some(Key::Var(..) | Key::Delay(_) | Key::Transport(_)) => true,
            Some(Key::Pre(_) | Key::Held(_) | Key::Sample(_)) => false,
        }
    }

    pub fn var(&mut self, v: u32) -> Result<Reg, Why> {
        if let Some(env) = &self.env
            && let Some(&reg) = env.get(&v)
        {
            return Ok(reg);
        }
        match self.class_of(v) {
            Class::Constant | Class::Free => self.param(v),
            Class::Text => Err(format!("`{}` has no value", self.variable(v).name)),
            _ => {
                let (unknown, negative) = self.aliases.of(v);
                Ok(self.signed(Key::Var(unknown, 0), negative))
            }
        }
    }

    pub fn signed(&mut self, key: Key, negative: bool) -> Reg {
        let reg = self.slot(key);
        if negative { self.graph.neg(reg) } else { reg }
    }

    pub fn initial_flag(&mut self) -> Reg {
        self.graph.input(INITIAL)
    }

    pub fn terminal_flag(&mut self) -> Reg {
        self.graph.input(TERMINAL)
    }

    pub fn lambda(&mut self) -> Reg {
        self.graph.input(LAMBDA)
    }

    /// The derivative of a node by time.
    pub fn derivative(&mut self, reg: Reg) -> Reg {
        let Self {
            graph,
            slots,
            class,
            derivatives,
            flat,
            delayed_derivative,
            functions,
            ..
        } = self;
        let dot = derivatives.of(functions, graph, reg, &mut |graph, slot| {
            if slot == TIME {
                return Some(graph.constant(1.0));
            }
            match slots.key(slot)? {
                Key::Var(v, order) => {
                    let class = class.get(v as usize).copied()?;
                    let moves = class == Class::Continuous
                        || (class == Class::Input
                            && is_continuous(&flat.variables[VarId::new(v as usize)]));
                    moves.then(|| {
                        let slot = slots.of(Key::Var(v, order + 1));
                        graph.input(slot)
                    })
                }
                Key::Delay(_) | Key::Transport(_) => {
                    *delayed_derivative = true;
                    None
                }
                _ => None,
            }
        });
        match dot {
            Some(reg) => reg,
            None => self.graph.constant(0.0),
        }
    }
}

/// Whether an input may change between events.
fn is_continuous(variable: &Variable) -> bool {
    matches!(variable.ty, Type::Real) && variable.variability == Variability::Continuous
}
