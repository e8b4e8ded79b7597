//! Which events there are: every mode variable that can flip by itself, out of every long mode.
//!
//! The modes of a model are combinations. While they are few they are all visited. Otherwise mode variables
//! are put into groups that have nothing to do with each other: no equation, no variable, no definition
//! and no assertion connects them. A change in one group is the same whatever the others are, so that the
//! groups are visited one after the other.

use crate::change::Role;
use crate::events::{Event, is_long};
use crate::explore::{Group, Options, initial_mode};
use crate::left_limits::Given;
use crate::modes::{Mode, Modes};
use modeshift_base::{FxHashMap, FxIndexSet};
use modeshift_mdae::cond::{Conds, Formula};
use modeshift_mdae::model::{FamilyId, MDae, ModeDef, ModeId, Reads};
use modeshift_mdae::sym::{CondId, Expr, variables};

/// More modes than this are not enumerated unless the options say so.
const MAX_MODES: usize = 4096;

/// Of a group with more modes than that, as many are visited as have this number of changes together.
const SAMPLED_CHANGES: usize = 1000;

type Flips = Vec<(ModeId, bool)>;

/// The events of a model.
pub(crate) struct Events {
    /// With the mode variables that flip by themselves.
    pub list: Vec<(Event, Vec<ModeId>)>,
    pub truncated: bool,
    /// Empty where all modes were visited.
    pub groups: Vec<Group>,
}

/// The events that were asked for. O(modes · mode variables · conditions), where modes of independent
/// groups are added, not multiplied, once there are too many.
pub(crate) fn events(modes: &mut Modes<'_>, options: &Options) -> Events {
    let mdae = modes.mdae;
    let limit = match options.max_modes {
        0 => MAX_MODES,
        some => some,
    };
    let all: Vec<ModeId> = mdae.modes.ids().collect();
    let open = vec![None; all.len()];
    let mut longs = long_modes(mdae, &open, &all, &options.from, limit + 1);
    let mut found = Events {
        list: Vec::new(),
        truncated: false,
        groups: Vec::new(),
    };
    if longs.len() > limit {
        longs.clear();
        by_groups(modes, options, limit, &mut found);
    }
    longs.retain(|mode| modes.can_last(mode));
    for from in &longs {
        out_of(modes, from, &all, options, &mut found.list);
    }
    if found.list.is_empty() && options.selected {
        found.truncated = false;
        if longs.is_empty() {
            longs = vec![initial_mode(mdae, &options.from, &Given::default())];
        }
        found.list = direct_events(modes, &longs, &options.to);
    }
    found
}

/// Visits the modes of each group, with the other groups as they are at the start.
fn by_groups(modes: &mut Modes<'_>, options: &Options, limit: usize, found: &mut Events) {
    let mdae = modes.mdae;
    let base = initial_mode(mdae, &options.from, &Given::default());
    for members in groups(modes) {
        let mut known: Vec<Option<bool>> = base.iter().map(|value| Some(*value)).collect();
        for id in &members {
            known[id.index()] = None;
        }
        let mut longs = long_modes(mdae, &known, &members, &options.from, limit + 1);
        if longs.len() > limit {
            // Too many to list: those that a run from the start comes to first stand for them.
            found.truncated = true;
            let most = SAMPLED_CHANGES / members.len().max(1);
            longs = nearest(modes, &base, &members, &options.from, most.clamp(1, limit));
        }
        longs.retain(|mode| modes.can_last(mode));
        for from in &longs {
            out_of(modes, from, &members, options, &mut found.list);
        }
        found.groups.push(Group {
            members,
            modes: longs,
        });
    }
}

