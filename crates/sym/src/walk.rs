//! Traversals: incidence, substitution, partial evaluation in a mode.

use super::expr::{At, CondId, Expr, Kind, ParamId, VarId, VarRef};
use modeshift_base::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};

/// Calls `visit` once for every distinct node, parents before children; children are skipped where
/// it says `false`. Linear in the number of distinct nodes, however often they are shared.
pub fn for_each_node(root: &Expr, visit: &mut impl FnMut(&Expr) -> bool) {
    let mut seen = Seen::default();
    let mut stack: SmallVec<[&Expr; 16]> = smallvec![root];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr.address()) || !visit(expr) {
            continue;
        }
        let first = stack.len();
        push_children(expr, &mut stack);
        stack[first..].reverse();
    }
}

/// Nodes that were met. Most expressions have few, which are found fastest one after the other.
#[derive(Default)]
struct Seen {
    few: SmallVec<[usize; 16]>,
    many: FxHashSet<usize>,
}

impl Seen {
    fn insert(&mut self, address: usize) -> bool {
        if !self.many.is_empty() {
            return self.many.insert(address);
        }
        if self.few.contains(&address) {
            return false;
        }
        match self.few.len() == self.few.inline_size() {
            true => {
                self.many.extend(self.few.iter().copied());
                self.many.insert(address);
            }
            false => self.few.push(address),
        }
        true
    }
}

fn push_children<'e>(expr: &'e Expr, stack: &mut SmallVec<[&'e Expr; 16]>) {
    match expr.kind() {
        Kind::Const(_)
        | Kind::Time
        | Kind::Param(_)
        | Kind::Var(_)
        | Kind::Cond(_)
        | Kind::Text(_) => {}
        Kind::Sum(items) | Kind::Prod(items) | Kind::Call(_, items) => stack.extend(items),
        Kind::Pow(base, _) => stack.push(base),
        Kind::If(_, a, b) | Kind::Relation(_, a, b) => stack.extend([a, b]),
    }
}

/// All occurrences of variables.
pub fn variables(expr: &Expr) -> BTreeSet<VarRef> {
    let mut found = BTreeSet::new();
    for_each_node(expr, &mut |node| {
        if let Kind::Var(occurrence) = node.kind() {
            found.insert(*occurrence);
        }
        true
    });
    found
}

pub fn params(expr: &Expr) -> BTreeSet<ParamId> {
    let mut found = BTreeSet::new();
    for_each_node(expr, &mut |node| {
        if let Kind::Param(id) = node.kind() {
            found.insert(*id);
        }
        true
    });
    found
}

pub fn contains_condition(expr: &Expr) -> bool {
    expr.is_conditional()
}

/// σ(f, ·): for every variable that occurs *now*, its highest derivative.
pub fn incidence(expr: &Expr) -> BTreeMap<VarId, u32> {
    let mut sigma = BTreeMap::new();
    for occurrence in variables(expr) {
        if occurrence.at == At::Now {
            let order = sigma.entry(occurrence.var).or_insert(0);
            *order = (*order).max(occurrence.order);
        }
    }
    sigma
}

/// Rebuilds the expression with `leaf` applied to every leaf (`None` keeps it). Shared nodes are
/// rebuilt once.
pub fn map_leaves(expr: &Expr, leaf: &mut impl FnMut(&Kind) -> Option<Expr>) -> Expr {
    Rewriter {
        memo: FxHashMap::default(),
        leaf,
        decide: &mut |_: CondId| None,
    }
    .rewrite(expr)
}

/// Replaces occurrences of variables.
pub fn substitute(expr: &Expr, replace: &mut impl FnMut(VarRef) -> Option<Expr>) -> Expr {
    map_leaves(expr, &mut |kind| match kind {
        Kind::Var(occurrence) => replace(*occurrence),
        _ => None,
    })
}

/// Partial evaluation in a mode: conditions that `decide` knows disappear with the branch not taken.
pub fn resolve(expr: &Expr, decide: &mut impl FnMut(CondId) -> Option<bool>) -> Expr {
    Rewriter {
        memo: FxHashMap::default(),
        leaf: &mut |_: &Kind| None,
        decide,
    }
    .rewrite(expr)
}

struct Rewriter<'f, L, D> {
    memo: FxHashMap<usize, Expr>,
    leaf: &'f mut L,
    decide: &'f mut D,
}

impl<L, D> Rewriter<'_, L, D>
where
    L: FnMut(&Kind) -> Option<Expr>,
    D: FnMut(CondId) -> Option<bool>,
{
    fn rewrite(&mut self, expr: &Expr) -> Expr {
        if let Some(done) = self.memo.get(&expr.address()) {
            return done.clone();
        }
        let new = self.rebuild(expr);
        self.memo.insert(expr.address(), new.clone());
        new
    }

    fn rebuild(&mut self, expr: &Expr) -> Expr {
        match expr.kind() {
            Kind::Const(_) | Kind::Time | Kind::Param(_) | Kind::Var(_) | Kind::Text(_) => {
                (self.leaf)(expr.kind()).unwrap_or_else(|| expr.clone())
            }
            Kind::Cond(condition) => {
                if let Some(new) = (self.leaf)(expr.kind()) {
                    return new;
                }
                // What a function is told about the mode is decided with it: the value may jump when the mode changes.
                match (self.decide)(*condition) {
                    Some(true) => Expr::new(Kind::Cond(CondId::TRUE)),
                    Some(false) => Expr::new(Kind::Cond(CondId::FALSE)),
                    None => expr.clone(),
                }
            }
            Kind::Sum(terms) => match self.rewrite_all(terms) {
                Some(new) => Expr::sum(new),
                None => expr.clone(),
            },
            Kind::Prod(factors) => match self.rewrite_all(factors) {
                Some(new) => Expr::product(new),
                None => expr.clone(),
            },
            Kind::Call(function, args) => match self.rewrite_all(args) {
                Some(new) => Expr::apply(function.clone(), new),
                None => expr.clone(),
            },
            Kind::Pow(base, exponent) => {
                let new = self.rewrite(base);
                if new == *base {
                    expr.clone()
                } else {
                    new.pow(exponent.clone())
                }
            }
            Kind::If(condition, then, otherwise) => match (self.decide)(*condition) {
                Some(true) => self.rewrite(then),
                Some(false) => self.rewrite(otherwise),
                None => {
                    let (then, otherwise) = (self.rewrite(then), self.rewrite(otherwise));
                    Expr::if_else(*condition, &then, &otherwise)
                }
            },
            Kind::Relation(op, left, right) => {
                let (left, right) = (self.rewrite(left), self.rewrite(right));
                Expr::relation(*op, &left, &right)
            }
        }
    }

    /// `None` when nothing changed, so that untouched trees stay shared.
    fn rewrite_all(&mut self, items: &[Expr]) -> Option<Vec<Expr>> {
        let new: Vec<Expr> = items.iter().map(|item| self.rewrite(item)).collect();
        (new.as_slice() != items).then_some(new)
    }
}
