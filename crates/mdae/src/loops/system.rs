//! The equations of a loop, taken out of the model.
//!
//! Unknowns are the values on the loop, and what is computed before them from equations that are affine and always the same; known
//! terms are whatever else occurs. A known term is *free* if nothing in the model ties it to others: states, inputs, time, held
//! values and left limits. What holds for all values of all terms holds for the model; that something happens for some
//! values is only claimed if the terms are free.

use super::form::{Form, Solved, Sparse};
use crate::analysis::{Analysis, Structure};
use crate::cond::Conds;
use crate::fixpoint::graph::{Knot, Node};
use crate::fixpoint::{conditions, known_below};
use crate::model::{ModeDef, ModeId, VarKind};
use crate::print::Text;
use crate::sym::{
    At, CondId, Expr, Kind, Limits, Polynomial, Rational, RelOp, Style, VarId, VarRef, map_leaves,
    normal_form, print, resolve, time_derivative, variables,
};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};

/// Equations before the loop that are taken along, so that relations between known terms are not forgotten.
const MAX_BEFORE: usize = 400;

/// Why a loop is beyond the procedures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Beyond {
    Nonlinear,
    /// The coefficient of an unknown is not a number.
    Coefficient,
    /// A condition that is no comparison, or compares for equality.
    Condition,
    /// Another number of equations than unknowns.
    NotSquare,
    Many(&'static str, usize),
    Singular,
    TooLarge,
    /// Values without a fitting valuation were found, but they did not stand the test.
    Unconfirmed,
}

impl Beyond {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Nonlinear => "linear algebra, but the equations are not linear in the unknowns".into(),
            Self::Coefficient => {
                "linear algebra, but a coefficient depends on values that are known at run time only".into()
            }
            Self::Condition => "linear algebra, but a condition is no inequality".into(),
            Self::NotSquare => "linear algebra, but the equations of the loop differ from mode to mode".into(),
            Self::Many(what, n) => format!("linear algebra, but there are too many {what} ({n})"),
            Self::Singular => "linear algebra, but the equations are singular for some truth values".into(),
            Self::TooLarge => "linear algebra, but the numbers became too large".into(),
            Self::Unconfirmed => "linear programmes, but the values they gave could not be confirmed".into(),
        }
    }
}

/// A comparison on the loop: true where `form` is above zero (or zero, unless strict).
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) mode: ModeId,
    pub(super) form: Form,
    pub(super) strict: bool,
}

/// What is known when the loop is solved and decides about its equations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Known {
    Mode(ModeId),
    /// The value of a mode variable that is held, before the instant.
    Held(ModeId),
    /// The truth of a trigger before the instant.
    Before(CondId),
}

/// An equation that may depend on conditions.
pub(super) struct Row {
    pub(super) guard: CondId,
    pub(super) residual: Expr,
    /// Places in [`System::atoms`] and [`System::known`].
    pub(super) atoms: Vec<usize>,
    pub(super) known: Vec<usize>,
}

pub(super) struct System<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) unknowns: FxIndexMap<VarRef, ()>,
    /// Known terms; number 0 is one.
    pub(super) terms: FxIndexMap<Expr, ()>,
    pub(super) atoms: Vec<Atom>,
    /// Mode variables of the loop that are no comparisons, parts before what is made of them.
    pub(super) derived: Vec<ModeId>,
    pub(super) known: Vec<Known>,
    pub(super) rows: Vec<Row>,
    /// Equations without conditions.
    pub(super) fixed: Vec<Form>,
    /// Known comparisons, by their place in `known`, as forms that are above zero where they hold.
    pub(super) domain: FxHashMap<usize, Form>,
    /// Values that are computed before the loop in ways that are not followed.
    opaque: FxHashSet<VarRef>,
    /// Values before the loop that are numbers, such as the resistance at a fixed temperature.
    numbers: FxHashMap<VarRef, Rational>,
    /// Where numbers are tried: what is known has these.
    trial: Option<Trial>,
    /// Equations and comparisons as they were before numbers were put in.
    tried: Vec<Expr>,
    closed: std::cell::RefCell<FxHashMap<CondId, std::rc::Rc<[CondId]>>>,
}

/// Numbers to be tried for what is known, the same for the same number of the trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial(pub(super) u64);

