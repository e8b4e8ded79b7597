//! The modes of an mDAE as the mode change analysis sees them: which equations a valuation enables.

use crate::cascade::Cascades;
use crate::change::{ModeEquation, Role};
use crate::eliminate::Elimination;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::{EqId, EquationKind, MDae, ModeDef, VarKind};
use modeshift_mdae::sym::{
    CondId, Expr, Kind, ParamId, VarId, for_each_node, incidence, map_leaves, params, resolve,
    variables,
};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A truth value for every mode variable.
pub type Mode = Box<[bool]>;

/// The residual of an equation under one choice of its conditions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariantId(pub u32);

/// One way an equation can look.
#[derive(Clone, Debug)]
pub struct Variant {
    pub equation: EqId,
    pub residual: Expr,
    /// The unknowns that occur now.
    pub unknowns: Box<[VarId]>,
    /// The held variables that occur now.
    pub held: Box<[VarId]>,
    /// What occurs that is known at every instant.
    pub known: Reads,
}

/// What an expression reads that is known at every instant.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    time: bool,
    inputs: Box<[VarId]>,
}

impl Reads {
    pub(crate) fn of(expr: &Expr, roles: &[Role]) -> Self {
        let mut time = false;
        for_each_node(expr, &mut |node| {
            time |= matches!(node.kind(), Kind::Time);
            true
        });
        let occurring = incidence(expr).into_keys();
        let inputs = occurring.filter(|var| roles[var.0 as usize] == Role::Known);
        Self {
            time,
            inputs: inputs.collect(),
        }
    }

    pub(crate) fn and(self, other: &Self) -> Self {
        Self {
            time: self.time || other.time,
            inputs: self.inputs.iter().chain(&other.inputs).copied().collect(),
        }
    }

    pub(crate) fn shares(&self, other: &Self) -> bool {
        self.time && other.time || self.inputs.iter().any(|var| other.inputs.contains(var))
    }
}

/// An equation of the model, first-order form eliminated.
#[derive(Clone, Debug)]
struct Prepared {
    id: EqId,
    guard: CondId,
    residual: Expr,
    /// The conditions inside the residual.
    conditions: Box<[CondId]>,
}

/// The long equations of a model with their variants, found as modes are visited.
pub struct Modes<'m> {
    pub mdae: &'m MDae,
    pub elimination: Elimination,
    pub roles: Vec<Role>,
    /// The equations that hold at instants only.
    pub(crate) laws: Vec<EqId>,
    /// Values are computed, so what a reset decides is seen after it, and not followed before.
    pub is_run: bool,
    equations: Vec<Prepared>,
    /// Parameters that conditions compare something with.
    compared: BTreeSet<ParamId>,
    variants: Vec<Variant>,
    by_choice: FxHashMap<(usize, Box<[bool]>), VariantId>,
    enabled: FxHashMap<Mode, Arc<[VariantId]>>,
    cascades: OnceLock<Cascades>,
}

impl<'m> Modes<'m> {
    pub fn new(mdae: &'m MDae) -> Self {
        let elimination = Elimination::of(mdae);
        let equations = mdae
            .equations
            .iter_enumerated()
            .filter(|(id, e)| matches!(e.kind, EquationKind::Long) && !elimination.is_dropped(*id))
            .map(|(id, equation)| {
                let residual = elimination.residual(id, equation);
                let conditions = conditions(&residual);
                Prepared {
                    id,
                    guard: equation.guard,
                    residual,
                    conditions,
                }
            })
            .collect();
        let role = |id: VarId| {
            let variable = mdae.variable(id);
            match variable.kind {
                VarKind::Unknown if variable.discrete => Role::Discrete,
                VarKind::Unknown => Role::Unknown,
                VarKind::Held => Role::Held,
                VarKind::Input => Role::Known,
            }
        };
        Self {
            mdae,
            roles: mdae.variable_ids().map(role).collect(),
            laws: mdae
                .equations
                .iter_enumerated()
                .filter(|(_, equation)| equation.kind.firing().is_some())
                .map(|(id, _)| id)
                .collect(),
            elimination,
            equations,
            compared: compared(mdae),
            variants: Vec::new(),
            by_choice: FxHashMap::default(),
            enabled: FxHashMap::default(),
            cascades: OnceLock::new(),
            is_run: false,
        }
    }

    pub(crate) fn cascades(&self) -> &Cascades {
        self.cascades
            .get_or_init(|| Cascades::new(self.mdae, &self.elimination))
    }

    pub fn variant(&self, id: VariantId) -> &Variant {
        &self.variants[id.0 as usize]
    }

