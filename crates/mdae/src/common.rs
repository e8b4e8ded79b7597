//! Offsets that several modes have in common.
//!
//! The smallest offsets of two modes may differ although their states are the same: `h = tanh(x)` is differentiated once in a
//! mode that reads `der(h)`, and not at all in another. But offsets may be larger than the smallest ones, as long as
//! `d_x - c_f ≥ σ(f, x)` holds, with equality where `f` is matched with `x`. If two modes have offsets in common in
//! this sense, they differentiate the same equations and have the same constraints on the same variables; their
//! degrees of freedom are equal, too, because the sum of `d` less the sum of `c` is the weight of the matching, whatever
//! the offsets are. [`Common`] looks for the smallest offsets that do not depend on some conditions.

use crate::analysis::Analysis;
use crate::cond::Conds;
use crate::space::mode_var;
use crate::sym::{Expr, Limits, VarId, normal_form};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{
    AllModes, BddSet, Component, GuardedEdge, GuardedProblem, ModeSets, ModeVar, NodeLimit,
    Partition,
};

/// How far offsets may be raised above the largest one. Offsets that do not agree by then chase each other for ever: raising
/// one raises the other.
const MAX_RISE: usize = 8;

/// What may not depend on the conditions.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) rows: FxHashSet<usize>,
    pub(crate) variables: FxHashSet<VarId>,
}

impl Watched {
    /// Everything in a part of the model.
    pub(crate) fn all(analysis: &Analysis, component: &Component<BddSet>) -> Self {
        let differentiated = &analysis.rows.differentiated;
        let variables = component.variables.iter().map(|x| VarId(x.0));
        Self {
            rows: component.equations.iter().map(|row| row.index()).collect(),
            variables: variables.filter(|x| differentiated[x.0 as usize]).collect(),
        }
    }
}

/// At place `v - 1` the modes in which an offset is at least `v`.
type Levels = Vec<BddSet>;

/// The offsets of one part of the model, being raised until they do not depend on `own`.
pub(crate) struct Common<'a> {
    analysis: &'a Analysis,
    problem: &'a GuardedProblem<BddSet>,
    all: &'a AllModes<BddSet>,
    component: &'a Component<BddSet>,
    own: Vec<ModeVar>,
    c: FxHashMap<usize, Levels>,
    d: FxHashMap<VarId, Levels>,
    highest: usize,
    /// An equation that says something else from mode to mode is no common constraint.
    same_forms: bool,
    /// What was raised and has to be followed.
    raised_rows: Vec<usize>,
    raised_variables: Vec<VarId>,
    edges: Option<Edges<'a>>,
}

/// The edges of the part, to follow them.
struct Edges<'a> {
    of_row: FxHashMap<usize, Vec<&'a GuardedEdge<BddSet>>>,
    matched: FxHashMap<VarId, Vec<&'a GuardedEdge<BddSet>>>,
    /// Rows that say the same under different guards, by each of them.
    twins: FxHashMap<usize, Vec<usize>>,
}

/// Why offsets cannot be made equal.
enum Stop {
    Differ,
    Limit(NodeLimit),
}

impl From<NodeLimit> for Stop {
    fn from(limit: NodeLimit) -> Self {
        Self::Limit(limit)
    }
}

impl<'a> Common<'a> {
    pub(crate) fn new(
        analysis: &'a Analysis,
        all: &'a (GuardedProblem<BddSet>, AllModes<BddSet>),
        component: usize,
        own: Vec<ModeVar>,
    ) -> Self {
        Self {
            analysis,
            problem: &all.0,
            all: &all.1,
            component: &all.1.components[component],
            own,
            c: FxHashMap::default(),
            d: FxHashMap::default(),
            highest: 0,
            same_forms: false,
            raised_rows: Vec::new(),
            raised_variables: Vec::new(),
            edges: None,
        }
    }

    /// Equations that are differentiated more often than their own mode needs must not depend on the conditions.
    pub(crate) fn with_same_forms(mut self) -> Self {
        self.same_forms = true;
        self
    }