impl Trial {
    fn value(self, what: u64) -> Rational {
        const VALUES: [(i64, i64); 12] = [
            (1, 1),
            (-1, 1),
            (2, 1),
            (-2, 1),
            (1, 2),
            (-1, 2),
            (3, 1),
            (-3, 1),
            (1, 10),
            (-1, 10),
            (10, 1),
            (-10, 1),
        ];
        let mut mixed = (self.0 << 32 | what).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 31;
        let (n, d) = VALUES[(mixed % VALUES.len() as u64) as usize];
        Rational::new(n, d).unwrap_or_else(Rational::one)
    }

    /// The number of a known value.
    pub(super) fn of(self, read: VarRef) -> Rational {
        self.value(
            u64::from(read.var.0) << 8
                | u64::from(read.order) << 1
                | u64::from(read.at == At::Left),
        )
    }

    pub(super) fn time(self) -> Rational {
        self.value(u64::MAX >> 40)
    }
}

impl<'a> System<'a> {
    pub(super) fn new(
        analysis: &'a Analysis,
        knot: &Knot,
        trial: Option<Trial>,
    ) -> Result<Self, Beyond> {
        let mut this = System {
            analysis,
            unknowns: FxIndexMap::default(),
            terms: FxIndexMap::default(),
            atoms: Vec::new(),
            derived: Vec::new(),
            known: Vec::new(),
            rows: Vec::new(),
            fixed: Vec::new(),
            domain: FxHashMap::default(),
            opaque: FxHashSet::default(),
            numbers: FxHashMap::default(),
            trial,
            tried: Vec::new(),
            closed: std::cell::RefCell::default(),
        };
        this.terms.insert(Expr::one(), ());
        let mut modes: Vec<ModeId> = Vec::new();
        for node in &knot.nodes {
            match *node {
                Node::Value(var, order) => {
                    this.unknowns.insert(VarRef::now(var, order as u32), ());
                }
                Node::Condition(id) => modes.push(id),
                Node::Row(..) => {}
            }
        }
        let rows = this.rows_of(knot);
        let residuals: Vec<(usize, Expr)> = rows
            .iter()
            .map(|&(row, level)| (row, this.residual(row, level)))
            .collect();
        let residuals_only: Vec<Expr> = residuals
            .iter()
            .map(|(_, residual)| residual.clone())
            .collect();
        this.follow(&residuals_only, &modes);
        this.order_conditions(&modes)?;
        for &(row, ref residual) in &residuals {
            this.add_row(row, residual.clone())?;
        }
        for id in modes {
            this.add_atom(id)?;
        }
        this.place_supports();
        Ok(this)
    }

    /// The rows that determine the values of the loop in some mode.
    fn rows_of(&self, knot: &Knot) -> Vec<(usize, i32)> {
        let mut rows: FxIndexMap<(usize, i32), ()> = FxIndexMap::default();
        for node in &knot.nodes {
            if let Node::Row(row, level) = *node {
                rows.insert((row, level), ());
            }
        }
        if let Structure::All(all) = &self.analysis.structure {
            let components: FxHashSet<usize> = rows
                .keys()
                .map(|&(row, _)| all.1.component_of_equation[row])
                .collect();
            let mut components: Vec<usize> = components.into_iter().collect();
            components.sort_unstable();
            let mut orders: FxHashMap<VarId, Vec<i32>> = FxHashMap::default();
            for unknown in self.unknowns.keys() {
                orders
                    .entry(unknown.var)
                    .or_default()
                    .push(unknown.order as i32);
            }
            for component in components {
                for edge in &all.1.components[component].matched {
                    let of = orders.get(&VarId(edge.variable.0)).into_iter().flatten();
                    for order in of.filter(|&&order| order >= edge.sigma) {
                        rows.insert((edge.equation.index(), order - edge.sigma), ());
                    }
                }
            }
        }
        rows.into_keys().collect()
    }

    fn residual(&self, row: usize, level: i32) -> Expr {
        let mdae = &self.analysis.mdae;
        let mut residual = mdae.equations[self.analysis.rows.equations[row]].residual();
        for _ in 0..level {
            residual = time_derivative(&residual, &mut |var| {
                let variable = mdae.variable(var);
                variable.discrete || variable.kind == VarKind::Held
            });
        }
        map_leaves(&residual, &mut |kind| match kind {
            Kind::Param(id) => {
                let value = mdae.parameter(*id).value?;
                Rational::from_decimal(value).map(Expr::constant)
            }
            _ => None,
        })
    }

    fn is_known(&self, read: VarRef) -> bool {
        read.at == At::Left
            || !self.analysis.mdae.is_unknown(read.var)
            || (read.order as i32) < known_below(self.analysis, read.var)
    }

