//! The equations of a loop, taken out of the model.
//!
//! Unknowns are the values on the loop, and what is computed before them from equations that are affine and always the same; known
//! terms are whatever else occurs. A known term is *free* if nothing in the model ties it to others: states, inputs, time, held
//! values and left limits. What holds for all values of all terms holds for the model; that something happens for some
//! values is only claimed if the terms are free.

use super::affine::{affine, polynomial};
use super::form::{Form, Sparse, Stop};
use super::inner::{Named, has_condition};
use super::merged::Alias;
use super::range::{Bounds, Range};
use super::selected::{LoopRow, Origin};
use super::trial::Trial;
use crate::analysis::{Analysis, Structure};
use crate::cond::Conds;
use crate::fixpoint::graph::{Knot, Node};
use crate::fixpoint::{conditions, known_below};
use crate::model::{MDae, ModeDef, ModeId, VarKind};
use crate::numbers::Trace;
use crate::print::Text;
use crate::sym::{
    At, CondId, Expr, Kind, Rational, RelOp, Style, VarId, VarRef, map_leaves, print, resolve,
    time_derivative,
};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};

/// Why a loop is beyond the procedures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Beyond {
    /// A term that is not linear in the unknowns.
    Nonlinear(Expr),
    /// The coefficient of an unknown is not a number.
    Coefficient(VarRef, Expr),
    /// A condition that is no comparison, or compares for equality.
    Condition,
    /// Another number of equations than unknowns.
    NotSquare,
    Many(&'static str, usize),
    Singular,
    TooLarge,
    /// The budget of one loop is used up.
    TooLong,
    /// So it is after this number of cases with so many comparisons.
    After(usize, usize),
    /// Values without a fitting valuation were found, but they did not stand the test.
    Unconfirmed,
}

impl Beyond {
    pub(super) fn text(&self, mdae: &MDae) -> String {
        // What is long says nothing.
        const MAX_SHOWN: usize = 100;
        let shown = |expr: &Expr| {
            let text = print(expr, &Text(mdae), Style::Modelica);
            (text.len() <= MAX_SHOWN).then_some(text)
        };
        match self {
            Self::Nonlinear(term) => match shown(term) {
                Some(term) => format!("linear algebra, but `{term}` is not linear in the unknowns"),
                None => "linear algebra, but the equations are not linear in the unknowns".into(),
            },
            Self::Coefficient(unknown, factor) => {
                let unknown = print(&Expr::var_ref(*unknown), &Text(mdae), Style::Modelica);
                match shown(factor) {
                    Some(factor) => format!(
                        "linear algebra, but the coefficient of `{unknown}` depends on `{factor}`, which is known at run time only"
                    ),
                    None => format!(
                        "linear algebra, but the coefficient of `{unknown}` depends on values that are known at run time only"
                    ),
                }
            }
            Self::Condition => "linear algebra, but a condition is no inequality".into(),
            Self::NotSquare => {
                "linear algebra, but the equations of the loop differ from mode to mode".into()
            }
            Self::Many(what, n) => format!("linear algebra, but there are too many {what} ({n})"),
            Self::Singular => {
                "linear algebra, but the equations are singular for some truth values".into()
            }
            Self::TooLarge => "linear algebra, but the numbers became too large".into(),
            Self::TooLong => {
                "linear programmes, but comparing all cases would take too long".into()
            }
            Self::After(cases, comparisons) => format!(
                "linear programmes over {comparisons} comparisons, which would take too long (given up in case {cases})"
            ),
            Self::Unconfirmed => {
                "linear programmes, but the values they gave could not be confirmed".into()
            }
        }
    }
}

impl From<Stop> for Beyond {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Singular => Self::Singular,
            Stop::TooLarge => Self::TooLarge,
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

/// How closely what is computed before the loop is looked at, and what the equations may be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    /// Equations with conditions before the loop give values of which nothing but bounds is known.
    Plain,
    /// They are taken along, and so is what `abs`, `min` and `max` choose of known values.
    Closer,
    /// Coefficients and slopes are what their bounds allow ([`super::slopes`]). This shows nothing but that a solution is the only one.
    Slopes,
}

/// An equation that may depend on conditions.
pub(super) struct Row {
    pub(super) guard: CondId,
    pub(super) residual: Expr,
    /// Where this comparison does not hold, this takes the place of `residual`.
    pub(super) unless: Option<(ModeId, Expr)>,
    /// Places in [`System::atoms`] and [`System::known`].
    pub(super) atoms: Vec<usize>,
    pub(super) known: Vec<usize>,
}

