//! `when` clauses: laws for an instant, and what is held from that instant on.
//!
//! A branch fires when one of its triggers becomes true (`when {a, b}` has two) and no trigger of an earlier branch
//! does. Conditions inside the branch only have to hold then.
//!
//! Its equations are simultaneous: a Boolean that is computed from a number of the same branch sees the new number. So
//! values are bound in the order of their dependencies while conditions are lowered. Numbers themselves need no such
//! care, the restart system has them all. What `reinit` changes, it changes last: the other equations of the branch
//! see the value before (Modelica 3.6, 8.3.6).

use super::collect::{Collected, is_builtin, push_children};
use super::running::holds_initially;
use super::{Bound, Lower, as_variable};
use crate::cond::Conds;
use crate::model::{EquationKind, Firing, Meaning, ModeId, ModeUpdate};
use crate::sym::{CondId, Expr, VarId, VarRef, substitute};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{self as flat, Equation, EquationKind as FlatKind, FlatExp, FlatRef};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

/// A branch of a `when`, or of an `if` in one.
#[derive(Clone)]
pub(super) struct Branch {
    /// What must hold at the instant.
    pub(super) guard: CondId,
    pub(super) firing: Firing,
}

impl<'m> Lower<'m> {
    pub(super) fn lower_whens(&mut self, collected: &Collected<'m>) {
        for when in &collected.whens {
            let outer = self.chain_condition(collected, when.chain);
            let mut earlier: Vec<CondId> = Vec::new();
            for (condition, body) in when.branches {
                if holds_initially(condition) {
                    self.enabled_at_start(body);
                }
                let origin = when.origin.clone();
                if let Some(branch) = self.at(&origin, |this| {
                    this.when_branch(outer, condition, &mut earlier)
                }) {
                    self.when_body(body, &branch);
                }
            }
        }
    }

    /// A branch after those whose triggers are `earlier`, which its own ones join; `None` if it never fires.
    pub(super) fn when_branch(
        &mut self,
        outer: CondId,
        condition: &FlatExp,
        earlier: &mut Vec<CondId>,
    ) -> Option<Branch> {
        let alone = match condition {
            Exp::Array(items, _) => items.iter().map(|item| self.cond(item)).collect(),
            Exp::Ref(FlatRef::Group(group)) => {
                let members = self.flat.groups[*group].members.clone();
                members.into_iter().map(|id| self.truth_of(id)).collect()
            }
            other => vec![self.cond(other)],
        };
        let mut triggers: Vec<CondId> = alone
            .into_iter()
            .map(|trigger| self.out.conds.and([outer, trigger]))
            .filter(|trigger| *trigger != Conds::FALSE)
            .collect();
        triggers.sort_unstable();
        triggers.dedup();
        let unless = earlier.clone().into();
        earlier.extend(&triggers);
        (!triggers.is_empty()).then(|| Branch {
            guard: self.out.conds.or(triggers.clone()),
            firing: Firing {
                triggers: triggers.into(),
                unless,
            },
        })
    }

    pub(super) fn when_body(&mut self, body: &[Equation], branch: &Branch) {
        let reset = self.reinitialised(body);
        let outside = self.env.clone();
        for index in in_order_of_dependency(body) {
            let equation = &body[index];
            self.at(&equation.origin.clone(), |this| {
                this.when_equation(equation, branch, &reset)
            });
        }
        self.env = outside;
    }

    /// The states that `reinit` changes in a branch.
    fn reinitialised(&mut self, body: &[Equation]) -> FxHashSet<VarId> {
        let mut reset = FxHashSet::default();
        for equation in body {
            if let FlatKind::Reinit { variable, .. } = &equation.kind {
                let targets = self.components(variable);
                reset.extend(targets.iter().filter_map(|x| Some(x.as_var()?.var)));
            }
        }
        reset
    }

    fn when_equation(&mut self, equation: &Equation, branch: &Branch, reset: &FxHashSet<VarId>) {
        match &equation.kind {
            FlatKind::Equality { lhs, rhs, ty } => match ty {
                Type::Boolean | Type::Enumeration(_) | Type::Integer => {
                    let (target, value) = match as_variable(lhs) {
                        Some(id) => (Some(id), rhs),
                        None => (as_variable(rhs), lhs),
                    };
                    match target {
                        Some(id) => self.discrete_update(id, value, branch),
                        None => {
                            self.unsupported("this equation between discrete values in a `when`")
                        }
                    }
                }
                Type::Real => self.law(lhs, rhs, branch, reset),
                Type::String => {}
                _ => {
                    for (lhs, rhs) in self.without_env(|this| this.pairs(lhs, rhs)) {
                        self.fire(branch, lhs, before_reset(&rhs, reset));
                    }
                }
            },
            FlatKind::If { branches, else_ } => {
                let mut rest = branch.clone();
                for (condition, inner) in branches {
                    let condition = self.cond(condition);
                    let mut inside = rest.clone();
                    inside.guard = self.out.conds.and([rest.guard, condition]);
                    self.when_body(inner, &inside);
                    let negated = self.out.conds.not(condition);
                    rest.guard = self.out.conds.and([rest.guard, negated]);
                }
                self.when_body(else_, &rest);
            }
            FlatKind::Reinit { variable, value } => {
                self.without_env(|this| this.reinit(variable, value, branch));
            }
            FlatKind::Terminate { message } => self.terminate(message, branch),
            FlatKind::Assert { .. } | FlatKind::Call(_) => {}
            FlatKind::When { .. } => self.unsupported("a `when` inside a `when`"),
            FlatKind::For { .. } => {
                self.unsupported("a loop in a `when` that could not be unrolled")
            }
        }
    }