    /// Takes equations along that are always the same and affine and give values that the loop reads.
    fn follow(&mut self, residuals: &[Expr], modes: &[ModeId]) {
        let mdae = &self.analysis.mdae;
        let mut readers: Vec<Expr> = residuals.to_vec();
        for &id in modes {
            if let ModeDef::Predicate(predicate) = &mdae.modes[id].def {
                readers.extend([predicate.lhs.clone(), predicate.rhs.clone()]);
            }
        }
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
        let writers = self.writers();
        let mut before: Vec<(VarRef, Expr)> = Vec::new();
        let mut at = 0;
        while at < wanted.len() {
            let read = wanted[at];
            at += 1;
            let found = writers
                .get(&read.var)
                .and_then(|&(row, sigma)| self.definition(row, read.order as i32 - sigma));
            match found {
                Some(residual) if before.len() < MAX_BEFORE => {
                    want(self, &residual, &mut wanted);
                    before.push((read, residual));
                }
                _ => {
                    self.opaque.insert(read);
                }
            }
        }
        self.find_numbers(&before);
        before.retain(|(read, _)| !self.numbers.contains_key(read));
        for (_, residual) in &mut before {
            *residual = self.with_numbers(residual);
        }
        let readers: Vec<Expr> = readers
            .iter()
            .map(|reader| self.with_numbers(reader))
            .collect();
        // What occurs in products or functions is taken as it is; then others may have to be, too.
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
            before.retain(|(read, _)| !lost.contains(read));
            self.opaque.extend(lost);
        }
        for (read, _) in &before {
            self.unknowns.insert(*read, ());
        }
        for (_, residual) in before {
            if let Ok(form) = self.form(&residual) {
                self.fixed.push(form);
            }
        }
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

    /// Numbers in the place of values that are numbers.
    fn with_numbers(&self, expr: &Expr) -> Expr {
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

    /// Per variable the row that determines it in every mode.
    fn writers(&self) -> FxHashMap<VarId, (usize, i32)> {
        let mut found = FxHashMap::default();
        if let Structure::All(all) = &self.analysis.structure {
            for component in &all.1.components {
                for edge in &component.matched {
                    if edge.modes == component.regular {
                        found.insert(VarId(edge.variable.0), (edge.equation.index(), edge.sigma));
                    }
                }
            }
        }
        found
    }

    fn definition(&self, row: usize, level: i32) -> Option<Expr> {
        let id = self.analysis.rows.equations[row];
        let always = conditions(&self.analysis.mdae, id)
            .iter()
            .all(|&condition| condition == Conds::TRUE);
        (always && (0..4).contains(&level)).then(|| self.residual(row, level))
    }

    /// The affine form of an expression without conditions.
    pub(super) fn form(&mut self, expr: &Expr) -> Result<Form, Beyond> {
        if self.trial.is_some() {
            self.tried.push(expr.clone());
        }
        let expr = self.with_numbers(expr);
        let unknowns = &self.unknowns;
        let polynomial = polynomial(&expr)?;
        let parts = affine(&polynomial, &|read| unknowns.contains_key(&read))?;
        let mut form = Form::default();
        for (read, factor) in parts.0 {
            if let Some(at) = unknowns.get_index_of(&read) {
                form.unknown.insert(at, factor);
            }
        }
        let mut known = Sparse::new();
        for (term, factor) in parts.1 {
            let (at, _) = self.terms.insert_full(term, ());
            super::form::add(&mut known, &Sparse::from([(at, factor)]), &Rational::one());
        }
        form.known = known;
        Ok(form)
    }

    fn order_conditions(&mut self, modes: &[ModeId]) -> Result<(), Beyond> {
        let mdae = &self.analysis.mdae;
        let mut done: FxHashSet<ModeId> = FxHashSet::default();
        let mut open: Vec<ModeId> = Vec::new();
        for &id in modes {
            match &mdae.modes[id].def {
                ModeDef::Predicate(_) => {
                    done.insert(id);
                }
                ModeDef::Formula(_) | ModeDef::Held | ModeDef::Choice(_) => open.push(id),
                _ => return Err(Beyond::Condition),
            }
        }
        let inside: FxHashSet<ModeId> = modes.iter().copied().collect();
        while !open.is_empty() {
            let before = open.len();
            open.retain(|&id| {
                let parts = mdae.conds.support(self.conditions_of(id));
                let ready = parts
                    .iter()
                    .all(|part| *part == id || !inside.contains(part) || done.contains(part));
                if ready {
                    done.insert(id);
                    self.derived.push(id);
                }
                !ready
            });
            if open.len() == before {
                return Err(Beyond::Condition);
            }
        }
        Ok(())
    }

    fn conditions_of(&self, id: ModeId) -> Vec<CondId> {
        let mdae = &self.analysis.mdae;
        let mut found = crate::fixpoint::update_conditions(mdae, id);
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            found.push(formula);
        }
        found
    }