    /// The variants that a mode enables, in the order of the equations. O(conditions + equations).
    pub fn enabled(&mut self, mode: &Mode) -> Arc<[VariantId]> {
        if let Some(list) = self.enabled.get(mode) {
            return list.clone();
        }
        let truth = self.mdae.conds.evaluate(mode);
        let of = |id: &CondId| truth[id.0 as usize];
        let mut list = Vec::new();
        for i in 0..self.equations.len() {
            if !of(&self.equations[i].guard) {
                continue;
            }
            let choice: Box<[bool]> = self.equations[i].conditions.iter().map(of).collect();
            list.push(self.variant_of(i, choice, &truth));
        }
        let list: Arc<[VariantId]> = list.into();
        self.enabled.insert(mode.clone(), list.clone());
        list
    }

    /// The variants of a mode that has been visited; empty for others.
    pub fn visited(&self, mode: &Mode) -> Arc<[VariantId]> {
        self.enabled
            .get(mode)
            .cloned()
            .unwrap_or_else(|| Arc::from([]))
    }

    fn variant_of(&mut self, i: usize, choice: Box<[bool]>, truth: &[bool]) -> VariantId {
        if let Some(&id) = self.by_choice.get(&(i, choice.clone())) {
            return id;
        }
        let residual = self.resolved(&self.equations[i].residual, truth);
        let residual = without_zeros(self.mdae, &self.compared, &residual);
        let unknown =
            |var: &VarId| matches!(self.roles[var.0 as usize], Role::Unknown | Role::Discrete);
        let held = |var: &VarId| self.roles[var.0 as usize] == Role::Held;
        let occurring = incidence(&residual);
        let unknowns = occurring.keys().copied().filter(unknown).collect();
        let held = occurring.keys().copied().filter(held).collect();
        let known = Reads::of(&residual, &self.roles);
        let id = VariantId(self.variants.len() as u32);
        self.variants.push(Variant {
            equation: self.equations[i].id,
            residual,
            unknowns,
            held,
            known,
        });
        self.by_choice.insert((i, choice), id);
        id
    }

    /// Unknowns that an equation of their own gives in every mode: they connect nothing.
    pub(crate) fn always_fixed(&self) -> FxHashSet<VarId> {
        let mut fixed = FxHashSet::default();
        for equation in &self.equations {
            if equation.guard != Conds::TRUE || !equation.conditions.is_empty() {
                continue;
            }
            let occurring = incidence(&equation.residual);
            let mut unknowns = occurring.iter().filter(|(var, _)| {
                matches!(self.roles[var.0 as usize], Role::Unknown | Role::Discrete)
            });
            let alone = (unknowns.next(), unknowns.next());
            let held = |var: &VarId| self.roles[var.0 as usize] == Role::Held;
            if let (Some((&var, 0)), None) = alone
                && !occurring.keys().any(held)
            {
                fixed.insert(var);
            }
        }
        fixed
    }

    /// An expression in a mode, given the truth of all conditions.
    pub fn resolved(&self, expr: &Expr, truth: &[bool]) -> Expr {
        resolve(expr, &mut |id| truth.get(id.0 as usize).copied())
    }

    pub fn mode_equations(&self, variants: &[VariantId]) -> Vec<ModeEquation> {
        variants
            .iter()
            .map(|&id| {
                let variant = self.variant(id);
                ModeEquation {
                    source: variant.equation.index(),
                    residual: variant.residual.clone(),
                }
            })
            .collect()
    }
}

/// The expression without parameters that are zero and occur in functions of known values only: a sine wave with the phase 0 begins
/// without a jump. Elsewhere a parameter may have any value, and so it may where conditions compare something with it: a wave that
/// starts at the time 0 meets what was before at the start time, whatever that is.
fn without_zeros(mdae: &MDae, compared: &BTreeSet<ParamId>, expr: &Expr) -> Expr {
    let (mut inside, mut outside) = (BTreeSet::new(), BTreeSet::new());
    for_each_node(expr, &mut |node| match node.kind() {
        Kind::Call(..) if variables(node).is_empty() => {
            inside.extend(params(node));
            false
        }
        Kind::Param(id) => {
            outside.insert(*id);
            true
        }
        _ => true,
    });
    inside.retain(|id| {
        mdae.parameter(*id).value == Some(0.0) && !outside.contains(id) && !compared.contains(id)
    });
    if inside.is_empty() {
        return expr.clone();
    }
    map_leaves(expr, &mut |kind| match kind {
        Kind::Param(id) if inside.contains(id) => Some(Expr::zero()),
        _ => None,
    })
}

fn compared(mdae: &MDae) -> BTreeSet<ParamId> {
    let sides = mdae.modes.iter().filter_map(|mode| match &mode.def {
        ModeDef::Predicate(predicate) => Some([&predicate.lhs, &predicate.rhs]),
        _ => None,
    });
    sides.flatten().flat_map(params).collect()
}

/// The conditions of if-expressions in `expr`.
pub fn conditions(expr: &Expr) -> Box<[CondId]> {
    let mut found = BTreeSet::new();
    for_each_node(expr, &mut |node| {
        match node.kind() {
            Kind::If(id, ..) | Kind::Cond(id) => {
                found.insert(*id);
            }
            _ => {}
        }
        true
    });
    found.into_iter().collect()
}