pub(super) struct System<'a> {
    pub(super) analysis: &'a Analysis,
    /// The numbers that were looked at.
    pub(super) trace: &'a Trace,
    pub(super) unknowns: FxIndexMap<VarRef, ()>,
    /// Known terms; number 0 is one.
    pub(super) terms: FxIndexMap<Expr, ()>,
    pub(super) atoms: Vec<Atom>,
    /// Per atom the first one that is the same.
    pub(super) aliases: Vec<Alias>,
    /// Mode variables of the loop that are no comparisons, parts before what is made of them.
    pub(super) derived: Vec<ModeId>,
    pub(super) known: Vec<Known>,
    pub(super) rows: Vec<Row>,
    /// Equations without conditions.
    pub(super) fixed: Vec<Form>,
    /// Known comparisons, by their place in `known`, as forms that are above zero where they hold.
    pub(super) domain: FxHashMap<usize, Form>,
    /// Values that are computed before the loop in ways that are not followed.
    pub(super) opaque: FxHashSet<VarRef>,
    /// Values before the loop that are numbers, such as the resistance at a fixed temperature.
    pub(super) numbers: FxHashMap<VarRef, Rational>,
    /// Equations of single valuations, as they were found.
    forms: FxHashMap<Expr, Form>,
    /// Values before the loop that are written out where they occur.
    pub(super) replaced: FxHashMap<VarRef, Expr>,
    /// Where numbers are tried: what is known has these.
    pub(super) trial: Option<Trial>,
    pub(super) detail: Detail,
    /// Bounds of known terms, as forms that are at least zero.
    bounds: std::cell::RefCell<FxHashMap<usize, std::rc::Rc<[Form]>>>,
    /// Unknowns for what expressions choose.
    pub(super) named: Named,
    /// Equations and comparisons as they were before numbers were put in.
    pub(super) tried: Vec<Expr>,
    pub(super) closed: std::cell::RefCell<FxHashMap<CondId, std::rc::Rc<[CondId]>>>,
}

