//! A loop for given values of the known conditions: a piecewise affine system over its comparisons.

use super::form::{Form, Solved, Stop};
use super::system::{Beyond, System};
use modeshift_base::FxHashMap;

/// Comparisons that one equation may depend on.
const MAX_LOCAL: usize = 8;

/// An equation whose form depends on some comparisons: `forms[s]` where those in `s` hold, bit by bit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Piecewise {
    pub(super) atoms: Vec<usize>,
    /// `None` where the equation is switched off.
    pub(super) forms: Vec<Option<Form>>,
}

impl Piecewise {
    /// The number of the form where the comparisons in the bits of `valuation` hold.
    pub(super) fn local(&self, valuation: &[bool]) -> usize {
        self.atoms
            .iter()
            .enumerate()
            .map(|(bit, &atom)| usize::from(valuation[atom]) << bit)
            .sum()
    }
}

/// What is decided, without names: equal for equal components.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Case {
    /// How many unknowns are left after the equations without conditions are used.
    pub(super) n: usize,
    pub(super) rows: Vec<Piecewise>,
    /// Above zero where the comparison holds, and whether strictly.
    pub(super) atoms: Vec<(Form, bool)>,
    /// Forms of known terms that are at least zero.
    pub(super) domain: Vec<Form>,
    /// Valuations (as bits) that can happen; `None` if there are too many to list.
    pub(super) allowed: Option<Vec<bool>>,
    /// A valuation that can happen.
    pub(super) usual: Vec<bool>,
}

impl Case {
    /// The loop where the known conditions have the values `known`.
    pub(super) fn new(
        system: &mut System<'_>,
        before: &Solved,
        known: &[bool],
        allowed: Option<Vec<bool>>,
        usual: Vec<bool>,
    ) -> Result<Self, Beyond> {
        let mut rows: Vec<Piecewise> = Vec::new();
        for row in 0..system.rows.len() {
            let atoms = system.rows[row].atoms.clone();
            if atoms.len() > MAX_LOCAL {
                return Err(Beyond::Many("conditions in one equation", atoms.len()));
            }
            let mut forms = Vec::with_capacity(1 << atoms.len());
            for bits in 0..1usize << atoms.len() {
                let of = |atom: usize| {
                    let bit = atoms.iter().position(|&own| own == atom)?;
                    Some(bits >> bit & 1 == 1)
                };
                let values = system.truth(&of, &|at| known.get(at).copied());
                let form = system.row_form(row, &values)?;
                forms.push(form.map(|form| before.apply(&form)));
            }
            let own = Piecewise { atoms, forms };
            // Equations that exclude each other are one.
            match rows.iter_mut().find(|other| excludes(other, &own)) {
                Some(other) => {
                    for (into, form) in other.forms.iter_mut().zip(own.forms) {
                        if into.is_none() {
                            *into = form;
                        }
                    }
                }
                None => rows.push(own),
            }
        }
        rows.retain(|row| row.forms.iter().any(Option::is_some));
        let atoms = system
            .atoms
            .iter()
            .map(|atom| (before.apply(&atom.form), atom.strict))
            .collect();
        let mut domain = Vec::new();
        let mut places: Vec<usize> = system.domain.keys().copied().collect();
        places.sort_unstable();
        for at in places {
            let form = before.apply(&system.domain[&at]);
            if form.unknown.is_empty() {
                let sign = if known[at] { 1 } else { -1 };
                domain.push(Form::default().plus(&form, &sign.into()));
            }
        }
        Ok(Self {
            n: system.unknowns.len() - before.len(),
            rows,
            atoms,
            domain,
            allowed,
            usual,
        })
    }

    /// The active equations of a valuation.
    pub(super) fn equations(&self, valuation: &[bool]) -> Vec<Form> {
        self.rows
            .iter()
            .filter_map(|row| row.forms[row.local(valuation)].clone())
            .collect()
    }

    /// The comparisons of a valuation as forms of known terms.
    pub(super) fn comparisons(&self, valuation: &[bool]) -> Result<Vec<Form>, Beyond> {
        let equations = self.equations(valuation);
        if equations.len() != self.n {
            return Err(Beyond::NotSquare);
        }
        let solved = Solved::new(equations).map_err(|stop| match stop {
            Stop::Singular => Beyond::Singular,
            Stop::TooLarge => Beyond::TooLarge,
        })?;
        if solved.len() != self.n {
            return Err(Beyond::Singular);
        }
        let forms: Vec<Form> = self
            .atoms
            .iter()
            .map(|(form, _)| solved.apply(form))
            .collect();
        match forms.iter().all(|form| form.unknown.is_empty()) {
            true => Ok(forms),
            false => Err(Beyond::Singular),
        }
    }

    /// The same with its terms numbered anew, for equal components elsewhere: terms in the order of their occurrence.
    pub(super) fn renumbered(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = vec![0];
        let mut place: FxHashMap<usize, usize> = FxHashMap::from_iter([(0, 0)]);
        let rows = self
            .rows
            .iter_mut()
            .flat_map(|row| row.forms.iter_mut().flatten());
        let atoms = self.atoms.iter_mut().map(|(form, _)| form);
        for form in rows.chain(atoms).chain(self.domain.iter_mut()) {
            let known = std::mem::take(&mut form.known);
            for (term, factor) in known {
                let at = *place.entry(term).or_insert_with(|| {
                    order.push(term);
                    order.len() - 1
                });
                form.known.insert(at, factor);
            }
        }
        order
    }
}

/// Whether two equations depend on the same comparisons and are never active together.
fn excludes(a: &Piecewise, b: &Piecewise) -> bool {
    a.atoms == b.atoms
        && a.forms
            .iter()
            .zip(&b.forms)
            .all(|(a, b)| a.is_none() || b.is_none())
}