/// The first `most` modes that changes of `members` lead to, from `start` on, nearest first. Only modes that satisfy the constraints
/// are told. O(modes · members · conditions).
fn nearest(
    modes: &mut Modes<'_>,
    start: &Mode,
    members: &[ModeId],
    constraints: &[(CondId, bool)],
    most: usize,
) -> Vec<Mode> {
    let mdae = modes.mdae;
    let mut seen: FxIndexSet<Mode> = FxIndexSet::default();
    seen.insert(start.clone());
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(mode) = seen.get_index(next).cloned() {
        next += 1;
        let truth = mdae.conds.evaluate(&mode);
        if constraints
            .iter()
            .all(|&(id, value)| truth[id.0 as usize] == value)
        {
            found.push(mode.clone());
        }
        if found.len() >= most || next > 4 * most {
            break;
        }
        // More than are wanted need not be remembered.
        if seen.len() > 4 * most {
            continue;
        }
        for flips in single_flips(mdae, &mode, members) {
            let Some(event) = modes.follow(&mode, &flips) else {
                continue;
            };
            if !seen.contains(&event.settled)
                && is_long(mdae, &event.settled)
                && modes.can_last(&event.settled)
            {
                seen.insert(event.settled);
            }
        }
    }
    found
}

/// How many changes lead out of a mode, at most.
pub(crate) fn changes_per_mode(mdae: &MDae) -> u64 {
    let changing = mdae.modes.iter().filter(|variable| !variable.constant);
    let each = changing.map(|variable| match variable.def {
        ModeDef::Input | ModeDef::Predicate(_) | ModeDef::Opaque(_) | ModeDef::Pulse(_) => 1,
        // One of the values holds, and changes to one of the others.
        ModeDef::Choice(_) if variable.reads == Reads::Input => 1,
        ModeDef::Choice(_) | ModeDef::Held | ModeDef::Left(_) | ModeDef::Formula(_) => 0,
    });
    each.sum()
}

/// The events out of one mode in which one of `members` flips.
fn out_of(
    modes: &Modes<'_>,
    from: &Mode,
    members: &[ModeId],
    options: &Options,
    list: &mut Vec<(Event, Vec<ModeId>)>,
) {
    for flips in single_flips(modes.mdae, from, members) {
        let Some(event) = modes.follow(from, &flips) else {
            continue;
        };
        if reaches(modes.mdae, &event, &options.to) {
            list.push((event, flips.into_iter().map(|(id, _)| id).collect()));
        }
    }
}

/// Several mode variables change at once because the user said so.
fn direct_events(
    modes: &Modes<'_>,
    longs: &[Mode],
    to: &[(CondId, bool)],
) -> Vec<(Event, Vec<ModeId>)> {
    let mdae = modes.mdae;
    let mut flips = Vec::new();
    for (id, _) in mdae.modes.iter_enumerated() {
        for &(condition, value) in to {
            if mdae.conds.formula(condition) == &Formula::Mode(id) {
                flips.push((id, value));
            }
        }
    }
    let follow = |from: &Mode| {
        let event = modes.follow(from, &flips)?;
        reaches(mdae, &event, to)
            .then(|| (event, flips.iter().map(|(id, _)| *id).collect::<Vec<_>>()))
    };
    longs.iter().filter_map(follow).collect()
}

fn reaches(mdae: &MDae, event: &Event, to: &[(CondId, bool)]) -> bool {
    let meets = |mode: &Mode| {
        let truth = mdae.conds.evaluate(mode);
        to.iter()
            .all(|&(condition, value)| truth[condition.0 as usize] == value)
    };
    to.is_empty() || meets(&event.settled) || meets(&event.instant)
}

/// The ways one mode variable can change by itself. Held variables and formulas only follow others.
fn single_flips(mdae: &MDae, from: &Mode, members: &[ModeId]) -> Vec<Flips> {
    let mut list = Vec::new();
    for &id in members {
        let variable = &mdae.modes[id];
        let value = from[id.index()];
        match variable.def {
            _ if variable.constant => {}
            ModeDef::Input | ModeDef::Predicate(_) | ModeDef::Opaque(_) => {
                list.push(vec![(id, !value)]);
            }
            ModeDef::Pulse(_) => list.push(vec![(id, true)]),
            ModeDef::Choice(family) if variable.reads == Reads::Input && value => {
                list.extend(choices(mdae, family, id));
            }
            ModeDef::Choice(_) | ModeDef::Held | ModeDef::Left(_) | ModeDef::Formula(_) => {}
        }
    }
    list
}