impl<'a> System<'a> {
    pub(super) fn new(
        analysis: &'a Analysis,
        trace: &'a Trace,
        knot: &Knot,
        trial: Option<Trial>,
        detail: Detail,
    ) -> Result<Self, Beyond> {
        let mut this = System {
            analysis,
            trace,
            unknowns: FxIndexMap::default(),
            terms: FxIndexMap::default(),
            atoms: Vec::new(),
            aliases: Vec::new(),
            derived: Vec::new(),
            known: Vec::new(),
            rows: Vec::new(),
            fixed: Vec::new(),
            domain: FxHashMap::default(),
            opaque: FxHashSet::default(),
            numbers: FxHashMap::default(),
            replaced: FxHashMap::default(),
            forms: FxHashMap::default(),
            trial,
            detail,
            bounds: std::cell::RefCell::default(),
            tried: Vec::new(),
            named: Named::default(),
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
                Node::Row(..) | Node::Choice(_) => {}
            }
        }
        let mut rows: Vec<LoopRow> = this
            .rows_of(knot)
            .into_iter()
            .map(|(row, level)| (Origin::Model(row, level), this.residual(row, level)))
            .collect();
        let mut differences = this.differences(&modes);
        if detail == Detail::Slopes {
            for (_, residual) in &mut rows {
                *residual = this.with_slopes(residual, &modes);
            }
            modes = this.needed(&rows, &modes);
            differences.retain(|(id, _)| modes.contains(id));
        }
        this.name_choices(&mut rows, &mut differences);
        let compared = modes
            .iter()
            .flat_map(|&id| crate::fixpoint::reads(analysis, id))
            .collect();
        let mut rows = this.select(rows, &compared);
        let compared = differences.iter().map(|(_, difference)| difference);
        let readers = rows.iter().map(|(_, residual)| residual).chain(compared);
        let readers: Vec<Expr> = readers.cloned().collect();
        rows.extend(this.follow(readers));
        this.order_conditions(&modes)?;
        for (origin, residual) in rows {
            this.add_row(origin, residual)?;
        }
        for (id, difference) in differences {
            this.add_atom(id, &difference)?;
        }
        this.add_inner_atoms()?;
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
        let component = |row: usize| match &self.analysis.structure {
            Structure::All(all) => all.1.component_of_equation[row],
            _ => 0,
        };
        let components: FxHashSet<usize> = rows.keys().map(|&(row, _)| component(row)).collect();
        let mut orders: FxHashMap<VarId, Vec<i32>> = FxHashMap::default();
        for unknown in self.unknowns.keys() {
            orders
                .entry(unknown.var)
                .or_default()
                .push(unknown.order as i32);
        }
        for (x, writer) in self.analysis.writers().of(orders.keys().copied()) {
            if !components.contains(&(writer.component as usize)) {
                continue;
            }
            let of = orders[&x].iter().filter(|&&order| order >= writer.sigma);
            for order in of {
                rows.insert((writer.row, order - writer.sigma), ());
            }
        }
        rows.into_keys().collect()
    }

    /// The conditions on which some rows depend.
    fn needed(&self, rows: &[LoopRow], modes: &[ModeId]) -> Vec<ModeId> {
        let mdae = &self.analysis.mdae;
        let mut open: Vec<CondId> = Vec::new();
        for (origin, residual) in rows {
            if let Origin::Model(row, _) = origin {
                open.push(mdae.equations[self.analysis.rows.equations[*row]].guard);
            }
            open.extend(conditions_in(residual));
        }
        let mut found: FxHashSet<ModeId> = FxHashSet::default();
        while let Some(condition) = open.pop() {
            for mode in mdae.conds.support([condition]) {
                if found.insert(mode) {
                    open.extend(self.conditions_of(mode));
                }
            }
        }
        let modes = modes.iter().copied();
        modes.filter(|mode| found.contains(mode)).collect()
    }

    pub(super) fn residual(&self, row: usize, level: i32) -> Expr {
        let mdae = &self.analysis.mdae;
        let id = self.analysis.rows.equations[row];
        self.trace.equation(id);
        let mut residual = mdae.equations[id].residual();
        for _ in 0..level {
            residual = time_derivative(&residual, &mut |var| {
                let variable = mdae.variable(var);
                variable.discrete || variable.kind == VarKind::Held
            });
        }
        self.with_parameters(&residual)
    }

    /// Numbers in the place of parameters; one without a number is what it is bound to.
    pub(super) fn with_parameters(&self, expr: &Expr) -> Expr {
        let mdae = &self.analysis.mdae;
        map_leaves(expr, &mut |kind| match kind {
            Kind::Param(id) => {
                self.trace.parameter(*id);
                let parameter = mdae.parameter(*id);
                if let Some(value) = parameter.value {
                    return Rational::from_decimal(value).map(Expr::constant);
                }
                let looked_up =
                    super::tables::folded(mdae, self.trace, parameter.binding.as_ref()?);
                matches!(looked_up.kind(), Kind::Const(_)).then_some(looked_up)
            }
            _ => None,
        })
    }

    pub(super) fn is_known(&self, read: VarRef) -> bool {
        !self.is_named(read)
            && (read.at == At::Left
                || !self.analysis.mdae.is_unknown(read.var)
                || (read.order as i32) < known_below(self.analysis, read.var))
    }

    /// The affine form of an expression without conditions.
    pub(super) fn form(&mut self, expr: &Expr) -> Result<Form, Beyond> {
        if self.trial.is_some() {
            self.tried.push(expr.clone());
        }
        let expr = super::tables::folded(&self.analysis.mdae, self.trace, &self.with_numbers(expr));
        let unknowns = &self.unknowns;
        let polynomial = polynomial(&expr)?;
        let parts = affine(&polynomial, &|read| unknowns.contains_key(&read));
        let parts = parts.map_err(|why| match why {
            Beyond::Nonlinear(term) => Beyond::Nonlinear(self.as_written(&term)),
            Beyond::Coefficient(read, factor) if self.is_named(read) => {
                let factors = [factor, Expr::var_ref(read)];
                Beyond::Nonlinear(self.as_written(&Expr::product(factors)))
            }
            other => other,
        })?;
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

    fn add_row(&mut self, origin: Origin, residual: Expr) -> Result<(), Beyond> {
        let mdae = &self.analysis.mdae;
        let (guard, always) = match origin {
            Origin::Model(row, _) => {
                let id = self.analysis.rows.equations[row];
                let conditions = conditions(mdae, id);
                let always = conditions.iter().all(|&id| id == Conds::TRUE);
                (mdae.equations[id].guard, always)
            }
            Origin::Compared => (Conds::TRUE, !has_condition(&residual)),
            Origin::Then(_) => (Conds::TRUE, false),
            Origin::Otherwise(number) => {
                let own = Some(self.inner_mode(number));
                let is_own = |row: &&mut Row| row.unless.as_ref().map(|it| it.0) == own;
                if let Some(row) = self.rows.iter_mut().find(is_own) {
                    row.unless = own.map(|own| (own, residual));
                }
                return Ok(());
            }
        };
        if always {
            let form = self.form(&residual)?;
            self.fixed.push(form);
        } else {
            let unless = match origin {
                Origin::Then(number) => Some((self.inner_mode(number), Expr::zero())),
                _ => None,
            };
            self.rows.push(Row {
                guard,
                residual,
                unless,
                atoms: Vec::new(),
                known: Vec::new(),
            });
        }
        Ok(())
    }

    /// What the comparisons of a loop compare with zero.
    fn differences(&self, modes: &[ModeId]) -> Vec<(ModeId, Expr)> {
        let mdae = &self.analysis.mdae;
        let difference = |&id: &ModeId| match &mdae.modes[id].def {
            ModeDef::Predicate(predicate) => {
                let difference = predicate.lhs.sub(&predicate.rhs);
                Some((id, self.with_parameters(&difference)))
            }
            _ => None,
        };
        modes.iter().filter_map(difference).collect()
    }

    fn add_atom(&mut self, id: ModeId, difference: &Expr) -> Result<(), Beyond> {
        let ModeDef::Predicate(predicate) = &self.analysis.mdae.modes[id].def else {
            return Ok(());
        };
        let (form, strict) = self.comparison(predicate.op, difference)?;
        self.atoms.push(Atom {
            mode: id,
            form,
            strict,
        });
        Ok(())
    }

    /// After those of the model, so that of equal ones that of the model counts.
    fn add_inner_atoms(&mut self) -> Result<(), Beyond> {
        for number in 0..self.named.comparisons.len() {
            let inner = &self.named.comparisons[number];
            let (compared, strict) = (Expr::var_ref(inner.compared), inner.strict);
            let form = self.form(&compared)?;
            self.atoms.push(Atom {
                mode: self.inner_mode(number),
                form,
                strict,
            });
        }
        Ok(())
    }

    /// `difference op 0` as a form that is above zero, and whether strictly.
    fn comparison(&mut self, op: RelOp, difference: &Expr) -> Result<(Form, bool), Beyond> {
        if has_condition(difference) {
            return Err(Beyond::Condition);
        }
        let difference = self.with_parameters(difference);
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
            let otherwise = row.unless.iter().map(|(_, otherwise)| otherwise);
            for residual in otherwise.chain([&row.residual]) {
                all.extend(conditions_in(residual));
            }
            (row.atoms, row.known) = support(all, &parts, &mut known);
            if let Some((mode, _)) = &row.unless {
                row.atoms.extend(atom_of.get(mode));
            }
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
        let own = &self.rows[row];
        let residual = match &own.unless {
            Some((mode, otherwise)) => match values.get(mode) {
                Some(true) => own.residual.clone(),
                Some(false) => otherwise.clone(),
                None => return Err(Beyond::Condition),
            },
            None => own.residual.clone(),
        };
        let resolved = resolve(&residual, &mut |id| self.holds(id, values));
        // Many valuations leave the same equation.
        if let Some(known) = self.forms.get(&resolved) {
            return Ok(Some(known.clone()));
        }
        let form = self.form(&resolved)?;
        self.forms.insert(resolved, form.clone());
        Ok(Some(form))
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
                self.trace.parameter(*id);
                let parameter = self.analysis.mdae.parameter(*id);
                parameter.free || parameter.binding.is_none()
            }
            _ => false,
        }
    }

    /// What bounds say about a known term ([`super::range`]). One that is a single number says nothing that could be used.
    pub(super) fn bounds(&self, term: usize) -> std::rc::Rc<[Form]> {
        if let Some(known) = self.bounds.borrow().get(&term) {
            return known.clone();
        }
        let range = match self.terms.get_index(term) {
            Some((expr, ())) if term > 0 => Bounds::of(self, expr),
            _ => Range::default(),
        };
        let mut found: Vec<Form> = Vec::new();
        if range.lo.is_none() || range.lo != range.hi {
            for (end, sign) in [(range.lo, 1), (range.hi, -1)] {
                let Some(end) = end else { continue };
                let sign = Rational::int(sign);
                let mut form = Form::default();
                form.known.insert(term, sign.clone());
                super::form::add(&mut form.known, &Sparse::from([(0, end)]), &-&sign);
                found.push(form);
            }
        }
        let found: std::rc::Rc<[Form]> = found.into();
        self.bounds.borrow_mut().insert(term, found.clone());
        found
    }

    /// Whether all that is known can be given: nothing is computed before the loop in ways that are not followed.
    pub(super) fn is_closed(&self) -> bool {
        self.opaque.is_empty()
    }

    pub(super) fn term_name(&self, term: usize) -> String {
        match self.terms.get_index(term) {
            Some((expr, ())) => print(expr, &Text(&self.analysis.mdae), Style::Modelica),
            None => String::new(),
        }
    }
}

/// The conditions inside an expression.
fn conditions_in(expr: &Expr) -> Vec<CondId> {
    let mut found = Vec::new();
    crate::sym::for_each_node(expr, &mut |node| {
        if let Kind::If(condition, ..) | Kind::Cond(condition) = node.kind() {
            found.push(*condition);
        }
        true
    });
    found
}