    fn add_row(&mut self, row: usize, residual: Expr) -> Result<(), Beyond> {
        let mdae = &self.analysis.mdae;
        let id = self.analysis.rows.equations[row];
        let guard = mdae.equations[id].guard;
        let conditions = conditions(mdae, id);
        if conditions.iter().all(|&condition| condition == Conds::TRUE) {
            let form = self.form(&residual)?;
            self.fixed.push(form);
        } else {
            self.rows.push(Row {
                guard,
                residual,
                atoms: Vec::new(),
                known: Vec::new(),
            });
        }
        Ok(())
    }

    fn add_atom(&mut self, id: ModeId) -> Result<(), Beyond> {
        let ModeDef::Predicate(predicate) = &self.analysis.mdae.modes[id].def else {
            return Ok(());
        };
        let (op, difference) = (predicate.op, predicate.lhs.sub(&predicate.rhs));
        let (form, strict) = self.comparison(op, &difference)?;
        self.atoms.push(Atom {
            mode: id,
            form,
            strict,
        });
        Ok(())
    }

    /// `difference op 0` as a form that is above zero, and whether strictly.
    fn comparison(&mut self, op: RelOp, difference: &Expr) -> Result<(Form, bool), Beyond> {
        let mdae = &self.analysis.mdae;
        let mut has_condition = false;
        crate::sym::for_each_node(difference, &mut |node| {
            has_condition |= matches!(node.kind(), Kind::If(..) | Kind::Cond(_));
            true
        });
        if has_condition {
            return Err(Beyond::Condition);
        }
        let difference = map_leaves(difference, &mut |kind| match kind {
            Kind::Param(id) => {
                let value = mdae.parameter(*id).value?;
                Rational::from_decimal(value).map(Expr::constant)
            }
            _ => None,
        });
        let form = self.form(&difference)?;
        let minus = || Form::default().plus(&form, &Rational::int(-1));
        Ok(match op {
            RelOp::Greater => (form, true),
            RelOp::GreaterEqual => (form, false),
            RelOp::Less => (minus(), true),
            RelOp::LessEqual => (minus(), false),
            RelOp::Equal | RelOp::NotEqual => return Err(Beyond::Condition),
        })
    }

    /// Which atoms and known conditions each row depends on.
    fn place_supports(&mut self) {
        let mdae = &self.analysis.mdae;
        let atom_of: FxHashMap<ModeId, usize> = self
            .atoms
            .iter()
            .enumerate()
            .map(|(at, atom)| (atom.mode, at))
            .collect();
        let derived: FxHashSet<ModeId> = self.derived.iter().copied().collect();
        let mut known: FxIndexMap<Known, ()> = FxIndexMap::default();
        // What each derived condition depends on, in order.
        let mut parts: FxHashMap<ModeId, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
        let support = |conditions: Vec<CondId>,
                       parts: &FxHashMap<ModeId, (Vec<usize>, Vec<usize>)>,
                       known: &mut FxIndexMap<Known, ()>| {
            let (mut atoms, mut others) = (Vec::new(), Vec::new());
            for id in mdae.conds.support(conditions) {
                if let Some(&at) = atom_of.get(&id) {
                    atoms.push(at);
                } else if derived.contains(&id) {
                    if let Some((a, k)) = parts.get(&id) {
                        atoms.extend(a);
                        others.extend(k);
                    }
                } else {
                    others.push(known.insert_full(Known::Mode(id), ()).0);
                }
            }
            atoms.sort_unstable();
            atoms.dedup();
            others.sort_unstable();
            others.dedup();
            (atoms, others)
        };
        for &id in &self.derived {
            let mut own = support(self.conditions_of(id), &parts, &mut known);
            for update in mdae.updates.iter().filter(|update| update.mode == id) {
                own.1.push(known.insert_full(Known::Held(id), ()).0);
                for &trigger in update.firing.triggers.iter().chain(&update.firing.unless) {
                    own.1.push(known.insert_full(Known::Before(trigger), ()).0);
                }
            }
            own.1.sort_unstable();
            own.1.dedup();
            parts.insert(id, own);
        }
        let mut rows = std::mem::take(&mut self.rows);
        for row in &mut rows {
            let mut all = vec![row.guard];
            crate::sym::for_each_node(&row.residual, &mut |node| {
                if let Kind::If(condition, ..) | Kind::Cond(condition) = node.kind() {
                    all.push(*condition);
                }
                true
            });
            (row.atoms, row.known) = support(all, &parts, &mut known);
        }
        self.rows = rows;
        self.known = known.into_keys().collect();
        for at in 0..self.known.len() {
            if let Known::Mode(id) = self.known[at]
                && let ModeDef::Predicate(predicate) = &self.analysis.mdae.modes[id].def
            {
                let (op, difference) = (predicate.op, predicate.lhs.sub(&predicate.rhs));
                if let Ok((form, _)) = self.comparison(op, &difference) {
                    self.domain.insert(at, form);
                }
            }
        }
    }

