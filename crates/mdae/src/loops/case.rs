//! A loop for given values of the known conditions: a piecewise affine system over its comparisons.

use super::behaviour::Behaviour;
use super::form::{Form, Solved};
use super::regions::MAX_ATOMS;
use super::system::{Beyond, System};
use modeshift_base::{FxHashMap, FxHashSet};

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

    /// The same without the comparisons that change nothing.
    pub(super) fn reduced(mut self) -> Self {
        let mut bit = 0;
        while bit < self.atoms.len() {
            let with = 1 << bit;
            let idle = (0..self.forms.len())
                .filter(|local| local & with == 0)
                .all(|local| self.forms[local] == self.forms[local | with]);
            if idle {
                self.atoms.remove(bit);
                let mut local = 0;
                self.forms.retain(|_| {
                    local += 1;
                    (local - 1) & with == 0
                });
            } else {
                bit += 1;
            }
        }
        self
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
    /// Which of them are conditions of the model: the value of these is remembered.
    pub(super) named: Vec<bool>,
    /// Forms of known terms that are at least zero.
    pub(super) domain: Vec<Form>,
    /// The same by what is declared about single terms.
    pub(super) bounds: Vec<Form>,
    /// Valuations (as bits) that can happen; `None` if there are too many to list.
    pub(super) allowed: Option<Vec<bool>>,
    /// A valuation that can happen.
    pub(super) usual: Vec<bool>,
}

impl Case {
    /// The loop where each group behaves as given.
    pub(super) fn new(system: &System<'_>, before: &Solved, groups: &[&Behaviour]) -> Self {
        let mut atoms: Vec<usize> = groups
            .iter()
            .flat_map(|group| group.atoms.iter().copied())
            .collect();
        atoms.sort_unstable();
        let place = |atom: &usize| atoms.binary_search(atom).unwrap_or(0);
        let mut rows: Vec<Piecewise> = Vec::new();
        let mut domain: Vec<Form> = Vec::new();
        let mut usual = vec![false; atoms.len()];
        for group in groups {
            rows.extend(group.rows.iter().map(|row| Piecewise {
                atoms: row.atoms.iter().map(place).collect(),
                forms: row.forms.clone(),
            }));
            domain.extend(group.domain.iter().cloned());
            for (atom, value) in group.atoms.iter().zip(&group.usual) {
                usual[place(atom)] = *value;
            }
        }
        let forms: Vec<(Form, bool)> = atoms
            .iter()
            .map(|&atom| {
                (
                    before.apply(&system.atoms[atom].form),
                    system.atoms[atom].strict,
                )
            })
            .collect();
        // What is known about terms that do not occur says nothing.
        let mut terms: FxHashSet<usize> = FxHashSet::from_iter([0]);
        let of_rows = rows.iter().flat_map(|row| row.forms.iter().flatten());
        for form in of_rows.chain(forms.iter().map(|(form, _)| form)) {
            terms.extend(form.known.keys());
        }
        domain.retain(|form| {
            form.known
                .keys()
                .any(|term| *term != 0 && terms.contains(term))
        });
        let mut terms: Vec<usize> = terms.into_iter().collect();
        terms.sort_unstable();
        let bounds = terms.into_iter().map(|term| system.bounds(term));
        let bounds: Vec<Form> = bounds.flat_map(|of| of.to_vec()).collect();
        Self {
            n: system.unknowns.len() - before.len(),
            rows,
            atoms: forms,
            named: atoms
                .iter()
                .map(|&atom| !system.is_inner(system.atoms[atom].mode))
                .collect(),
            domain,
            bounds,
            allowed: allowed(&atoms, groups),
            usual,
        }
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
        let solved = Solved::new(equations)?;
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
        let limits = self.domain.iter_mut().chain(&mut self.bounds);
        for form in rows.chain(atoms).chain(limits) {
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

/// The valuations that every group allows, if they can be listed.
fn allowed(atoms: &[usize], groups: &[&Behaviour]) -> Option<Vec<bool>> {
    if atoms.len() > MAX_ATOMS {
        return None;
    }
    let mut allowed = vec![true; 1 << atoms.len()];
    for group in groups {
        let Some(own) = &group.allowed else {
            continue;
        };
        let places: Vec<usize> = group
            .atoms
            .iter()
            .filter_map(|atom| atoms.binary_search(atom).ok())
            .collect();
        for (bits, allowed) in allowed.iter_mut().enumerate() {
            let of = places.iter().enumerate();
            let local: usize = of.map(|(bit, place)| (bits >> place & 1) << bit).sum();
            *allowed &= own[local];
        }
    }
    Some(allowed)
}

/// Of a valuation what a run remembers.
pub(super) fn remembered(named: &[bool], valuation: &[bool]) -> Vec<bool> {
    let all = valuation.iter().zip(named);
    all.filter(|(_, named)| **named)
        .map(|(value, _)| *value)
        .collect()
}

/// Whether two equations depend on the same comparisons and are never active together.
pub(super) fn excludes(a: &Piecewise, b: &Piecewise) -> bool {
    a.atoms == b.atoms
        && a.forms
            .iter()
            .zip(&b.forms)
            .all(|(a, b)| a.is_none() || b.is_none())
}