/// From one value of an enumeration to each other.
fn choices(mdae: &MDae, family: FamilyId, from: ModeId) -> Vec<Flips> {
    mdae.modes
        .iter_enumerated()
        .filter(|(id, m)| *id != from && m.def == ModeDef::Choice(family))
        .map(|(id, _)| vec![(from, false), (id, true)])
        .collect()
}

/// The first `limit` long modes that satisfy the constraints, `false` before `true`: `open` variables run
/// through their values, all others are as `known` says. Depth first without recursion; gives up after
/// a number of nodes proportional to the limit and the depth.
pub(crate) fn long_modes(
    mdae: &MDae,
    known: &[Option<bool>],
    open: &[ModeId],
    constraints: &[(CondId, bool)],
    limit: usize,
) -> Vec<Mode> {
    let mut known = known.to_vec();
    let facts = Facts::new(mdae, open, constraints);
    let mut found = Vec::new();
    let most = 64 * limit.max(64) + 2 * open.len();
    let mut nodes = 0;
    let mut depth: usize = 0;
    loop {
        nodes += 1;
        if found.len() >= limit || nodes > most {
            return found;
        }
        // What held before one more variable was given a value can be violated by that variable alone.
        let possible = match depth.checked_sub(1) {
            Some(last) => facts.allow(&known, &facts.about[last]),
            None => facts.allow(&known, &facts.all),
        };
        if possible && depth == open.len() {
            let mode: Mode = known.iter().map(|value| value.unwrap_or(false)).collect();
            if is_long(mdae, &mode) {
                found.push(mode);
            }
        }
        if possible && depth < open.len() {
            known[open[depth].index()] = Some(false);
            depth += 1;
            continue;
        }
        // Back to the last variable that was false.
        loop {
            let Some(last) = depth.checked_sub(1) else {
                return found;
            };
            let value = &mut known[open[last].index()];
            if *value == Some(false) {
                *value = Some(true);
                break;
            }
            *value = None;
            depth = last;
        }
    }
}

/// A condition that has to have a value, with what it is made of.
struct Fact {
    condition: CondId,
    value: bool,
    closed: Vec<CondId>,
}

/// The care set and the constraints, by the variables that they speak about.
struct Facts<'m> {
    conds: &'m Conds,
    list: Vec<Fact>,
    all: Vec<usize>,
    /// Per open variable.
    about: Vec<Vec<usize>>,
}

impl<'m> Facts<'m> {
    fn new(mdae: &'m MDae, open: &[ModeId], constraints: &[(CondId, bool)]) -> Self {
        let conds = &mdae.conds;
        let care = mdae.care.iter().map(|fact| (fact.condition, true));
        let wanted = care.chain(constraints.iter().copied());
        let list: Vec<Fact> = wanted
            .map(|(condition, value)| Fact {
                condition,
                value,
                closed: conds.closed([condition]),
            })
            .collect();
        let place: FxHashMap<ModeId, usize> = (0..).zip(open).map(|(at, id)| (*id, at)).collect();
        let mut about = vec![Vec::new(); open.len()];
        for (number, fact) in list.iter().enumerate() {
            for id in conds.support([fact.condition]) {
                if let Some(&at) = place.get(&id) {
                    about[at].push(number);
                }
            }
        }
        Self {
            conds,
            all: (0..list.len()).collect(),
            list,
            about,
        }
    }

    /// Whether none of these facts is violated yet.
    fn allow(&self, known: &[Option<bool>], which: &[usize]) -> bool {
        which.iter().all(|&number| {
            let fact = &self.list[number];
            let of = |id: ModeId| known.get(id.index()).copied().flatten();
            let truth = self.conds.evaluate_some(&fact.closed, of);
            truth.get(&fact.condition) != Some(&!fact.value)
        })
    }
}

