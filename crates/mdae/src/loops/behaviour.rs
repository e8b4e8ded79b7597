//! Parts of a loop that depend on known conditions by themselves, and how they can behave.
//!
//! The previous mode of one clutch says nothing about that of another: what is known is enumerated group by group, and valuations
//! after which a group behaves the same count once. The loop has one case for each combination of behaviours.

use super::case::{Piecewise, excludes};
use super::form::{Form, Solved};
use super::regions::MAX_ATOMS;
use super::system::{Beyond, Known, System};
use crate::model::{ModeDef, ModeId};
use crate::space::mode_var;
use crate::sym::Rational;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{BddSet, ModeSets, ModeVar};
use petgraph::unionfind::UnionFind;

/// Comparisons that one equation may depend on.
const MAX_LOCAL: usize = 8;

/// Known conditions of one group.
const MAX_KNOWN: usize = 16;

/// Valuations of the known conditions of one group.
const MAX_VALUATIONS: usize = 600;

/// How a group behaves where its known conditions have some values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Behaviour {
    /// One valuation after which it behaves so: places in [`System::known`].
    pub(super) known: Vec<(usize, bool)>,
    /// Places in [`System::atoms`], ascending: the comparisons that decide.
    pub(super) atoms: Vec<usize>,
    /// Over places in [`System::atoms`].
    pub(super) rows: Vec<Piecewise>,
    /// Forms of known terms that are at least zero.
    pub(super) domain: Vec<Form>,
    /// Valuations of the comparisons that can happen, bit by bit.
    pub(super) allowed: Option<Vec<bool>>,
    /// One of them.
    pub(super) usual: Vec<bool>,
    /// Whether the values before the instant are those of the start.
    pub(super) can_begin: bool,
}

#[derive(Default)]
struct Group {
    known: Vec<usize>,
    atoms: Vec<usize>,
    rows: Vec<usize>,
}

/// The behaviours of each group.
pub(super) fn behaviours(
    system: &mut System<'_>,
    before: &Solved,
    check: &dyn Fn(),
) -> Result<Vec<Vec<Behaviour>>, Beyond> {
    let mut all: Vec<Vec<Behaviour>> = Vec::new();
    for group in groups(system) {
        let mut found = Vec::new();
        for (values, possible) in valuations(system, &group)? {
            check();
            found.extend(behaviour(
                system,
                before,
                &group,
                values,
                possible.as_ref(),
            )?);
        }
        all.push(found);
    }
    // What is known about terms that occur nowhere makes no difference.
    let mut terms: FxHashSet<usize> = FxHashSet::default();
    for atom in &system.atoms {
        terms.extend(before.apply(&atom.form).known.keys());
    }
    for row in all.iter().flatten().flat_map(|one| &one.rows) {
        let forms = row.forms.iter().flatten();
        terms.extend(forms.flat_map(|form| form.known.keys()));
    }
    let different = |mut group: Vec<Behaviour>| {
        let mut found: Vec<Behaviour> = Vec::new();
        for one in &mut group {
            let occurs = |form: &Form| {
                form.known
                    .keys()
                    .any(|term| *term != 0 && terms.contains(term))
            };
            one.domain.retain(occurs);
        }
        for one in group {
            if !found.iter().any(|old| same(old, &one)) {
                found.push(one);
            }
        }
        found
    };
    Ok(all.into_iter().map(different).collect())
}

fn same(a: &Behaviour, b: &Behaviour) -> bool {
    a.can_begin == b.can_begin
        && a.atoms == b.atoms
        && a.rows == b.rows
        && a.domain == b.domain
        && a.allowed == b.allowed
}

/// Rows, comparisons and known conditions that have to do with each other.
fn groups(system: &System<'_>) -> Vec<Group> {
    let (n_atoms, n_known) = (system.atoms.len(), system.known.len());
    let mut classes: UnionFind<usize> = UnionFind::new(n_atoms + n_known + system.rows.len());
    for (row, of) in system.rows.iter().enumerate() {
        for &atom in &of.atoms {
            classes.union(n_atoms + n_known + row, atom);
        }
        for &known in &of.known {
            classes.union(n_atoms + n_known + row, n_atoms + known);
        }
    }
    for atom in 0..n_atoms {
        classes.union(atom, system.alias(atom).atom);
    }
    // What facts tie together stays together.
    let mut first: FxHashMap<ModeVar, usize> = FxHashMap::default();
    let of_model = |mode: ModeId| (!system.is_inner(mode)).then_some(mode);
    let atoms = system.atoms.iter().map(|atom| of_model(atom.mode));
    let known = system.known.iter().map(|known| match known {
        Known::Mode(id) => Some(*id),
        _ => None,
    });
    let sets = &system.analysis.space.sets;
    for (place, mode) in atoms.chain(known).enumerate() {
        let Some(mode) = mode else { continue };
        let Ok(tied) = system.analysis.care.about(sets, &[mode_var(mode)]) else {
            continue;
        };
        for var in sets.support(&tied) {
            let other = *first.entry(var).or_insert(place);
            classes.union(place, other);
        }
    }
    let mut groups: FxHashMap<usize, Group> = FxHashMap::default();
    for atom in 0..n_atoms {
        groups
            .entry(classes.find(atom))
            .or_default()
            .atoms
            .push(atom);
    }
    for known in 0..n_known {
        let class = classes.find(n_atoms + known);
        groups.entry(class).or_default().known.push(known);
    }
    for row in 0..system.rows.len() {
        let class = classes.find(n_atoms + n_known + row);
        groups.entry(class).or_default().rows.push(row);
    }
    // Without an equation it decides nothing.
    let mut groups: Vec<Group> = groups
        .into_values()
        .filter(|group| !group.rows.is_empty())
        .collect();
    groups.sort_by_key(|group| (group.rows.first().copied(), group.atoms.first().copied()));
    groups
}

