//! The parts of a model that a change concerns.
//!
//! Two equations belong together if they share an unknown that is not fixed by an equation of its own in
//! both modes (`torque = 0` of a clutch that stays open separates its two shafts). Every part that mentions such
//! an unknown has a copy of that equation. Only the parts with an equation that changes, or with a law of the
//! instant, are analysed; everything else is continuous.

use crate::change::{Change, Law, ModeEquation, Role, Transient};
use crate::events::Event;
use crate::explicit;
use crate::modes::{Mode, Modes, Reads, VariantId};
use crate::sigma::least_offsets;
use crate::ties::reset_states;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::model::{EqId, EquationKind, ModeDef, ModeId};
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, incidence, substitute, variables};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The equations of a change before they are split into parts.
pub struct Situation {
    pub before: Arc<[VariantId]>,
    pub after: Arc<[VariantId]>,
    /// Empty without laws.
    pub instant: Arc<[VariantId]>,
    pub laws: Vec<EqId>,
    /// The valuation after; the one before if the instant's valuation cannot last.
    pub returns: bool,
}

/// What distinguishes one part of a change from another.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PartKey {
    before: Vec<VariantId>,
    after: Vec<VariantId>,
    instant: Vec<VariantId>,
    laws: Vec<EqId>,
    /// The truth of all conditions matters for laws.
    law_variants: Vec<bool>,
    fixed: Vec<VarId>,
    crossings: Vec<ModeId>,
    /// Laws of other parts that give held variables of this one a new value.
    assigned: Vec<EqId>,
    initial: bool,
}

impl PartKey {
    fn is_changed(&self) -> bool {
        let same = self.before == self.after && self.laws.is_empty() && self.assigned.is_empty();
        self.initial || !same
    }
}

/// A part in its own small numbers.
#[derive(Clone, Debug)]
pub struct Part {
    pub change: Change,
    /// The variable of the model behind each number.
    pub vars: Vec<VarId>,
    /// The equation of the model behind each source number.
    pub sources: Vec<EqId>,
}