    /// Whether there are offsets that do not depend on the conditions. Each round raises some offset, so there are
    /// at most as many rounds as there are sets, and in practice two.
    pub(crate) fn exist(mut self, watched: Watched) -> Result<bool, NodeLimit> {
        let rows = watched.rows.into_iter().collect();
        match self.raise(rows, watched.variables.into_iter().collect()) {
            Ok(()) => Ok(true),
            Err(Stop::Differ) => Ok(false),
            Err(Stop::Limit(limit)) => Err(limit),
        }
    }

    /// The equations that constrain states in some mode, if offsets exist that do not depend on the conditions.
    pub(crate) fn constraints(mut self, watched: Watched) -> Result<Option<Vec<usize>>, NodeLimit> {
        let rows: Vec<usize> = watched.rows.into_iter().collect();
        let variables: Vec<VarId> = watched.variables.into_iter().collect();
        match self.raise(rows, variables) {
            Ok(()) => {}
            Err(Stop::Differ) => return Ok(None),
            Err(Stop::Limit(limit)) => return Err(limit),
        }
        let mut found = Vec::new();
        for row in self.component.equations.iter().map(|row| row.index()) {
            if !self.levels_of_row(row)?.is_empty() {
                found.push(row);
            }
        }
        Ok(Some(found))
    }

    fn raise(&mut self, rows: Vec<usize>, variables: Vec<VarId>) -> Result<(), Stop> {
        let offsets = self.component.variables.iter();
        let offsets = offsets.flat_map(|x| &self.all.d[x.index()]);
        self.highest = offsets.map(|piece| piece.value).max().unwrap_or(0) as usize + MAX_RISE;
        let (mut rows, mut variables) = (rows, variables);
        rows.sort_unstable();
        variables.sort_unstable();
        while !rows.is_empty() || !variables.is_empty() {
            for &x in &variables {
                self.even_out_variable(x)?;
            }
            for &row in &rows {
                self.even_out_row(row)?;
            }
            (rows, variables) = self.follow()?;
        }
        Ok(())
    }

    /// The modes that differ from those of `set` in the conditions alone, if that are more.
    fn widened(&self, set: &BddSet) -> Result<Option<BddSet>, NodeLimit> {
        let sets = &self.analysis.space.sets;
        let mut vars = sets.support(set);
        if *set == self.component.regular || !vars.iter().any(|var| self.own.contains(var)) {
            return Ok(None);
        }
        // Facts about conditions elsewhere would hold those of the part at what they are.
        let possible = if self.own == self.component.mode_variables {
            self.component.regular.clone()
        } else {
            vars.extend(&self.own);
            let possible = self.analysis.care.about(sets, &vars)?;
            sets.and(&possible, &self.component.regular)?
        };
        let here = sets.and(set, &possible)?;
        let wide = sets.and(&sets.exists(&here, &self.own)?, &possible)?;
        Ok((!sets.is_subset(&wide, set)?).then_some(wide))
    }

    fn levels_of_row(&mut self, row: usize) -> Result<&mut Levels, NodeLimit> {
        if !self.c.contains_key(&row) {
            let levels = levels(self.analysis, &self.all.c[row])?;
            self.c.insert(row, levels);
        }
        Ok(self.c.entry(row).or_default())
    }

    fn levels_of_variable(&mut self, x: VarId) -> Result<&mut Levels, NodeLimit> {
        if !self.d.contains_key(&x) {
            let levels = levels(self.analysis, &self.all.d[x.0 as usize])?;
            self.d.insert(x, levels);
        }
        Ok(self.d.entry(x).or_default())
    }

    fn even_out_variable(&mut self, x: VarId) -> Result<(), Stop> {
        let sets = &self.analysis.space.sets;
        let occurs = everywhere(self.analysis, &self.all.d[x.0 as usize])?;
        // Where it does not occur it is no state.
        if let Some(wide) = self.widened(&occurs)?
            && !sets.is_subset(&wide, &occurs)?
        {
            return Err(Stop::Differ);
        }
        let levels = self.levels_of_variable(x)?.clone();
        for (place, set) in levels.iter().enumerate() {
            if let Some(wide) = self.widened(set)? {
                self.raise_variable(x, place + 1, &wide)?;
            }
        }
        Ok(())
    }