type Valuations = Vec<(Vec<(usize, bool)>, Option<BddSet>)>;

/// The possible values of the known conditions of a group, each with the modes that have them.
fn valuations(system: &System<'_>, group: &Group) -> Result<Valuations, Beyond> {
    let analysis = system.analysis;
    let sets = &analysis.space.sets;
    if group.known.len() > MAX_KNOWN {
        return Err(Beyond::Many("known conditions", group.known.len()));
    }
    let mut vars: Vec<ModeVar> = Vec::new();
    for &at in &group.known {
        if let Known::Mode(id) = system.known[at] {
            vars.push(mode_var(id));
        }
    }
    vars.extend(
        group
            .atoms
            .iter()
            .map(|&atom| system.atoms[atom].mode)
            .filter(|&mode| !system.is_inner(mode))
            .map(mode_var),
    );
    let possible = analysis.care.about(sets, &vars).ok();
    let mut found: Valuations = vec![(Vec::new(), possible)];
    for &at in &group.known {
        let mut next: Valuations = Vec::with_capacity(found.len() * 2);
        for (values, modes) in found {
            for value in [false, true] {
                let rest = match (system.known[at], &modes) {
                    (Known::Mode(id), Some(modes)) => {
                        let rest = sets.restrict(modes, mode_var(id), value).ok();
                        if rest.as_ref().is_some_and(|rest| sets.is_empty(rest)) {
                            continue;
                        }
                        rest
                    }
                    _ => modes.clone(),
                };
                let mut values = values.clone();
                values.push((at, value));
                next.push((values, rest));
            }
        }
        found = next;
        if found.len() > MAX_VALUATIONS {
            return Err(Beyond::Many("known conditions", group.known.len()));
        }
    }
    Ok(found)
}

/// `None` if no valuation of the comparisons can happen.
fn behaviour(
    system: &mut System<'_>,
    before: &Solved,
    group: &Group,
    known: Vec<(usize, bool)>,
    possible: Option<&BddSet>,
) -> Result<Option<Behaviour>, Beyond> {
    let value = |at: usize| known.iter().find(|(own, _)| *own == at).map(|own| own.1);
    let mut rows: Vec<Piecewise> = Vec::new();
    for &row in &group.rows {
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
            let values = system.truth(&of, &value);
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
    let rows: Vec<Piecewise> = rows.into_iter().map(Piecewise::reduced).collect();
    let mut atoms: Vec<usize> = rows
        .iter()
        .flat_map(|row| row.atoms.iter().copied())
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    let mut domain = Vec::new();
    for &(at, holds) in &known {
        if let Some(form) = system.domain.get(&at) {
            let form = before.apply(form);
            if form.unknown.is_empty() {
                let sign = Rational::int(if holds { 1 } else { -1 });
                domain.push(Form::default().plus(&form, &sign));
            }
        }
    }
    let (allowed, usual) = comparisons(system, &atoms, &value, possible);
    if allowed.as_ref().is_some_and(|all| !all.contains(&true)) {
        return Ok(None);
    }
    Ok(Some(Behaviour {
        can_begin: can_begin(system, &known),
        known,
        atoms,
        rows,
        domain,
        allowed,
        usual,
    }))
}

/// Which valuations of comparisons can happen, if they are few, and one of them.
fn comparisons(
    system: &System<'_>,
    atoms: &[usize],
    known: &dyn Fn(usize) -> Option<bool>,
    possible: Option<&BddSet>,
) -> (Option<Vec<bool>>, Vec<bool>) {
    let sets = &system.analysis.space.sets;
    let picked = possible.and_then(|possible| sets.pick(possible));
    let usual: Vec<bool> = atoms
        .iter()
        .map(|&atom| {
            let mode = system.atoms[atom].mode.index();
            picked.as_ref().and_then(|picked| picked.get(mode)) == Some(&true)
        })
        .collect();
    let (true, Some(possible)) = (atoms.len() <= MAX_ATOMS, possible) else {
        return (None, usual);
    };
    let allowed = (0..1usize << atoms.len()).map(|bits| {
        let of = |atom: usize| {
            let bit = atoms.iter().position(|&own| own == atom)?;
            Some(bits >> bit & 1 == 1)
        };
        let mut rest = possible.clone();
        let truth = system.truth(&of, known).into_iter();
        for (mode, value) in truth.filter(|(mode, _)| !system.is_inner(*mode)) {
            match sets.restrict(&rest, mode_var(mode), value) {
                Ok(smaller) => rest = smaller,
                Err(_) => return true,
            }
        }
        !sets.is_empty(&rest)
    });
    (Some(allowed.collect()), usual)
}

/// Whether the values before the instant are those of the start: other ones may never occur.
fn can_begin(system: &System<'_>, known: &[(usize, bool)]) -> bool {
    let mdae = &system.analysis.mdae;
    known.iter().all(|&(at, value)| match system.known[at] {
        Known::Mode(id) => match mdae.modes[id].def {
            ModeDef::Left(_) | ModeDef::Held | ModeDef::Choice(_) => {
                value == mdae.modes[id].start.unwrap_or(false)
            }
            ModeDef::Predicate(_) | ModeDef::Input => true,
            _ => false,
        },
        Known::Held(id) => value == mdae.modes[id].start.unwrap_or(false),
        Known::Before(_) => !value,
    })
}