    /// The truth of conditions where atoms and known ones have values; `None` where these do not suffice.
    pub(super) fn truth(
        &self,
        atoms: &dyn Fn(usize) -> Option<bool>,
        known: &dyn Fn(usize) -> Option<bool>,
    ) -> FxHashMap<ModeId, bool> {
        let mdae = &self.analysis.mdae;
        let mut values: FxHashMap<ModeId, bool> = FxHashMap::default();
        for (at, atom) in self.atoms.iter().enumerate() {
            values.extend(atoms(at).map(|value| (atom.mode, value)));
        }
        let mut special: FxHashMap<Known, bool> = FxHashMap::default();
        for (at, which) in self.known.iter().enumerate() {
            if let Some(value) = known(at) {
                match which {
                    Known::Mode(id) => {
                        values.insert(*id, value);
                    }
                    _ => {
                        special.insert(*which, value);
                    }
                }
            }
        }
        for &id in &self.derived {
            let value = match mdae.modes[id].def {
                ModeDef::Formula(formula) => self.holds(formula, &values),
                _ => self.held(id, &values, &special),
            };
            values.extend(value.map(|value| (id, value)));
        }
        values
    }

    /// A condition, given the values of mode variables.
    pub(super) fn holds(&self, id: CondId, values: &FxHashMap<ModeId, bool>) -> Option<bool> {
        let conds = &self.analysis.mdae.conds;
        let mut known = self.closed.borrow_mut();
        let closed = known.entry(id).or_insert_with(|| conds.closed([id]).into());
        let closed = closed.clone();
        drop(known);
        let truth = conds.evaluate_some(&closed, |mode| values.get(&mode).copied());
        truth.get(&id).copied()
    }

    /// What a held mode variable becomes: the value of the branch that fires, else what it was.
    fn held(
        &self,
        id: ModeId,
        values: &FxHashMap<ModeId, bool>,
        special: &FxHashMap<Known, bool>,
    ) -> Option<bool> {
        let mdae = &self.analysis.mdae;
        let rises = |trigger: CondId| -> Option<bool> {
            let now = self.holds(trigger, values)?;
            let before = *special.get(&Known::Before(trigger))?;
            Some(now && !before)
        };
        for update in mdae.updates.iter().filter(|update| update.mode == id) {
            let mut fires = false;
            for &trigger in &update.firing.triggers {
                fires |= rises(trigger)?;
            }
            for &trigger in &update.firing.unless {
                fires &= !rises(trigger)?;
            }
            if fires && self.holds(update.guard, values)? {
                return self.holds(update.value, values);
            }
        }
        special.get(&Known::Held(id)).copied()
    }

    /// The form of a row, `None` where its guard does not hold.
    pub(super) fn row_form(
        &mut self,
        row: usize,
        values: &FxHashMap<ModeId, bool>,
    ) -> Result<Option<Form>, Beyond> {
        let guard = self.rows[row].guard;
        match self.holds(guard, values) {
            Some(false) => return Ok(None),
            Some(true) => {}
            None => return Err(Beyond::Condition),
        }
        let residual = self.rows[row].residual.clone();
        let resolved = resolve(&residual, &mut |id| self.holds(id, values));
        self.form(&resolved).map(Some)
    }

    /// Whether nothing ties the known term to other terms.
    pub(super) fn is_free(&self, term: usize) -> bool {
        let Some((expr, ())) = self.terms.get_index(term) else {
            return false;
        };
        match expr.kind() {
            Kind::Time => true,
            Kind::Var(read) => !self.opaque.contains(read),
            Kind::Param(id) => {
                let parameter = self.analysis.mdae.parameter(*id);
                parameter.free || parameter.binding.is_none()
            }
            _ => false,
        }
    }

