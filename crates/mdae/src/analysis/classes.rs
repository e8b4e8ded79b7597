//! The modes of a model, or of an independent part of it, grouped by structure and described.

use super::{Class, Classes, Kind, LISTED_MODES, Members, Singular, Structured, UNKNOWN_FREEDOM};
use crate::cond::Formula as CondFormula;
use crate::formula::{example, literal, text, when};
use crate::model::{Choice, EquationKind};
use crate::space::mode_var;
use crate::sym::VarId;
use modeshift_structure::{
    self as structure, AllModes, BddSet, BddSets, Component, Formula, GuardedProblem, Indices,
    ModeSets, ModeVar, NodeLimit, Profile, Sum, Watched, Within, combined_classes, diagnose,
    true_counts,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// How many different reasons for singular modes are told apart in one component.
const MAX_REASONS: usize = 12;

/// More classes than this get no mode set of their own: a chain of a thousand clutches has a thousand and one
/// different degrees of freedom, whose sets take half a million nodes.
const MAX_CLASS_SETS: usize = 64;

/// Characters of a condition that a reader takes in at a glance.
const SHORT_WORDS: usize = 100;

/// Derived Booleans whose names are tried for mode sets.
const MAX_NAMES: usize = 16;

/// Supervised decision diagrams.
type Sets<'a> = Watched<'a, BddSets>;

/// The modes of a component or of all, by structure.
pub(super) struct Grouped {
    pub(super) regular: Regular,
    other: Vec<(BddSet, Kind)>,
}

pub(super) enum Regular {
    Sets(Vec<structure::Class<BddSet>>),
    /// Too many classes for a mode set each.
    Many(Vec<Class>),
}

impl Grouped {
    fn sets(&self) -> &[structure::Class<BddSet>] {
        match &self.regular {
            Regular::Sets(classes) => classes,
            Regular::Many(_) => &[],
        }
    }

    fn iter(&self) -> impl Iterator<Item = (BddSet, Kind)> + '_ {
        let regular = self.sets().iter().filter_map(|class| {
            class
                .indices
                .map(|indices| (class.modes.clone(), Kind::Regular(indices)))
        });
        regular.chain(self.other.iter().cloned())
    }
}

impl Structured {
    pub(super) fn name_derived(&mut self) -> Result<(), NodeLimit> {
        for i in 0..self.mdae.derived.len().min(MAX_NAMES) {
            let set = self.space.set(&self.mdae, self.mdae.derived[i].value)?;
            self.names
                .push((self.mdae.derived[i].name.to_string(), set));
        }
        Ok(())
    }