    fn even_out_row(&mut self, row: usize) -> Result<(), Stop> {
        let sets = &self.analysis.space.sets;
        let n = self.levels_of_row(row)?.len();
        for place in 0..n {
            let alone = self.levels_of_row(row)?[place].clone();
            if self.widened(&alone)?.is_none() {
                continue;
            }
            // Twins under different guards are one constraint.
            let group = self.edges().twins.get(&row).cloned();
            let group = group.unwrap_or_else(|| vec![row]);
            let mut together = alone;
            let mut enabled = sets.empty();
            for &twin in &group {
                if let Some(set) = self.levels_of_row(twin)?.get(place).cloned() {
                    together = sets.or(&together, &set)?;
                }
                let own = everywhere(self.analysis, &self.all.c[twin])?;
                enabled = sets.or(&enabled, &own)?;
            }
            let Some(wide) = self.widened(&together)? else {
                continue;
            };
            if !sets.is_subset(&wide, &enabled)? || self.same_forms && self.form_depends(row) {
                return Err(Stop::Differ);
            }
            for &twin in &group {
                let own = everywhere(self.analysis, &self.all.c[twin])?;
                let wide = sets.and(&wide, &own)?;
                self.raise_row(twin, place + 1, &wide)?;
            }
        }
        Ok(())
    }

    /// Whether the conditions choose between forms of a row.
    fn form_depends(&self, row: usize) -> bool {
        let mdae = &self.analysis.mdae;
        let id = self.analysis.rows.equations[row];
        let guard = mdae.equations[id].guard;
        let mut conditions = crate::fixpoint::conditions(mdae, id);
        conditions.retain(|condition| *condition != guard);
        let support = mdae.conds.support(conditions);
        support
            .into_iter()
            .any(|mode| self.own.contains(&mode_var(mode)))
    }

    /// Makes an offset at least `level` in some modes.
    fn raise_row(&mut self, row: usize, level: usize, modes: &BddSet) -> Result<(), Stop> {
        let analysis = self.analysis;
        let highest = self.highest;
        if raise(analysis, self.levels_of_row(row)?, level, modes, highest)? {
            self.raised_rows.push(row);
        }
        Ok(())
    }

    fn raise_variable(&mut self, x: VarId, level: usize, modes: &BddSet) -> Result<(), Stop> {
        let (analysis, highest) = (self.analysis, self.highest);
        if raise(analysis, self.levels_of_variable(x)?, level, modes, highest)? {
            self.raised_variables.push(x);
        }
        Ok(())
    }

    /// Keeps `d_x - c_f ≥ σ`, with equality where matched. Gives what has been raised, which must not depend on the conditions.
    fn follow(&mut self) -> Result<(Vec<usize>, Vec<VarId>), Stop> {
        let sets = &self.analysis.space.sets;
        let mut rows: FxHashSet<usize> = FxHashSet::default();
        let mut variables: FxHashSet<VarId> = FxHashSet::default();
        loop {
            if let Some(x) = self.raised_variables.pop() {
                if self.analysis.rows.differentiated[x.0 as usize] {
                    variables.insert(x);
                }
                let levels = self.levels_of_variable(x)?.clone();
                let matched = self.edges().matched.get(&x).cloned().unwrap_or_default();
                for edge in matched {
                    for (place, modes) in levels.iter().enumerate() {
                        let level = place as i32 + 1 - edge.sigma;
                        if level > 0 {
                            let modes = sets.and(modes, &edge.modes)?;
                            self.raise_row(edge.equation.index(), level as usize, &modes)?;
                        }
                    }
                }
            } else if let Some(row) = self.raised_rows.pop() {
                rows.insert(row);
                let levels = self.levels_of_row(row)?.clone();
                let edges = self.edges().of_row.get(&row).cloned().unwrap_or_default();
                for edge in edges {
                    for (place, modes) in levels.iter().enumerate() {
                        let level = place as i32 + 1 + edge.sigma;
                        let modes = sets.and(modes, &edge.modes)?;
                        self.raise_variable(VarId(edge.variable.0), level as usize, &modes)?;
                    }
                }
            } else {
                let mut rows: Vec<usize> = rows.into_iter().collect();
                let mut variables: Vec<VarId> = variables.into_iter().collect();
                rows.sort_unstable();
                variables.sort_unstable();
                return Ok((rows, variables));
            }
        }
    }