impl Modes<'_> {
    /// The equations before, at and after an event.
    pub fn situation(&mut self, event: &Event) -> Situation {
        let before = self.enabled(&event.from);
        let settled = self.enabled(&event.settled);
        if event.laws.is_empty() {
            let instant = Arc::from([]);
            return Situation {
                before,
                after: settled,
                instant,
                laws: Vec::new(),
                returns: false,
            };
        }
        let instant = self.enabled(&event.instant);
        let returns = !self.is_square(&settled);
        let after = if returns { before.clone() } else { settled };
        Situation {
            before,
            after,
            instant,
            laws: event.laws.clone(),
            returns,
        }
    }

    /// Whether a valuation is a long mode: a `when` guard that holds in it does not make it an instant.
    pub fn can_last(&mut self, mode: &Mode) -> bool {
        if !self.mdae.has_transients() {
            return true;
        }
        let truth = self.mdae.conds.evaluate(mode);
        let mut equations = self.mdae.equations.iter();
        if !equations.any(|e| !e.is_long() && truth[e.guard.0 as usize]) {
            return true;
        }
        let variants = self.enabled(mode);
        self.is_square(&variants)
    }

    /// Whether a mode has as many equations as unknowns and a perfect matching between them.
    pub fn is_square(&self, variants: &[VariantId]) -> bool {
        let mut columns: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut rows = Vec::with_capacity(variants.len());
        for &id in variants {
            let mut row = Vec::new();
            for &var in &self.variant(id).unknowns {
                let next = columns.len();
                row.push((*columns.entry(var).or_insert(next), 0));
            }
            rows.push(row);
        }
        columns.len() == rows.len() && least_offsets(&rows, columns.len()).is_ok()
    }

    /// The keys of the changed parts of a situation, in a fixed order. Linear in the mode, up to the
    /// inverse Ackermann function.
    pub fn part_keys(
        &self,
        situation: &Situation,
        flipped: &[ModeId],
        truth: &[bool],
        initial: bool,
    ) -> Vec<PartKey> {
        let assigned = self.assigned_held(&situation.laws);
        let fixed = self.fixed_unknowns(situation, &assigned);
        let mut graph = Components::default();
        let kept =
            |var: &VarId| self.roles[var.0 as usize] == Role::Held && !assigned.contains_key(var);
        let free = |var: &VarId| !fixed.contains_key(var) && !kept(var);
        for &id in situation
            .before
            .iter()
            .chain(&*situation.after)
            .chain(&*situation.instant)
        {
            let held = self.variant(id).held.iter().copied();
            let tied = held.filter(|var| matches!(assigned.get(var), Some(None)));
            let unknowns = self.variant(id).unknowns.iter().copied().chain(tied);
            graph.join(unknowns.filter(free));
        }
        for &law in &situation.laws {
            graph.join(self.law_unknowns(law).into_iter().filter(free));
        }
        let crossings = self.crossings(flipped);
        for (_, expr) in &crossings {
            graph.join(self.unknowns_of(expr).into_iter().filter(free));
        }
        let mut keys: BTreeMap<u32, PartKey> = BTreeMap::new();
        let fixing: FxHashSet<VariantId> = fixed.values().copied().collect();
        let mut place = |unknowns: &mut dyn Iterator<Item = VarId>,
                         says_more: bool,
                         graph: &mut Components,
                         put: &dyn Fn(&mut PartKey)| {
            let mut component = None;
            let mut mentioned = Vec::new();
            for var in unknowns {
                if fixed.contains_key(&var) {
                    mentioned.push(var);
                } else {
                    component.get_or_insert_with(|| graph.root(var));
                }
            }
            // What is said among fixed unknowns only is what fixes them, or too much.
            let component = match component {
                Some(component) => component,
                None if says_more && !mentioned.is_empty() => u32::MAX,
                None => return,
            };
            let key = keys
                .entry(component)
                .or_insert_with(|| PartKey::new(initial));
            put(key);
            key.fixed.extend(mentioned);
        };
        type Side = fn(&mut PartKey) -> &mut Vec<VariantId>;
        let sides: [(&[VariantId], Side); 3] = [
            (&situation.before, |key| &mut key.before),
            (&situation.after, |key| &mut key.after),
            (&situation.instant, |key| &mut key.instant),
        ];
        for (list, side) in sides {
            for &id in list {
                let variant = self.variant(id);
                let mut unknowns = variant.unknowns.iter().copied();
                let new = variant.held.iter().filter_map(|var| *assigned.get(var)?);
                let new: Vec<EqId> = new.collect();
                let says_more = !fixing.contains(&id);
                place(&mut unknowns, says_more, &mut graph, &|key| {
                    side(key).push(id);
                    key.assigned.extend(&new);
                });
            }
        }
        for &law in &situation.laws {
            let choice: Vec<bool> = self.law_conditions(law).map(|c| truth[c]).collect();
            let mut unknowns = self.law_unknowns(law).into_iter().filter(|x| !kept(x));
            place(&mut unknowns, true, &mut graph, &|key| {
                key.laws.push(law);
                key.law_variants.extend(&choice);
            });
        }
        // Crossings of what is known at every instant: they say when the change happens, in all parts.
        let mut timing: Vec<(ModeId, Vec<VarId>, Reads)> = Vec::new();
        for (id, expr) in &crossings {
            let unknowns = self.unknowns_of(expr);
            if unknowns.iter().all(|var| fixed.contains_key(var)) {
                let own = unknowns.iter().map(|var| &self.variant(fixed[var]).known);
                let reads = own.fold(Reads::of(expr, &self.roles), Reads::and);
                timing.push((*id, unknowns, reads));
                continue;
            }
            place(&mut unknowns.into_iter(), false, &mut graph, &|key| {
                key.crossings.push(*id)
            });
        }
        let mut keys: Vec<PartKey> = keys.into_values().filter(PartKey::is_changed).collect();
        for key in &mut keys {
            for (id, unknowns, reads) in &timing {
                let fixing = key.fixed.iter().filter_map(|var| fixed.get(var));
                let mut all = key.before.iter().chain(&key.after).chain(fixing);
                if all.any(|variant| self.variant(*variant).known.shares(reads)) {
                    key.crossings.push(*id);
                    key.fixed.extend(unknowns);
                }
            }
            key.fixed.sort_unstable();
            key.fixed.dedup();
            // Unknowns with an equation of their own bring it along.
            let own: Vec<VariantId> = key
                .fixed
                .iter()
                .filter_map(|var| fixed.get(var).copied())
                .collect();
            for id in &own {
                for (list, side) in sides {
                    let own = side(key);
                    if list.contains(id) && !own.contains(id) {
                        own.push(*id);
                    }
                }
            }
            key.assigned.sort_unstable();
            key.assigned.dedup();
            for &law in &key.assigned {
                let choice = self.law_conditions(law).map(|c| truth[c]);
                key.law_variants.extend(choice);
            }
            if key.laws.is_empty() {
                key.instant.clear();
            }
        }
        keys.sort();
        keys
    }

    /// Unknowns that an invariant equation of their own determines at every instant, with that equation.
    /// Where it reads a held variable that changes at the instant it is no invariant.
    fn fixed_unknowns(
        &self,
        situation: &Situation,
        assigned: &FxHashMap<VarId, Option<EqId>>,
    ) -> FxHashMap<VarId, VariantId> {
        let after: FxHashSet<VariantId> = situation.after.iter().copied().collect();
        let instant: FxHashSet<VariantId> = situation.instant.iter().copied().collect();
        let transient = !situation.laws.is_empty();
        let invariant: Vec<VariantId> = situation
            .before
            .iter()
            .copied()
            .filter(|id| after.contains(id) && (!transient || instant.contains(id)))
            .collect();
        let mut fixed = FxHashMap::default();
        for id in invariant {
            let variant = self.variant(id);
            if let [var] = *variant.unknowns
                && incidence(&variant.residual).get(&var) == Some(&0)
                && !variant.held.iter().any(|var| assigned.contains_key(var))
            {
                fixed.entry(var).or_insert(id);
            }
        }
        fixed
    }

    /// The held variables that laws assign: with the law if it gives the value in terms of what is known
    /// before the instant, `None` where the value depends on the restart itself.
    fn assigned_held(&self, laws: &[EqId]) -> FxHashMap<VarId, Option<EqId>> {
        let mut assigned = FxHashMap::default();
        let transient =
            |law: &EqId| matches!(self.mdae.equations[*law].kind, EquationKind::Transient(_));
        for &law in laws.iter().filter(|law| transient(law)) {
            let explicit = self.explicit_law(law).map(|(var, _)| var);
            let target = self.law_target(law);
            for var in self.law_unknowns(law) {
                // Others are read.
                let meant = target.is_none_or(|target| target == var);
                if meant && self.roles[var.0 as usize] == Role::Held {
                    assigned.insert(var, (explicit == Some(var)).then_some(law));
                }
            }
        }
        assigned
    }

    /// The held variable that an equation in `when` is about: the left side, as the language has it.
    fn law_target(&self, law: EqId) -> Option<VarId> {
        let equation = &self.mdae.equations[law];
        let occurrence = equation.lhs.as_var()?;
        let held = self.roles[occurrence.var.0 as usize] == Role::Held;
        let kept = self.elimination.forward(VarRef::now(occurrence.var, 0));
        let own = kept.is_ok_and(|signed| signed.occurrence == occurrence);
        let transient = matches!(equation.kind, EquationKind::Transient(_));
        let now = occurrence == VarRef::now(occurrence.var, 0);
        (transient && held && own && now).then_some(occurrence.var)
    }

    /// `held = value` with a value over left limits and what is known at all times.
    fn explicit_law(&self, law: EqId) -> Option<(VarId, Expr)> {
        let equation = &self.mdae.equations[law];
        if !matches!(equation.kind, EquationKind::Transient(_)) {
            return None;
        }
        let target = |side: &Expr| {
            let occurrence = side.as_var()?;
            let held = self.roles[occurrence.var.0 as usize] == Role::Held;
            (held && occurrence == VarRef::now(occurrence.var, 0)).then_some(occurrence.var)
        };
        let (var, value) = match (target(&equation.lhs), target(&equation.rhs)) {
            (Some(var), _) => (var, &equation.rhs),
            (None, Some(var)) => (var, &equation.lhs),
            (None, None) => return None,
        };
        let value = self.elimination.apply(value);
        self.unknowns_of(&value).is_empty().then_some((var, value))
    }

    /// The unknowns and assigned variables that a law ties together. `reinit` ties its own variable to what is held.
    fn law_unknowns(&self, law: EqId) -> Vec<VarId> {
        let equation = &self.mdae.equations[law];
        match equation.kind {
            EquationKind::Reinit { variable, .. } => {
                let forward = self.elimination.forward(VarRef::now(variable, 0));
                let own = forward.map(|signed| signed.occurrence.var);
                let value = self.elimination.apply(&equation.rhs);
                let read = self.unknowns_of(&value).into_iter();
                let held = read.filter(|var| self.roles[var.0 as usize] != Role::Unknown);
                own.into_iter().chain(held).collect()
            }
            _ => self.unknowns_of(&self.elimination.apply(&equation.residual())),
        }
    }

    fn unknowns_of(&self, expr: &Expr) -> Vec<VarId> {
        let mut list: Vec<VarId> = variables(expr)
            .into_iter()
            .filter(|o| match self.roles[o.var.0 as usize] {
                Role::Unknown | Role::Discrete => true,
                Role::Held => o.at == At::Now,
                Role::Known => false,
            })
            .map(|o| o.var)
            .collect();
        list.dedup();
        list
    }

    fn law_conditions(&self, law: EqId) -> impl Iterator<Item = usize> + use<> {
        let residual = self.mdae.equations[law].residual();
        crate::modes::conditions(&residual)
            .into_vec()
            .into_iter()
            .map(|id| id.0 as usize)
    }

    /// The functions of the predicates that flip: zero at the instant.
    pub fn crossings(&self, flipped: &[ModeId]) -> Vec<(ModeId, Expr)> {
        flipped
            .iter()
            .filter_map(|&id| match &self.mdae.modes[id].def {
                ModeDef::Predicate(predicate) => {
                    let function = predicate.lhs.sub(&predicate.rhs);
                    Some((id, self.elimination.apply(&function)))
                }
                _ => None,
            })
            .collect()
    }

    /// Builds the change of a part in its own numbers.
    pub fn part(&self, key: &PartKey, truth: &[bool]) -> Part {
        let mut local = Local {
            modes: self,
            vars: Vec::new(),
            index: FxHashMap::default(),
            sources: Vec::new(),
            source_index: FxHashMap::default(),
        };
        let before = local.equations(&key.before);
        let mut after = local.equations(&key.after);
        let instant = local.equations(&key.instant);
        let laws: Vec<Law> = key.laws.iter().map(|&law| local.law(law, truth)).collect();
        let crossings = self
            .crossings(&key.crossings)
            .into_iter()
            .map(|(_, expr)| local.expr(&expr))
            .collect();
        let mut transient = (!laws.is_empty()).then_some(Transient {
            instant,
            laws,
            shared: Vec::new(),
        });
        let new_values: Vec<(VarId, Expr)> = key
            .assigned
            .iter()
            .filter_map(|&law| {
                let (var, value) = self.explicit_law(law)?;
                let value = local.expr(&self.resolved(&value, truth));
                Some((VarId(local.local(var)), value))
            })
            .collect();
        let known = local.roles_with_fixed(&key.fixed);
        explicit::assign(&mut after, &new_values);
        if let Some(transient) = &mut transient {
            explicit::assign(&mut transient.instant, &new_values);
            explicit::substitute_values(&mut transient.instant, &known);
            let old: FxHashSet<&Expr> = before.iter().map(|it| &it.residual).collect();
            let shared = after.iter().filter(|it| old.contains(&it.residual));
            transient.shared = shared.cloned().collect();
            let roles = local.roles();
            let is_unknown = |var: VarId| {
                let role = roles.get(var.0 as usize);
                matches!(role, Some(Role::Unknown | Role::Discrete))
            };
            reset_states(&mut transient.laws, &transient.shared, &after, &is_unknown);
        }
        explicit::substitute_values(&mut after, &known);
        let mut restated = before.clone();
        explicit::substitute_values(&mut restated, &known);
        let restated = restated.into_iter().map(|it| it.residual).collect();
        let change = Change {
            restated,
            roles: local.roles(),
            before,
            after,
            crossings,
            transient,
            initial: key.initial,
        };
        Part {
            change,
            vars: local.vars,
            sources: local.sources,
        }
    }
}