    /// A set of modes in words. Equations share their mode sets, so each pair is put into words once.
    pub(super) fn words(&self, set: &BddSet, care: &BddSet) -> Result<String, NodeLimit> {
        let key = (set.clone(), care.clone());
        let known = || {
            let known = self.known_words.lock();
            known.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(words) = known().get(&key) {
            return Ok(words.clone());
        }
        let words = self.new_words(set, care)?;
        known().insert(key, words.clone());
        Ok(words)
    }

    /// The name of a Boolean if the set is just that, else a formula.
    fn new_words(&self, set: &BddSet, care: &BddSet) -> Result<String, NodeLimit> {
        let sets = &self.space.sets;
        let inside = sets.and(set, care)?;
        if inside == *care {
            return Ok("true".to_owned());
        }
        for (name, named) in &self.names {
            let named = sets.and(named, care)?;
            if named == inside {
                return Ok(name.clone());
            }
            if sets.diff(care, &named)? == inside {
                return Ok(format!("not {name}"));
            }
        }
        when(&self.mdae, sets, set, &self.with_choices(set, care)?)
    }

    /// Some modes of a class that takes many words, by as few conditions as possible; `None` if its own words are short.
    pub(crate) fn some_of(&self, class: &Class) -> Result<Option<String>, NodeLimit> {
        let Members::Set(set) = &class.members else {
            return Ok(None);
        };
        if class.when.chars().count() <= SHORT_WORDS {
            return Ok(None);
        }
        let sets = &self.space.sets;
        let care = self.with_choices(set, &self.care.over_guards(sets, &self.mdae)?)?;
        if !sets.contains(&care, &class.representative) {
            return Ok(None);
        }
        let value = |var: ModeVar| class.representative.get(var.index()) == Some(&true);
        let words = |var: ModeVar| literal(&self.mdae, var, value(var));
        let mut kept = sets.support(set);
        kept.sort_by_key(|&var| words(var).chars().count());
        // What is not needed to stay within the class is left out, the longest words first.
        for at in (0..kept.len()).rev() {
            let mut cube = care.clone();
            for (_, &var) in kept.iter().enumerate().filter(|(i, _)| *i != at) {
                cube = sets.and(&cube, &sets.literal(var, value(var))?)?;
            }
            if sets.is_subset(&cube, set)? {
                kept.remove(at);
            }
        }
        kept.sort_unstable();
        let words: Vec<String> = kept.into_iter().map(words).collect();
        Ok(Some(words.join(" and ")))
    }

    /// What is possible, with the values of enumerations that exclude each other even where no equation reads all of
    /// them: so that the last branch of a chain is called by its value and not by what it is not.
    fn with_choices(&self, set: &BddSet, care: &BddSet) -> Result<BddSet, NodeLimit> {
        if self.choices.is_empty() {
            return Ok(care.clone());
        }
        let sets = &self.space.sets;
        let mut support = sets.support(set);
        support.extend(sets.support(care));
        let mut care = care.clone();
        for (vars, one_value) in &self.choices {
            if vars.iter().any(|var| support.contains(var)) {
                care = sets.and(&care, one_value)?;
            }
        }
        Ok(care)
    }

    /// Collects the enumerations whose values are mode variables.
    pub(super) fn find_choices(&mut self) -> Result<(), NodeLimit> {
        for family in &self.mdae.families {
            let own = |choice: &Choice| match self.mdae.conds.formula(choice.condition) {
                CondFormula::Mode(id) => Some(mode_var(*id)),
                _ => None,
            };
            let vars: Option<Vec<ModeVar>> = family.values.iter().map(own).collect();
            if let Some(vars) = vars {
                let mut one_value = self.space.sets.empty();
                for &var in &vars {
                    let mut only = self.space.sets.full();
                    for &other in &vars {
                        let literal = self.space.sets.literal(other, other == var)?;
                        only = self.space.sets.and(&literal, &only)?;
                    }
                    one_value = self.space.sets.or(&one_value, &only)?;
                }
                self.choices.push((vars, one_value));
            }
        }
        Ok(())
    }

    /// The modes in which an equation of a `when` can fire, with the unknowns it is about. What a `when` says about other
    /// variables makes no mode momentary.
    pub(super) fn transient_modes(&mut self) -> Result<Vec<(Vec<VarId>, BddSet)>, NodeLimit> {
        let mut found = Vec::new();
        for id in self.mdae.equations.ids() {
            let equation = &self.mdae.equations[id];
            if !matches!(equation.kind, EquationKind::Transient(_)) {
                continue;
            }
            let mut variables: Vec<VarId> = crate::sym::variables(&equation.lhs)
                .into_iter()
                .chain(crate::sym::variables(&equation.rhs))
                .filter(|read| read.at == crate::sym::At::Now && self.mdae.is_unknown(read.var))
                .map(|read| read.var)
                .collect();
            variables.sort_unstable();
            variables.dedup();
            let guard = equation.guard;
            found.push((variables, self.space.set(&self.mdae, guard)?));
        }
        Ok(found)
    }

    /// Where an equation of a `when` fires that is about variables of a component.
    fn firing(
        &self,
        sets: Sets<'_>,
        component: &Component<BddSet>,
        transient: &[(Vec<VarId>, BddSet)],
    ) -> Result<BddSet, NodeLimit> {
        let own = |x: &VarId| {
            let x = structure::VarId(x.0);
            component.variables.binary_search(&x).is_ok()
        };
        let about = transient.iter().filter(|(about, _)| about.iter().any(own));
        sets.union(about.map(|(_, modes)| modes.clone()))
    }

    /// The modes of a component by structure.
    pub(super) fn groups(
        &self,
        problem: &GuardedProblem<BddSet>,
        all: &AllModes<BddSet>,
        component: &Component<BddSet>,
        transient: &[(Vec<VarId>, BddSet)],
        check: &dyn Fn(),
    ) -> Result<Grouped, NodeLimit> {
        if let Some(limit) = component.over_limit {
            return Err(limit);
        }
        let sets = Watched::new(&self.space.sets, check);
        let mut groups = Grouped {
            regular: self.regular_classes(sets, all, component)?,
            other: Vec::new(),
        };
        if sets.is_empty(&component.singular) {
            return Ok(groups);
        }
        let transient = self.firing(sets, component, transient)?;
        let mut others: Vec<ModeVar> = sets.support(&transient);
        others.retain(|var| component.mode_variables.binary_search(var).is_err());
        let firing = sets.exists(&transient, &others)?;
        let momentary = sets.and(&component.singular, &firing)?;
        let lasting = sets.diff(&component.singular, &momentary)?;
        if !sets.is_empty(&momentary) {
            groups.other.push((momentary, Kind::Transient));
        }
        if !sets.is_empty(&lasting) {
            let mut singular = component.clone();
            singular.singular = lasting;
            let found = diagnose(&sets, problem, all, &singular, MAX_REASONS)?;
            for diagnosis in found.diagnoses {
                let reason = self.reason(&diagnosis.over, &diagnosis.under);
                groups.other.push((diagnosis.modes, Kind::Singular(reason)));
            }
            if !sets.is_empty(&found.rest) {
                let unknown = Kind::Singular(Singular::default());
                groups.other.push((found.rest, unknown));
            }
        }
        Ok(groups)
    }

    fn regular_classes(
        &self,
        sets: Sets<'_>,
        all: &AllModes<BddSet>,
        component: &Component<BddSet>,
    ) -> Result<Regular, NodeLimit> {
        let profile = Profile::new(&sets, all, component)?;
        let Ok(freedom) = &profile.freedom else {
            let by_index = profile.by_index.into_iter();
            let unknown = by_index.map(|(index, algebraic, modes)| structure::Class {
                modes,
                indices: Some(Indices {
                    index,
                    algebraic,
                    degrees_of_freedom: UNKNOWN_FREEDOM,
                }),
            });
            return Ok(Regular::Sets(unknown.collect()));
        };
        let vars = &component.mode_variables;
        let (least, most) = freedom.range();
        let at_most = (most - least + 1).saturating_mul(profile.by_index.len() as i64);
        if at_most > MAX_CLASS_SETS as i64 {
            let many = self.many_classes(sets, &profile.by_index, freedom, vars)?;
            let modes: BigUint = many.iter().map(|class| &class.count).sum();
            if many.len() > MAX_CLASS_SETS && modes > BigUint::from(LISTED_MODES) {
                return Ok(Regular::Many(many));
            }
        }
        let mut classes = profile.classes(&sets, component)?;
        classes.retain(|class| class.indices.is_some());
        Ok(Regular::Sets(classes))
    }

    /// Classes without a mode set each: how many modes they have, and in which they are if that only depends on
    /// how many conditions hold.
    fn many_classes(
        &self,
        sets: Sets<'_>,
        by_index: &[(i32, bool, BddSet)],
        freedom: &Sum<BddSet>,
        vars: &[ModeVar],
    ) -> Result<Vec<Class>, NodeLimit> {
        let by_count = freedom.by_count(vars);
        let mut classes: BTreeMap<Indices, Class> = BTreeMap::new();
        for (index, algebraic, modes) in by_index {
            let counts = by_count.as_ref().and(true_counts(&sets, modes, vars));
            let found = match by_count.as_ref().zip(counts) {
                Some((values, counts)) => self.counted_classes(values, &counts, vars),
                None => self.other_classes(Within::new(&sets, freedom, modes, vars), vars)?,
            };
            for (degrees_of_freedom, class) in found {
                let indices = Indices {
                    index: *index,
                    algebraic: *algebraic,
                    degrees_of_freedom,
                };
                classes.insert(indices, class(Kind::Regular(indices)));
            }
        }
        Ok(classes.into_values().collect())
    }

    /// The classes by degrees of freedom where only the number of conditions that hold matters: `values` are the
    /// degrees of freedom by that number, `counts` the numbers that belong here.
    fn counted_classes(
        &self,
        values: &[i64],
        counts: &[usize],
        vars: &[ModeVar],
    ) -> Vec<(i64, OfKind)> {
        let mut by_value: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for &k in counts {
            by_value.entry(values[k]).or_default().push(k);
        }
        let choices = binomials(vars.len());
        let class = |counts: Vec<usize>| {
            let mut representative = vec![false; self.space.sets.n_vars()];
            for var in &vars[..counts[0]] {
                representative[var.index()] = true;
            }
            let count = counts.iter().map(|&k| &choices[k]).sum();
            let members = Members::Counted {
                vars: vars.to_vec(),
                counts: counts.clone(),
            };
            let vars = vars.to_vec();
            let when = text(&self.mdae, &Formula::Count { vars, counts });
            unlisted(when, count, representative, members)
        };
        let classes = by_value.into_iter();
        classes
            .map(|(value, counts)| (value, class(counts)))
            .collect()
    }

    fn other_classes(
        &self,
        mut within: Within<'_, Sets<'_>>,
        vars: &[ModeVar],
    ) -> Result<Vec<(i64, OfKind)>, NodeLimit> {
        let distribution = within.distribution()?;
        let class = |(value, count)| {
            let representative = within.pick(value).unwrap_or_default();
            let when = example(&self.mdae, vars, &representative);
            (
                value,
                unlisted(when, count, representative, Members::Listed),
            )
        };
        Ok(distribution.into_iter().map(class).collect())
    }

    fn reason(&self, over: &structure::Part, under: &structure::Part) -> Singular {
        let equations =
            |part: &structure::Part| part.equations.iter().map(|f| self.equation(*f)).collect();
        let variables =
            |part: &structure::Part| part.variables.iter().map(|x| VarId(x.0)).collect();
        Singular {
            over_equations: equations(over),
            over_variables: variables(over),
            under_equations: equations(under),
            under_variables: variables(under),
        }
    }

    pub(super) fn describe(
        &self,
        groups: &Grouped,
        modes: Vec<ModeVar>,
        care: &BddSet,
    ) -> Result<Classes, NodeLimit> {
        let sets = &self.space.sets;
        let few = sets.count_over(care, &modes) <= BigUint::from(LISTED_MODES);
        let mut classes = match &groups.regular {
            Regular::Many(many) => many.clone(),
            Regular::Sets(_) => Vec::new(),
        };
        for (set, kind) in groups.iter() {
            classes.push(Class {
                when: self.words(&set, care)?,
                count: sets.count_over(&set, &modes),
                kind,
                representative: sets.pick(&set).unwrap_or_default(),
                valuations: few.then(|| sets.valuations(&set, &modes, LISTED_MODES)),
                members: Members::Set(set),
            });
        }
        Ok(Classes { modes, classes })
    }

    /// The classes of all components together, if there are few modes or only one component has any.
    pub(super) fn combine(
        &self,
        all: &AllModes<BddSet>,
        grouped: Vec<Option<Grouped>>,
    ) -> Result<Option<Classes>, NodeLimit> {
        let with_modes = all
            .components
            .iter()
            .filter(|component| !component.mode_variables.is_empty())
            .count();
        let few = self
            .mode_count
            .as_ref()
            .is_some_and(|count| *count <= BigUint::from(LISTED_MODES));
        if with_modes > 1 && !few {
            return Ok(None);
        }
        let Some(grouped) = grouped.into_iter().collect::<Option<Vec<Grouped>>>() else {
            return Ok(None);
        };
        let sets = &self.space.sets;
        let possible = &self.care.over_guards(sets, &self.mdae)?;
        let mut left = possible.clone();
        let mut other = Vec::new();
        for (set, kind) in grouped.iter().flat_map(|groups| &groups.other) {
            let set = sets.and(&left, set)?;
            if !sets.is_empty(&set) {
                left = sets.diff(&left, &set)?;
                other.push((set, kind.clone()));
            }
        }
        let regular = if sets.is_empty(&left) {
            Regular::Sets(Vec::new())
        } else if let Some(many) = self.combine_many(all, &grouped, possible) {
            Regular::Many(many)
        } else {
            Regular::Sets(self.combine_sets(&grouped, &left)?)
        };
        let groups = Grouped { regular, other };
        self.describe(&groups, self.own_modes(), possible).map(Some)
    }

    /// The mode variables that guards read.
    fn own_modes(&self) -> Vec<ModeVar> {
        let modes = self.mdae.modes.iter_enumerated();
        let own = modes.filter(|(_, mode)| !mode.auxiliary);
        own.map(|(id, _)| mode_var(id)).collect()
    }

    fn combine_sets(
        &self,
        grouped: &[Grouped],
        left: &BddSet,
    ) -> Result<Vec<structure::Class<BddSet>>, NodeLimit> {
        let mut regular: Vec<Vec<structure::Class<BddSet>>> = grouped
            .iter()
            .map(|groups| groups.sets().to_vec())
            .collect();
        let freedom = |classes: &mut [structure::Class<BddSet>], value: i64| {
            let indices = classes
                .iter_mut()
                .filter_map(|class| class.indices.as_mut());
            for indices in indices {
                indices.degrees_of_freedom = value;
            }
        };
        let unknown = regular.iter().flatten().any(|class| {
            class
                .indices
                .is_some_and(|indices| indices.degrees_of_freedom == UNKNOWN_FREEDOM)
        });
        if unknown {
            regular.iter_mut().for_each(|classes| freedom(classes, 0));
        }
        let mut combined = combined_classes(&self.space.sets, left, &regular)?;
        if unknown {
            freedom(&mut combined, UNKNOWN_FREEDOM);
        }
        combined.retain(|class| class.indices.is_some());
        Ok(combined)
    }

    /// The same where one component has too many classes for sets: all others have a single one, which shifts
    /// them. `None` if mode variables that no component reads are tied to this one's.
    fn combine_many(
        &self,
        all: &AllModes<BddSet>,
        grouped: &[Grouped],
        possible: &BddSet,
    ) -> Option<Vec<Class>> {
        let mut many: Option<(&[Class], &Component<BddSet>)> = None;
        let mut rest = Indices {
            index: 0,
            algebraic: false,
            degrees_of_freedom: 0,
        };
        for (groups, component) in grouped.iter().zip(&all.components) {
            match &groups.regular {
                Regular::Many(classes) => many = Some((classes, component)),
                Regular::Sets(classes) => {
                    let only = classes.iter().find_map(|class| class.indices);
                    rest = rest.with(only?);
                }
            }
        }
        let (classes, component) = many?;
        if component.care != *possible {
            return None;
        }
        let free = self.own_modes().len() - component.mode_variables.len();
        let shifted = |class: &Class| {
            let mut class = class.clone();
            if let Kind::Regular(indices) = &mut class.kind {
                *indices = indices.with(rest);
            }
            class.count <<= free;
            class
        };
        Some(classes.iter().map(shifted).collect())
    }
}

/// A class that only lacks its kind.
type OfKind = Box<dyn FnOnce(Kind) -> Class>;

/// A class whose modes are too many to be listed.
fn unlisted(when: String, count: BigUint, representative: Vec<bool>, members: Members) -> OfKind {
    Box::new(|kind| Class {
        when,
        count,
        kind,
        representative,
        valuations: None,
        members,
    })
}

/// How many ways there are to choose 0, 1, …, `n` out of `n`.
fn binomials(n: usize) -> Vec<BigUint> {
    let mut row = vec![BigUint::from(1u32)];
    for k in 0..n {
        let next = &row[k] * (n - k) / (k + 1);
        row.push(next);
    }
    row
}
