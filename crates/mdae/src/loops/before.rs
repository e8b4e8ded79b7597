//! What is computed before a loop: equations that are affine and always the same are taken along, so that relations between
//! known terms are not forgotten, and values that are numbers are found.

use super::affine::{affine, nonlinear, polynomial};
use super::form::{Form, Solved, Sparse};
use super::selected::{LoopRow, Origin};
use super::system::{Detail, System};
use crate::cond::Conds;
use crate::fixpoint::conditions;
use crate::sym::{Expr, Kind, Rational, VarRef, map_leaves, substitute, variables};
use modeshift_base::{FxHashSet, FxIndexMap};

/// Equations before the loop that are taken along.
const MAX_BEFORE: usize = 400;

/// Equations between which conditions choose.
const MAX_BRANCHES: usize = 4;

/// Values that known conditions decide over and that are taken along.
const MAX_CONDITIONAL: usize = 12;

/// Terms of a value that is written in the place of a variable.
const MAX_TERMS: usize = 8;

impl System<'_> {
    /// Takes equations along that are always the same and affine and give values that the loop reads. Those that depend on known
    /// conditions are for the loop, where it is looked at closely.
    pub(super) fn follow(&mut self, readers: Vec<Expr>) -> Vec<LoopRow> {
        let mut wanted: Vec<VarRef> = Vec::new();
        let mut seen: FxHashSet<VarRef> = self.unknowns.keys().copied().collect();
        let mut want = |this: &Self, expr: &Expr, wanted: &mut Vec<VarRef>| {
            for read in variables(expr) {
                if !this.is_known(read) && seen.insert(read) {
                    wanted.push(read);
                }
            }
        };
        for reader in &readers {
            want(self, reader, &mut wanted);
        }
        let writers = self.analysis.writers();
        let mut before: Vec<(VarRef, Expr)> = Vec::new();
        let mut chosen: Vec<(VarRef, Vec<Expr>)> = Vec::new();
        let mut conditional: Vec<(VarRef, Vec<LoopRow>)> = Vec::new();
        let mut at = 0;
        while at < wanted.len() {
            let read = wanted[at];
            at += 1;
            let found = writers
                .always(read.var)
                .and_then(|(row, sigma)| self.definition(row, read.order as i32 - sigma));
            match found {
                Some(residual) if before.len() < MAX_BEFORE => {
                    want(self, &residual, &mut wanted);
                    before.push((read, residual));
                }
                _ => {
                    self.opaque.insert(read);
                    if self.detail == Detail::Closer && conditional.len() < MAX_CONDITIONAL {
                        let rows = self.writers(read);
                        for (_, residual) in &rows {
                            want(self, residual, &mut wanted);
                        }
                        if !rows.is_empty() {
                            conditional.push((read, rows));
                        }
                    }
                    let branches = self.branches(read);
                    for residual in &branches {
                        want(self, residual, &mut wanted);
                    }
                    if !branches.is_empty() {
                        chosen.push((read, branches));
                    }
                }
            }
        }
        self.find_numbers(&before);
        while self.choose_numbers(&mut chosen) {
            self.find_numbers(&before);
        }
        before.retain(|(read, _)| !self.numbers.contains_key(read));
        for (_, residual) in &mut before {
            *residual = self.with_numbers(residual);
        }
        let mut readers: Vec<Expr> = readers
            .iter()
            .map(|reader| self.with_numbers(reader))
            .collect();
        let taken = self.taken(conditional, &before, &readers);
        let of_taken = taken.iter().map(|(_, residual)| residual.clone());
        readers.extend(of_taken);
        // What occurs in products or functions is no unknown: it is replaced by what it is computed from, or taken as it is. Then others
        // may have to be, too.
        loop {
            let unknown: FxHashSet<VarRef> = before.iter().map(|(read, _)| *read).collect();
            let mut lost: FxHashSet<VarRef> = FxHashSet::default();
            let own = &self.unknowns;
            let is_unknown = |read: VarRef| unknown.contains(&read) || own.contains_key(&read);
            for expr in readers
                .iter()
                .chain(before.iter().map(|(_, residual)| residual))
            {
                nonlinear(expr, &is_unknown, &mut lost);
            }
            lost.retain(|read| unknown.contains(read));
            if lost.is_empty() {
                break;
            }
            let (gone, rest): (Vec<_>, Vec<_>) = before
                .into_iter()
                .partition(|(read, _)| lost.contains(read));
            before = rest;
            for (read, residual) in gone {
                let residual = self.with_replaced(&residual);
                match explicit(&residual, read) {
                    Some(value) => self.replace(read, &value),
                    None => {
                        self.opaque.insert(read);
                    }
                }
            }
            for expr in readers
                .iter_mut()
                .chain(before.iter_mut().map(|(_, residual)| residual))
            {
                *expr = self.with_replaced(expr);
            }
        }
        for (read, _) in &before {
            self.unknowns.insert(*read, ());
        }
        for (_, residual) in before {
            if let Ok(form) = self.form(&residual) {
                self.fixed.push(form);
            }
        }
        taken
    }

    /// The rows with conditions that determine a value in all modes.
    fn writers(&self, read: VarRef) -> Vec<LoopRow> {
        let rows = self.analysis.writers().of(std::iter::once(read.var));
        if rows.len() > MAX_BRANCHES || rows.iter().any(|(_, it)| it.sigma != read.order as i32) {
            return Vec::new();
        }
        let rows = rows.into_iter().map(|(_, writer)| writer.row);
        rows.map(|row| (Origin::Model(row, 0), self.residual(row, 0)))
            .collect()
    }

    /// Of the values that known conditions decide over those that are linear in the equations: they become unknowns of the loop.
    fn taken(
        &mut self,
        mut conditional: Vec<(VarRef, Vec<LoopRow>)>,
        before: &[(VarRef, Expr)],
        readers: &[Expr],
    ) -> Vec<LoopRow> {
        conditional.retain(|(read, _)| !self.numbers.contains_key(read));
        loop {
            let own: FxHashSet<VarRef> = conditional.iter().map(|(read, _)| *read).collect();
            let rows = conditional.iter().flat_map(|(_, rows)| rows);
            let all = rows.map(|(_, residual)| residual).chain(readers);
            let mut lost: FxHashSet<VarRef> = FxHashSet::default();
            for expr in all.chain(before.iter().map(|(_, residual)| residual)) {
                let is_unknown =
                    |read: VarRef| own.contains(&read) || self.unknowns.contains_key(&read);
                nonlinear(&self.with_numbers(expr), &is_unknown, &mut lost);
            }
            let n = conditional.len();
            conditional.retain(|(read, _)| !lost.contains(read));
            if conditional.len() == n {
                break;
            }
        }
        let mut rows = Vec::new();
        for (read, own) in conditional {
            self.opaque.remove(&read);
            self.unknowns.insert(read, ());
            rows.extend(own);
        }
        rows
    }

    /// Writes `value` in the place of `read` from now on.
    fn replace(&mut self, read: VarRef, value: &Expr) {
        for old in self.replaced.values_mut() {
            *old = substitute(old, &mut |other| (other == read).then(|| value.clone()));
        }
        self.replaced.insert(read, value.clone());
    }

    pub(super) fn with_replaced(&self, expr: &Expr) -> Expr {
        if self.replaced.is_empty() {
            return expr.clone();
        }
        substitute(expr, &mut |read| self.replaced.get(&read).cloned())
    }

    /// Finds the values among those computed before the loop that are numbers.
    fn find_numbers(&mut self, before: &[(VarRef, Expr)]) {
        // Chains of definitions with products in between take a round each.
        for _ in 0..8 {
            let place: FxIndexMap<VarRef, ()> =
                before.iter().map(|(read, _)| (*read, ())).collect();
            let mut forms: Vec<Form> = Vec::new();
            for (_, residual) in before {
                let residual = self.with_numbers(residual);
                let residual = super::tables::folded(&self.analysis.mdae, self.trace, &residual);
                let Ok(polynomial) = polynomial(&residual) else {
                    continue;
                };
                let Ok((unknown, known)) = affine(&polynomial, &|read| place.contains_key(&read))
                else {
                    continue;
                };
                // Only numbers count here: other known terms make a form useless.
                if unknown.is_empty() || known.iter().any(|(term, _)| !term.is_one()) {
                    continue;
                }
                let mut form = Form::default();
                for (read, factor) in unknown {
                    if let Some(at) = place.get_index_of(&read) {
                        form.unknown.insert(at, factor);
                    }
                }
                form.known
                    .extend(known.into_iter().map(|(_, factor)| (0, factor)));
                forms.push(form);
            }
            let Ok(solved) = Solved::new(forms) else {
                return;
            };
            let mut found = false;
            for (at, read) in place.keys().enumerate() {
                if self.numbers.contains_key(read) {
                    continue;
                }
                let own = Form {
                    unknown: Sparse::from([(at, Rational::one())]),
                    ..Form::default()
                };
                let own = solved.apply(&own);
                if own.unknown.is_empty() {
                    let value = own.known.get(&0).cloned().unwrap_or_else(Rational::zero);
                    self.numbers.insert(*read, value);
                    found = true;
                }
            }
            if !found {
                return;
            }
        }
    }

    /// The equations that give a value in different modes, if there are several and conditions choose between them.
    fn branches(&self, read: VarRef) -> Vec<Expr> {
        let mdae = &self.analysis.mdae;
        let rows = self.analysis.writers().of(std::iter::once(read.var));
        let guarded = rows.iter().all(|(_, writer)| {
            let guard = mdae.equations[self.analysis.rows.equations[writer.row]].guard;
            guard != Conds::TRUE && writer.sigma == read.order as i32
        });
        if !guarded || rows.len() > MAX_BRANCHES {
            return Vec::new();
        }
        rows.into_iter()
            .map(|(_, writer)| self.residual(writer.row, 0))
            .collect()
    }

    /// Finds values to which all their equations give the same number, whatever the mode is. Whether there were any.
    fn choose_numbers(&mut self, chosen: &mut Vec<(VarRef, Vec<Expr>)>) -> bool {
        let before = chosen.len();
        chosen.retain(|(read, branches)| {
            let number = |residual: &Expr| {
                let residual = self.with_numbers(residual);
                let value = explicit(&residual, *read)?;
                match value.kind() {
                    Kind::Const(value) => Some(value.clone()),
                    _ => None,
                }
            };
            let mut numbers = branches.iter().map(number);
            let Some(Some(first)) = numbers.next() else {
                return true;
            };
            if !numbers.all(|other| other.as_ref() == Some(&first)) {
                return true;
            }
            self.opaque.remove(read);
            self.numbers.insert(*read, first);
            false
        });
        chosen.len() < before
    }

    /// Numbers in the place of values that are numbers.
    pub(super) fn with_numbers(&self, expr: &Expr) -> Expr {
        let expr = &self.with_replaced(expr);
        if self.numbers.is_empty() && self.trial.is_none() {
            return expr.clone();
        }
        map_leaves(expr, &mut |kind| match kind {
            Kind::Var(read) => match (self.numbers.get(read), self.trial) {
                (Some(value), _) => Some(Expr::constant(value.clone())),
                (None, Some(trial)) if self.is_known(*read) => {
                    Some(Expr::constant(trial.of(*read)))
                }
                _ => None,
            },
            Kind::Time => self.trial.map(|trial| Expr::constant(trial.time())),
            _ => None,
        })
    }

    fn definition(&self, row: usize, level: i32) -> Option<Expr> {
        let id = self.analysis.rows.equations[row];
        let always = conditions(&self.analysis.mdae, id)
            .iter()
            .all(|&condition| condition == Conds::TRUE);
        (always && (0..4).contains(&level)).then(|| self.residual(row, level))
    }
}

/// What makes a residual zero: the value of `read`, if it is small and `read` has a coefficient that is a number.
pub(super) fn explicit(residual: &Expr, read: VarRef) -> Option<Expr> {
    let (own, rest) = affine(&polynomial(residual).ok()?, &|other| other == read).ok()?;
    let [(_, factor)] = &own[..] else {
        return None;
    };
    if rest.len() > MAX_TERMS {
        return None;
    }
    let scale = -&factor.recip()?;
    let terms = rest
        .iter()
        .map(|(term, factor)| Expr::product([Expr::constant(factor * &scale), term.clone()]));
    Some(Expr::sum(terms))
}
