//! Comparisons that are the same: `sa > tau0` and `sa > peak*tau0` with `peak = 1`, or `s < 0` and `not s >= 0`.
//!
//! They flip together, so they are one comparison. Taken apart they would double the valuations, and a loop in which nothing jumps would
//! look as if it jumped where only one of them flips.

use super::form::{Form, Solved};
use super::system::System;
use crate::sym::Rational;
use modeshift_base::FxHashMap;

/// The comparison that another one is, and whether it is the opposite of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    pub(super) atom: usize,
    pub(super) negated: bool,
}

impl System<'_> {
    /// Finds equal comparisons, given what is computed before the loop. Linear in their forms.
    pub(super) fn merge_atoms(&mut self, before: &Solved) {
        let mut first: FxHashMap<(Form, bool), usize> = FxHashMap::default();
        for (at, atom) in self.atoms.iter().enumerate() {
            let (form, negative) = scaled(before.apply(&atom.form));
            // -f > 0 is the opposite of f >= 0.
            let strict = atom.strict != negative;
            let same = *first.entry((form, strict)).or_insert(at);
            let opposite = self.aliases.get(same).is_some_and(|old| old.negated);
            self.aliases.push(Alias {
                atom: same,
                negated: if same == at {
                    negative
                } else {
                    negative != opposite
                },
            });
        }
        for (at, alias) in self.aliases.iter_mut().enumerate() {
            if alias.atom == at {
                alias.negated = false;
            }
        }
        for row in &mut self.rows {
            for atom in &mut row.atoms {
                *atom = self.aliases[*atom].atom;
            }
            row.atoms.sort_unstable();
            row.atoms.dedup();
        }
    }

    pub(super) fn alias(&self, atom: usize) -> Alias {
        let itself = Alias {
            atom,
            negated: false,
        };
        self.aliases.get(atom).copied().unwrap_or(itself)
    }
}

/// A form with the first coefficient one, and whether its sign had to be turned for that.
fn scaled(form: Form) -> (Form, bool) {
    let leading = form.unknown.values().chain(form.known.values()).next();
    let Some(leading) = leading.cloned() else {
        return (form, false);
    };
    match leading.recip() {
        Some(scale) => (Form::default().plus(&form, &scale), leading.is_negative()),
        None => (form, Rational::is_negative(&leading)),
    }
}