/// Mode variables by what they have to do with each other: through equations, the variables that
/// conditions read, definitions, `when` equations and assertions. Almost linear in the model.
pub(crate) fn groups(modes: &Modes<'_>) -> Vec<Vec<ModeId>> {
    let mdae = modes.mdae;
    let n_modes = mdae.modes.len();
    let mut sets = Sets::new(n_modes + mdae.variables.len());
    let fixed = modes.always_fixed();
    let moving = |expr: &Expr| -> Vec<usize> {
        let occurring = variables(expr).into_iter().map(|o| o.var);
        occurring
            .filter(|var| modes.roles[var.0 as usize] != Role::Known && !fixed.contains(var))
            .map(|var| n_modes + var.0 as usize)
            .collect()
    };
    let deciding = |ids: Vec<CondId>| -> Vec<usize> {
        let support = mdae.conds.support(ids);
        support.into_iter().map(ModeId::index).collect()
    };
    for (id, equation) in mdae.equations.iter_enumerated() {
        if modes.elimination.is_dropped(id) {
            continue;
        }
        let residual = modes.elimination.residual(id, equation);
        let mut conditions = crate::modes::conditions(&residual).into_vec();
        conditions.push(equation.guard);
        if let Some(firing) = equation.kind.firing() {
            conditions.extend(firing.unless.iter().copied());
        }
        sets.join(moving(&residual).into_iter().chain(deciding(conditions)));
    }
    for (id, variable) in mdae.modes.iter_enumerated() {
        let others = match &variable.def {
            ModeDef::Input | ModeDef::Pulse(_) | ModeDef::Held => Vec::new(),
            ModeDef::Left(condition) | ModeDef::Formula(condition) => deciding(vec![*condition]),
            ModeDef::Predicate(predicate) => {
                let both = predicate.lhs.sub(&predicate.rhs);
                moving(&modes.elimination.apply(&both))
            }
            ModeDef::Choice(family) => {
                let same = mdae.modes.iter_enumerated();
                same.filter(|(_, m)| m.def == ModeDef::Choice(*family))
                    .map(|(id, _)| id.index())
                    .collect()
            }
            ModeDef::Opaque(expr) => {
                let mut list = deciding(crate::modes::conditions(expr).into_vec());
                list.extend(moving(&modes.elimination.apply(expr)));
                list
            }
        };
        sets.join(others.into_iter().chain([id.index()]));
    }
    for update in &mdae.updates {
        let mut conditions = vec![update.guard, update.value];
        conditions.extend(update.firing.unless.iter().copied());
        let others = deciding(conditions);
        sets.join(others.into_iter().chain([update.mode.index()]));
    }
    for fact in &mdae.care {
        sets.join(deciding(vec![fact.condition]).into_iter());
    }
    let mut by_root: std::collections::BTreeMap<usize, Vec<ModeId>> =
        std::collections::BTreeMap::new();
    for id in mdae.modes.ids() {
        by_root.entry(sets.find(id.index())).or_default().push(id);
    }
    by_root.into_values().collect()
}

/// Disjoint sets; the smallest member stands for its set.
struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn new(n: usize) -> Self {
        Self {
            parent: (0..n).collect(),
        }
    }

    fn find(&mut self, of: usize) -> usize {
        let mut root = of;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        let mut current = of;
        while current != root {
            current = std::mem::replace(&mut self.parent[current], root);
        }
        root
    }

    fn join(&mut self, members: impl Iterator<Item = usize>) {
        let mut root = None;
        for member in members {
            let other = self.find(member);
            let first = *root.get_or_insert(other);
            let (low, high) = (first.min(other), first.max(other));
            self.parent[high] = low;
            root = Some(low);
        }
    }
}