    /// An equation between numbers; one for a single variable says what conditions of the branch see.
    fn law(&mut self, lhs: &FlatExp, rhs: &FlatExp, branch: &Branch, reset: &FxHashSet<VarId>) {
        if let Some(id) = as_variable(lhs) {
            let value = before_reset(&self.number(rhs), reset);
            let law = before_reset(&self.without_env(|this| this.number(rhs)), reset);
            let lhs = self.without_env(|this| this.value_of(id));
            self.env.insert(id, Bound::Number(value));
            self.fire(branch, lhs, law);
        } else {
            let (lhs, rhs) = self.without_env(|this| (this.number(lhs), this.number(rhs)));
            self.fire(branch, lhs, rhs);
        }
    }

    /// Lowers without the values bound so far.
    fn without_env<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let env = std::mem::take(&mut self.env);
        let result = lower(self);
        self.env = env;
        result
    }

    pub(super) fn fire(&mut self, branch: &Branch, lhs: Expr, rhs: Expr) {
        let kind = EquationKind::Transient(branch.firing.clone());
        self.push_equation(kind, branch.guard, lhs, rhs);
    }

    /// `b = e` in a `when`, for a variable that is held between events.
    fn discrete_update(&mut self, id: flat::VarId, value: &FlatExp, branch: &Branch) {
        match self.meaning(id).cloned() {
            Some(Meaning::Mode(mode)) => {
                let value = self.cond(value);
                self.push_update(mode, branch, value);
                self.env.insert(id, Bound::Truth(value));
            }
            Some(Meaning::Family(_)) => match self.choices(value) {
                Some(choices) => {
                    self.choose(id, &choices, branch);
                    self.env.insert(id, Bound::Choice(choices));
                }
                None => self.unsupported("this value of an enumeration or integer"),
            },
            Some(Meaning::Variable(var)) => {
                let law = self.without_env(|this| this.number(value));
                let value = self.number(value);
                self.fire(branch, Expr::var(var), law);
                self.env.insert(id, Bound::Number(value));
            }
            _ => {}
        }
    }

    pub(super) fn push_update(&mut self, mode: ModeId, branch: &Branch, value: CondId) {
        let origin = self.origin.clone();
        self.out.updates.push(ModeUpdate {
            mode,
            guard: branch.guard,
            firing: branch.firing.clone(),
            value,
            origin,
        });
    }

    pub(super) fn choose(&mut self, id: flat::VarId, choices: &[(i64, CondId)], branch: &Branch) {
        let Some(family) = self.family(id) else {
            return;
        };
        let values: Vec<(i64, CondId)> = self.out.families[family]
            .values
            .iter()
            .map(|choice| (choice.value, choice.condition))
            .collect();
        for (value, condition) in values {
            let new = choices
                .iter()
                .find(|(v, _)| *v == value)
                .map_or(Conds::FALSE, |&(_, c)| c);
            if let crate::cond::Formula::Mode(mode) = *self.out.conds.formula(condition) {
                self.push_update(mode, branch, new);
            }
        }
    }

    pub(super) fn reinit(&mut self, variable: &FlatExp, value: &FlatExp, branch: &Branch) {
        let pairs = self.pairs(variable, value);
        for (lhs, rhs) in pairs {
            match lhs.as_var() {
                Some(occurrence) if occurrence.order == 0 => {
                    let kind = EquationKind::Reinit {
                        variable: occurrence.var,
                        firing: branch.firing.clone(),
                    };
                    self.push_equation(kind, branch.guard, lhs, rhs);
                }
                _ => self.unsupported("`reinit` of something that is not a variable"),
            }
        }
    }
}

/// Values before `reinit` changes them.
fn before_reset(value: &Expr, reset: &FxHashSet<VarId>) -> Expr {
    substitute(value, &mut |o| {
        (reset.contains(&o.var) && o == VarRef::now(o.var, 0))
            .then(|| Expr::var_ref(VarRef::left(o.var, 0)))
    })
}

/// The equations of a branch such that a variable is computed before it is read; as written where that goes round in
/// a circle. Linear in the size of the branch.
fn in_order_of_dependency(body: &[Equation]) -> Vec<usize> {
    let as_written = || (0..body.len()).collect();
    let computed: FxHashMap<flat::VarId, usize> = body
        .iter()
        .enumerate()
        .filter_map(|(i, equation)| match &equation.kind {
            FlatKind::Equality { lhs, .. } => Some((as_variable(lhs)?, i)),
            _ => None,
        })
        .collect();
    if body.len() < 2 || computed.is_empty() {
        return as_written();
    }
    let mut graph = DiGraph::<(), ()>::new();
    // From the last to the first, since `toposort` begins with what was added last.
    let nodes: Vec<NodeIndex> = body.iter().map(|_| graph.add_node(())).collect();
    let node = |i: usize| nodes[body.len() - 1 - i];
    for (i, equation) in body.iter().enumerate() {
        let mut stack = match &equation.kind {
            FlatKind::Equality { rhs, .. } => vec![rhs],
            FlatKind::If { branches, .. } => branches.iter().map(|(c, _)| c).collect(),
            _ => Vec::new(),
        };
        while let Some(exp) = stack.pop() {
            match exp {
                // The left limit is known before.
                Exp::Call(call) if is_builtin(&call.function, "pre") => continue,
                Exp::Ref(FlatRef::Var(id)) => {
                    if let Some(&first) = computed.get(id).filter(|&&first| first != i) {
                        graph.update_edge(node(first), node(i), ());
                    }
                }
                _ => {}
            }
            push_children(exp, &mut stack);
        }
    }
    match toposort(&graph, None) {
        Ok(order) => order
            .into_iter()
            .map(|node| body.len() - 1 - node.index())
            .collect(),
        Err(_) => as_written(),
    }
}