    fn edges(&mut self) -> &Edges<'a> {
        if self.edges.is_none() {
            self.edges = Some(Edges::new(
                self.analysis,
                self.problem,
                self.all,
                self.component,
            ));
        }
        self.edges.as_ref().expect("just made")
    }
}

impl<'a> Edges<'a> {
    /// Linear in the part, apart from the normal forms of its guarded equations.
    fn new(
        analysis: &Analysis,
        problem: &'a GuardedProblem<BddSet>,
        all: &'a AllModes<BddSet>,
        component: &'a Component<BddSet>,
    ) -> Self {
        let mut of_row: FxHashMap<usize, Vec<_>> = FxHashMap::default();
        for edge in all.edges_of(problem, component) {
            of_row.entry(edge.equation.index()).or_default().push(edge);
        }
        let mut matched: FxHashMap<VarId, Vec<_>> = FxHashMap::default();
        for edge in &component.matched {
            matched
                .entry(VarId(edge.variable.0))
                .or_default()
                .push(edge);
        }
        let mut groups: FxHashMap<Expr, Vec<usize>> = FxHashMap::default();
        for equation in &component.equations {
            let row = equation.index();
            let guard = analysis.mdae.equations[analysis.rows.equations[row]].guard;
            if guard != Conds::TRUE {
                groups.entry(residual(analysis, row)).or_default().push(row);
            }
        }
        let mut twins = FxHashMap::default();
        for group in groups.into_values().filter(|group| group.len() > 1) {
            for &row in &group {
                twins.insert(row, group.clone());
            }
        }
        Self {
            of_row,
            matched,
            twins,
        }
    }
}

/// The modes in which an offset exists.
fn everywhere(analysis: &Analysis, offsets: &Partition<BddSet>) -> Result<BddSet, NodeLimit> {
    let sets = &analysis.space.sets;
    sets.union(offsets.iter().map(|piece| piece.modes.clone()))
}

fn levels(analysis: &Analysis, offsets: &Partition<BddSet>) -> Result<Levels, NodeLimit> {
    let sets = &analysis.space.sets;
    let highest = offsets.last().map_or(0, |piece| piece.value);
    (1..=highest)
        .map(|level| {
            let high = offsets.iter().filter(|piece| piece.value >= level);
            sets.union(high.map(|piece| piece.modes.clone()))
        })
        .collect()
}

/// Whether that changed anything.
fn raise(
    analysis: &Analysis,
    levels: &mut Levels,
    level: usize,
    modes: &BddSet,
    highest: usize,
) -> Result<bool, Stop> {
    let sets = &analysis.space.sets;
    if sets.is_empty(modes) {
        return Ok(false);
    }
    if level > highest {
        return Err(Stop::Differ);
    }
    let mut changed = false;
    for place in 0..level {
        if place == levels.len() {
            levels.push(sets.empty());
        }
        if !sets.is_subset(modes, &levels[place])? {
            levels[place] = sets.or(&levels[place], modes)?;
            changed = true;
        }
    }
    Ok(changed)
}

fn residual(analysis: &Analysis, row: usize) -> Expr {
    let residual = analysis.mdae.equations[analysis.rows.equations[row]].residual();
    match normal_form(
        &residual,
        Limits {
            terms: 64,
            ..Limits::default()
        },
    ) {
        Ok(form) => form.monic().to_expr(),
        Err(_) => residual,
    }
}