    /// Whether all that is known can be given: nothing is computed before the loop in ways that are not followed.
    pub(super) fn is_closed(&self) -> bool {
        self.opaque.is_empty()
    }

    /// The numbers that were tried, by name.
    pub(super) fn trial_values(&self) -> Vec<(String, Rational)> {
        let Some(trial) = self.trial else {
            return Vec::new();
        };
        let mut values: Vec<(String, Rational)> = Vec::new();
        let mut add = |expr: &Expr| {
            for read in variables(expr) {
                if self.is_known(read) {
                    let name = print(
                        &Expr::var_ref(read),
                        &Text(&self.analysis.mdae),
                        Style::Modelica,
                    );
                    if !values.iter().any(|(other, _)| *other == name) {
                        values.push((name, trial.of(read)));
                    }
                }
            }
        };
        for row in &self.rows {
            add(&row.residual);
        }
        for expr in &self.tried {
            add(expr);
        }
        values
    }

    pub(super) fn term_name(&self, term: usize) -> String {
        match self.terms.get_index(term) {
            Some((expr, ())) => print(expr, &Text(&self.analysis.mdae), Style::Modelica),
            None => String::new(),
        }
    }
}

fn polynomial(expr: &Expr) -> Result<Polynomial, Beyond> {
    normal_form(
        expr,
        Limits {
            terms: 512,
            power: 8,
        },
    )
    .map_err(|_| Beyond::TooLarge)
}

/// The unknowns that occur in products with others, with coefficients that are no numbers, or inside functions, as it is written.
fn nonlinear(expr: &Expr, is_unknown: &dyn Fn(VarRef) -> bool, found: &mut FxHashSet<VarRef>) {
    let own = |expr: &Expr| -> Vec<VarRef> {
        let reads = variables(expr).into_iter();
        reads.filter(|read| is_unknown(*read)).collect()
    };
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match expr.kind() {
            Kind::Sum(items) => stack.extend(items.iter()),
            Kind::If(_, then, otherwise) => stack.extend([then, otherwise]),
            Kind::Relation(_, a, b) => stack.extend([a, b]),
            Kind::Prod(items) => {
                let with: Vec<&Expr> = items.iter().filter(|item| !own(item).is_empty()).collect();
                let numbers = items
                    .iter()
                    .filter(|item| own(item).is_empty())
                    .all(is_number);
                match with[..] {
                    [] => {}
                    [only] if numbers => stack.push(only),
                    _ => found.extend(with.into_iter().flat_map(own)),
                }
            }
            Kind::Pow(..) | Kind::Call(..) => found.extend(own(expr)),
            _ => {}
        }
    }
}

/// Whether an expression is a number in every mode.
fn is_number(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Const(_) => true,
        Kind::If(_, then, otherwise) => is_number(then) && is_number(otherwise),
        Kind::Sum(items) | Kind::Prod(items) => items.iter().all(is_number),
        Kind::Pow(base, _) => is_number(base),
        _ => false,
    }
}

type Parts = (Vec<(VarRef, Rational)>, Vec<(Expr, Rational)>);

/// The terms with an unknown and those without.
fn affine(polynomial: &Polynomial, is_unknown: &dyn Fn(VarRef) -> bool) -> Result<Parts, Beyond> {
    let (mut unknown, mut known) = (Vec::new(), Vec::new());
    for (monomial, factor) in polynomial.terms() {
        let mut own: Option<VarRef> = None;
        let mut rest: Vec<Expr> = Vec::new();
        for (generator, exponent) in monomial {
            match generator.kind() {
                Kind::Var(read) if is_unknown(*read) => {
                    if own.is_some() || !exponent.is_one() {
                        return Err(Beyond::Nonlinear);
                    }
                    own = Some(*read);
                }
                Kind::Var(_) => rest.push(generator.pow(exponent.clone())),
                _ => {
                    if variables(generator).into_iter().any(is_unknown) {
                        return Err(Beyond::Nonlinear);
                    }
                    rest.push(generator.pow(exponent.clone()));
                }
            }
        }
        match own {
            Some(read) if rest.is_empty() => unknown.push((read, factor.clone())),
            Some(_) => return Err(Beyond::Coefficient),
            None => known.push((Expr::product(rest), factor.clone())),
        }
    }
    Ok((unknown, known))
}