impl PartKey {
    fn new(initial: bool) -> Self {
        Self {
            before: Vec::new(),
            after: Vec::new(),
            instant: Vec::new(),
            laws: Vec::new(),
            law_variants: Vec::new(),
            fixed: Vec::new(),
            crossings: Vec::new(),
            assigned: Vec::new(),
            initial,
        }
    }
}

/// Renumbers variables and equations of a part.
struct Local<'k, 'm> {
    modes: &'k Modes<'m>,
    vars: Vec<VarId>,
    index: FxHashMap<VarId, u32>,
    sources: Vec<EqId>,
    source_index: FxHashMap<EqId, usize>,
}

impl Local<'_, '_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        substitute(expr, &mut |o| {
            let var = VarId(self.local(o.var));
            (var != o.var).then(|| Expr::var_ref(VarRef { var, ..o }))
        })
    }

    fn local(&mut self, var: VarId) -> u32 {
        *self.index.entry(var).or_insert_with(|| {
            self.vars.push(var);
            self.vars.len() as u32 - 1
        })
    }

    fn source(&mut self, equation: EqId) -> usize {
        *self.source_index.entry(equation).or_insert_with(|| {
            self.sources.push(equation);
            self.sources.len() - 1
        })
    }

    fn equations(&mut self, variants: &[VariantId]) -> Vec<ModeEquation> {
        variants
            .iter()
            .map(|&id| {
                let variant = self.modes.variant(id);
                let residual = self.expr(&variant.residual);
                ModeEquation {
                    source: self.source(variant.equation),
                    residual,
                }
            })
            .collect()
    }

    /// A law at the instant. In `reinit(x, e)` the expression is evaluated before the jump, with the new values of
    /// what is held between events.
    fn law(&mut self, id: EqId, truth: &[bool]) -> Law {
        let modes = self.modes;
        let equation = &modes.mdae.equations[id];
        let source = self.source(id);
        if let EquationKind::Reinit { variable, .. } = equation.kind
            && let Ok(target) = modes.elimination.forward(VarRef::now(variable, 0))
        {
            let value = modes
                .elimination
                .apply(&modes.resolved(&equation.rhs, truth));
            let value = substitute(&value, &mut |o| {
                let moves = modes.roles[o.var.0 as usize] == Role::Unknown;
                moves.then(|| Expr::var_ref(VarRef { at: At::Left, ..o }))
            });
            let value = if target.negative { value.neg() } else { value };
            let target = target.occurrence;
            let residual = self.expr(&Expr::var_ref(target).sub(&value));
            let var = VarId(self.local(target.var));
            return Law {
                source,
                residual,
                reinit: Some(VarRef { var, ..target }),
                target: None,
            };
        }
        let residual = modes
            .elimination
            .apply(&modes.resolved(&equation.residual(), truth));
        let residual = self.expr(&residual);
        let target = modes.law_target(id).map(|var| VarId(self.local(var)));
        Law {
            source,
            residual,
            reinit: None,
            target,
        }
    }

    fn roles(&self) -> Vec<Role> {
        let role = |var: &VarId| self.modes.roles[var.0 as usize];
        self.vars.iter().map(role).collect()
    }

    /// The same, where what an invariant equation gives counts as known.
    fn roles_with_fixed(&self, fixed: &[VarId]) -> Vec<Role> {
        let mut roles = self.roles();
        for (role, var) in roles.iter_mut().zip(&self.vars) {
            if fixed.binary_search(var).is_ok() {
                *role = Role::Known;
            }
        }
        roles
    }
}

/// Connected components of variables.
#[derive(Default)]
struct Components {
    parent: FxHashMap<VarId, VarId>,
}

impl Components {
    fn find(&mut self, var: VarId) -> VarId {
        let mut root = var;
        while let Some(&parent) = self.parent.get(&root)
            && parent != root
        {
            root = parent;
        }
        let mut current = var;
        while current != root {
            current = self.parent.insert(current, root).unwrap_or(root);
        }
        root
    }

    fn root(&mut self, var: VarId) -> u32 {
        self.find(var).0
    }

    /// The smaller id becomes the root, so that the result does not depend on the order.
    fn join(&mut self, mut vars: impl Iterator<Item = VarId>) {
        let Some(first) = vars.next() else { return };
        let mut root = self.find(first);
        for var in vars {
            let other = self.find(var);
            let (low, high) = (root.min(other), root.max(other));
            self.parent.insert(high, low);
            self.parent.insert(low, low);
            root = low;
        }
    }
}
