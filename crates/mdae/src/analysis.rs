//! The structure of an mDAE in all its modes.

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

use crate::fixpoint::{self, Fixpoint};
use crate::formula::when;
use crate::mode::{OneMode, Rows};
use crate::model::{EqId, EquationKind, MDae};
use crate::space::{Space, mode_id};
use crate::sym::VarId;
use modeshift_flat::model::Place;
use modeshift_structure::{
    self as structure, AllModes, BddSet, BddSets, Component, GuardedEdge, GuardedProblem, Indices,
    ModeSets, ModeStructure, ModeVar, NodeLimit, Partition, Piece, analyse_all_modes,
    combined_classes, component_classes, diagnose,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Up to this many modes everything is listed mode by mode where a report asks for it.
pub const LISTED_MODES: usize = 4096;

/// How many different reasons for singular modes are told apart in one component.
const MAX_REASONS: usize = 12;

/// With more mode variables than this in one part, its modes are not told apart by their degrees of freedom:
/// a chain of a thousand clutches has a thousand and one of them, and telling them apart takes far longer
/// than the analysis.
const MAX_FREEDOM_MODES: usize = 128;

/// Stands for degrees of freedom that were not worked out.
pub const UNKNOWN_FREEDOM: i64 = i64::MIN;

/// Derived Booleans whose names are tried for mode sets.
const MAX_NAMES: usize = 16;

#[derive(Clone, Debug)]
pub struct Options {
    /// The largest number of decision diagram nodes.
    pub node_limit: usize,
    /// Fixpoints that only change coefficients are errors, too.
    pub deny_fixpoints: bool,
    /// Analyse all modes; else only single modes can be asked for.
    pub structure: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            node_limit: BddSets::DEFAULT_NODE_LIMIT,
            deny_fixpoints: false,
            structure: true,
        }
    }
}

/// What the modes of a class have in common.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Regular(Indices),
    Singular(Singular),
    /// Not square, but a `when` equation fires there: the mode lasts one instant.
    Transient,
}

/// Why a mode is singular.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Singular {
    pub over_equations: Vec<EqId>,
    pub over_variables: Vec<VarId>,
    pub under_equations: Vec<EqId>,
    pub under_variables: Vec<VarId>,
}

/// Modes with the same structure.
#[derive(Clone, Debug)]
pub struct Class {
    pub when: String,
    pub count: BigUint,
    pub kind: Kind,
    /// One mode of the class: the value of every mode variable.
    pub representative: Vec<bool>,
    /// All modes of the class as values of [`Classes::modes`], if they are few.
    pub valuations: Option<Vec<Vec<bool>>>,
}

/// A partition of modes.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The mode variables it speaks about.
    pub modes: Vec<ModeVar>,
    pub classes: Vec<Class>,
}

/// A part of the model that shares no variable with the rest, and its classes.
#[derive(Clone, Debug)]
pub struct Part {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub classes: Option<Classes>,
    pub over_limit: Option<NodeLimit>,
}

/// An offset by mode.
pub type Offsets = Vec<(String, i32)>;

/// The result.
pub struct Analysis {
    pub mdae: MDae,
    pub rows: Rows,
    /// `None` if the node limit was reached before the modes could be counted.
    pub mode_count: Option<BigUint>,
    /// All modes together: up to [`LISTED_MODES`] modes, or if only one part depends on modes.
    pub classes: Option<Classes>,
    pub parts: Vec<Part>,
    pub fixpoints: Vec<Fixpoint>,
    pub(crate) space: Space,
    pub(crate) structure: Structure,
    /// Booleans that are formulas, by their sets: they name classes better than the formulas do.
    names: Vec<(String, BddSet)>,
    /// With one mode, the column of each variable that occurs.
    columns: Vec<u32>,
}

/// In `when`, row `reader` needs `variable`, which row `writer` determines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependencyText {
    pub reader: usize,
    pub writer: usize,
    pub variable: String,
    pub when: String,
}

/// How the structure was found.
pub(crate) enum Structure {
    /// There is only one mode.
    One(Box<(OneMode, ModeStructure)>),
    All(Box<(GuardedProblem<BddSet>, AllModes<BddSet>)>),
    /// The guards alone outgrew the limit.
    Nothing(NodeLimit),
    /// Nobody asked.
    Unknown,
}

impl Analysis {
    pub fn new(mut mdae: MDae, options: &Options) -> Self {
        let rows = Rows::new(&mut mdae);
        let space = Space::new(&mdae, options.node_limit);
        let mut this = Self {
            mdae,
            rows,
            mode_count: None,
            classes: None,
            parts: Vec::new(),
            fixpoints: Vec::new(),
            space,
            structure: Structure::Unknown,
            names: Vec::new(),
            columns: Vec::new(),
        };
        if !options.structure {
            return this;
        }
        if this.has_one_mode() {
            this.one_mode();
        } else if let Err(limit) = this.all_modes() {
            this.structure = Structure::Nothing(limit);
        }
        this.fixpoints = fixpoint::find(&mut this, options);
        this
    }

    /// Whether all mode variables are irrelevant to the equations.
    fn has_one_mode(&self) -> bool {
        self.mdae.modes.iter().all(|mode| mode.auxiliary)
    }

    fn one_mode(&mut self) {
        let truth = self
            .mdae
            .conds
            .evaluate(&vec![false; self.mdae.modes.len()]);
        let system = OneMode::new(&self.mdae, &self.rows, &truth);
        let structure = system.structure();
        let kind = kind_of(&system, &structure);
        self.mode_count = Some(BigUint::from(1u32));
        let class = Class {
            when: "true".to_owned(),
            count: BigUint::from(1u32),
            kind,
            representative: vec![false; self.mdae.modes.len()],
            valuations: Some(vec![Vec::new()]),
        };
        let classes = Classes {
            modes: Vec::new(),
            classes: vec![class],
        };
        self.classes = Some(classes.clone());
        self.parts = vec![Part {
            equations: system.equations.clone(),
            variables: system.variables.clone(),
            classes: Some(classes),
            over_limit: None,
        }];
        self.columns = vec![u32::MAX; self.mdae.variables.len()];
        for (column, variable) in system.variables.iter().enumerate() {
            self.columns[variable.0 as usize] = column as u32;
        }
        self.structure = Structure::One(Box::new((system, structure)));
    }

    /// The column of a variable in the only mode.
    pub(crate) fn column(&self, variable: VarId) -> Option<usize> {
        let column = *self.columns.get(variable.0 as usize)?;
        (column != u32::MAX).then_some(column as usize)
    }

    fn all_modes(&mut self) -> Result<(), NodeLimit> {
        let problem = self.problem()?;
        self.name_derived()?;
        let all = analyse_all_modes(&self.space.sets, &problem);
        let possible = self.space.possible(&self.mdae);
        self.mode_count = possible
            .as_ref()
            .ok()
            .map(|set| self.space.count(&self.mdae, set));
        let transient = self.transient_modes()?;
        let mut grouped: Vec<Option<Grouped>> = Vec::with_capacity(all.components.len());
        for component in &all.components {
            let groups = self.groups(&problem, &all, component, &transient).ok();
            self.parts.push(Part {
                equations: component
                    .equations
                    .iter()
                    .map(|f| self.equation(*f))
                    .collect(),
                variables: component.variables.iter().map(|x| VarId(x.0)).collect(),
                classes: groups.as_ref().and_then(|groups| {
                    let modes = component.mode_variables.clone();
                    self.describe(groups, modes, &component.care).ok()
                }),
                over_limit: component.over_limit,
            });
            grouped.push(groups);
        }
        if let Ok(possible) = possible {
            self.classes = self.combine(&all, grouped, &possible).ok().flatten();
        }
        self.structure = Structure::All(Box::new((problem, all)));
        Ok(())
    }

    pub fn equation(&self, row: structure::EqId) -> EqId {
        self.rows.equations[row.index()]
    }

    fn problem(&mut self) -> Result<GuardedProblem<BddSet>, NodeLimit> {
        let mut active = Vec::with_capacity(self.rows.equations.len());
        let mut edges = Vec::new();
        for (row, &id) in self.rows.equations.iter().enumerate() {
            active.push(self.space.set(&self.mdae, self.mdae.equations[id].guard)?);
            for occurrence in &self.rows.occurrences[row] {
                edges.push(GuardedEdge {
                    equation: structure::EqId::new(row),
                    variable: structure::VarId(occurrence.variable.0),
                    sigma: occurrence.order as i32,
                    modes: self.space.set(&self.mdae, occurrence.when)?,
                });
            }
        }
        Ok(GuardedProblem {
            active,
            n_variables: self.mdae.variables.len(),
            edges,
            care: self.space.care(&self.mdae)?,
        })
    }

    fn name_derived(&mut self) -> Result<(), NodeLimit> {
        for i in 0..self.mdae.derived.len().min(MAX_NAMES) {
            let set = self.space.set(&self.mdae, self.mdae.derived[i].value)?;
            self.names
                .push((self.mdae.derived[i].name.to_string(), set));
        }
        Ok(())
    }

    /// A set of modes in words: the name of a Boolean if it is just that, else a formula.
    fn words(&self, set: &BddSet, care: &BddSet) -> Result<String, NodeLimit> {
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
        when(&self.mdae, sets, set, care)
    }

    /// The modes in which an equation of a `when` can fire.
    fn transient_modes(&mut self) -> Result<BddSet, NodeLimit> {
        let guards: Vec<_> = self
            .mdae
            .equations
            .iter()
            .filter(|equation| matches!(equation.kind, EquationKind::Transient { .. }))
            .map(|equation| equation.guard)
            .collect();
        let mut result = self.space.sets.empty();
        for guard in guards {
            let set = self.space.set(&self.mdae, guard)?;
            result = self.space.sets.or(&result, &set)?;
        }
        Ok(result)
    }

    /// The modes of a component by structure.
    fn groups(
        &self,
        problem: &GuardedProblem<BddSet>,
        all: &AllModes<BddSet>,
        component: &Component<BddSet>,
        transient: &BddSet,
    ) -> Result<Grouped, NodeLimit> {
        if let Some(limit) = component.over_limit {
            return Err(limit);
        }
        let sets = &self.space.sets;
        let mut groups = Grouped {
            regular: if component.mode_variables.len() <= MAX_FREEDOM_MODES {
                component_classes(sets, all, component)?
            } else {
                self.classes_by_index(all, component)?
            },
            other: Vec::new(),
        };
        groups.regular.retain(|class| class.indices.is_some());
        if sets.is_empty(&component.singular) {
            return Ok(groups);
        }
        let mut others: Vec<ModeVar> = sets.support(transient);
        others.retain(|var| component.mode_variables.binary_search(var).is_err());
        let firing = sets.exists(transient, &others)?;
        let momentary = sets.and(&component.singular, &firing)?;
        let lasting = sets.diff(&component.singular, &momentary)?;
        if !sets.is_empty(&momentary) {
            groups.other.push((momentary, Kind::Transient));
        }
        if !sets.is_empty(&lasting) {
            let mut singular = component.clone();
            singular.singular = lasting;
            let found = diagnose(sets, problem, all, &singular, MAX_REASONS)?;
            for diagnosis in found.diagnoses {
                groups.other.push((
                    diagnosis.modes,
                    Kind::Singular(self.reason(&diagnosis.over, &diagnosis.under)),
                ));
            }
            if !sets.is_empty(&found.rest) {
                groups
                    .other
                    .push((found.rest, Kind::Singular(Singular::default())));
            }
        }
        Ok(groups)
    }

    /// The regular modes of a component by index alone, see [`UNKNOWN_FREEDOM`].
    fn classes_by_index(
        &self,
        all: &AllModes<BddSet>,
        component: &Component<BddSet>,
    ) -> Result<Vec<structure::Class<BddSet>>, NodeLimit> {
        let sets = &self.space.sets;
        let mut by_value: BTreeMap<i32, Vec<BddSet>> = BTreeMap::new();
        for row in &component.equations {
            for piece in all.c[row.index()].iter().filter(|piece| piece.value > 0) {
                by_value
                    .entry(piece.value)
                    .or_default()
                    .push(piece.modes.clone());
            }
        }
        let mut algebraic = Vec::new();
        for x in &component.variables {
            let zero = all.d[x.index()].iter().filter(|piece| piece.value == 0);
            algebraic.extend(zero.map(|piece| piece.modes.clone()));
        }
        algebraic.sort_unstable();
        algebraic.dedup();
        let algebraic = sets.union(algebraic)?;
        let mut left = component.regular.clone();
        let mut classes = Vec::new();
        let by_value = by_value
            .into_iter()
            .rev()
            .chain([(0, vec![component.regular.clone()])]);
        for (index, mut modes) in by_value {
            modes.sort_unstable();
            modes.dedup();
            let modes = sets.and(&sets.union(modes)?, &left)?;
            left = sets.diff(&left, &modes)?;
            let with = sets.and(&modes, &algebraic)?;
            for (algebraic, modes) in [(false, sets.diff(&modes, &with)?), (true, with)] {
                if !sets.is_empty(&modes) {
                    let indices = Indices {
                        index,
                        algebraic,
                        degrees_of_freedom: UNKNOWN_FREEDOM,
                    };
                    classes.push(structure::Class {
                        modes,
                        indices: Some(indices),
                    });
                }
            }
        }
        classes.sort_by_key(|class| class.indices);
        Ok(classes)
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

    fn describe(
        &self,
        groups: &Grouped,
        modes: Vec<ModeVar>,
        care: &BddSet,
    ) -> Result<Classes, NodeLimit> {
        let sets = &self.space.sets;
        let free = sets.n_vars() - modes.len();
        let few = sets.count(care) >> free <= BigUint::from(LISTED_MODES);
        let mut classes = Vec::new();
        for (set, kind) in groups.iter() {
            classes.push(Class {
                when: self.words(&set, care)?,
                count: sets.count(&set) >> free,
                kind,
                representative: sets.pick(&set).unwrap_or_default(),
                valuations: few.then(|| sets.valuations(&set, &modes, LISTED_MODES)),
            });
        }
        Ok(Classes { modes, classes })
    }

    /// The classes of all components together, if there are few modes or only one component has any.
    fn combine(
        &self,
        all: &AllModes<BddSet>,
        grouped: Vec<Option<Grouped>>,
        possible: &BddSet,
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
        let regular: Vec<Vec<structure::Class<BddSet>>> = grouped
            .iter()
            .map(|groups| groups.regular.clone())
            .collect();
        let mut left = possible.clone();
        let mut other = Vec::new();
        for (set, kind) in grouped.into_iter().flat_map(|groups| groups.other) {
            let set = sets.and(&left, &set)?;
            if !sets.is_empty(&set) {
                left = sets.diff(&left, &set)?;
                other.push((set, kind));
            }
        }
        let unknown = regular.iter().flatten().any(|class| {
            class
                .indices
                .is_some_and(|indices| indices.degrees_of_freedom == UNKNOWN_FREEDOM)
        });
        let mut combined = combined_classes(sets, &left, &known_freedom(regular, unknown))?;
        if unknown {
            for class in &mut combined {
                if let Some(indices) = &mut class.indices {
                    indices.degrees_of_freedom = UNKNOWN_FREEDOM;
                }
            }
        }
        combined.retain(|class| class.indices.is_some());
        let groups = Grouped {
            regular: combined,
            other,
        };
        let modes = self
            .mdae
            .modes
            .iter_enumerated()
            .filter(|(_, mode)| !mode.auxiliary)
            .map(|(id, _)| crate::space::mode_var(id))
            .collect();
        self.describe(&groups, modes, possible).map(Some)
    }

    /// Every place a report may point at.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.mdae.places()
    }

    /// Reads a mode from text: `g1=true, x > 0=false`. Conditions left out are false; Booleans that
    /// follow from others may be named to check the mode, not to choose it.
    pub fn read_mode(&self, text: &str) -> Result<Vec<bool>, String> {
        let mut mode = vec![false; self.mdae.modes.len()];
        let mut claims = Vec::new();
        for item in items(text) {
            let (name, value) = item.rsplit_once('=').ok_or_else(|| {
                format!("`{item}` is not of the form CONDITION=true or CONDITION=false")
            })?;
            let value = match value.trim() {
                "true" | "1" => true,
                "false" | "0" => false,
                other => return Err(format!("`{other}` is neither true nor false")),
            };
            let name = name.trim();
            let own = self
                .mdae
                .modes
                .ids()
                .find(|&id| *self.mdae.modes[id].name == *name);
            let derived = self
                .mdae
                .derived
                .iter()
                .find(|derived| *derived.name == *name);
            match (own, derived) {
                (Some(id), _) => mode[id.index()] = value,
                (None, Some(derived)) => claims.push((name, derived.value, value)),
                (None, None) => return Err(self.unknown_condition(name)),
            }
        }
        let truth = self.mdae.conds.evaluate(&mode);
        for (name, condition, value) in claims {
            if truth[condition.0 as usize] != value {
                return Err(format!(
                    "`{name}` follows from the other conditions and is {}",
                    !value
                ));
            }
        }
        Ok(mode)
    }

    fn unknown_condition(&self, name: &str) -> String {
        let names: Vec<&str> = self
            .mdae
            .modes
            .iter()
            .filter(|mode| !mode.auxiliary)
            .map(|mode| &*mode.name)
            .take(8)
            .collect();
        format!(
            "there is no condition `{name}`; there are: {}",
            names.join(", ")
        )
    }

    /// The structure of one mode, found without mode sets.
    pub fn mode(&self, valuation: &[bool]) -> (OneMode, ModeStructure) {
        let truth = self.mdae.conds.evaluate(valuation);
        let system = OneMode::new(&self.mdae, &self.rows, &truth);
        let structure = system.structure();
        (system, structure)
    }

    /// The offset of an equation in all modes.
    pub fn equation_offsets(&self, row: usize) -> Offsets {
        match &self.structure {
            Structure::One(one) => match &one.1 {
                ModeStructure::Regular { offsets, .. } => {
                    vec![("true".to_owned(), offsets.c[row])]
                }
                ModeStructure::Singular(_) => Vec::new(),
            },
            Structure::All(all) => {
                let component = all.1.component_of_equation[row];
                self.offsets(&all.1.c[row], &all.1.components[component])
            }
            Structure::Nothing(_) | Structure::Unknown => Vec::new(),
        }
    }

    /// The offset of a variable in all modes.
    pub fn variable_offsets(&self, variable: VarId) -> Offsets {
        match &self.structure {
            Structure::One(one) => match &one.1 {
                ModeStructure::Regular { offsets, .. } => self
                    .column(variable)
                    .map(|column| ("true".to_owned(), offsets.d[column]))
                    .into_iter()
                    .collect(),
                ModeStructure::Singular(_) => Vec::new(),
            },
            Structure::All(all) => match all.1.component_of_variable[variable.0 as usize] {
                Some(component) => {
                    self.offsets(&all.1.d[variable.0 as usize], &all.1.components[component])
                }
                None => Vec::new(),
            },
            Structure::Nothing(_) | Structure::Unknown => Vec::new(),
        }
    }

    fn offsets(&self, partition: &Partition<BddSet>, component: &Component<BddSet>) -> Offsets {
        partition
            .iter()
            .map(|piece| (self.text(&piece.modes, &component.regular), piece.value))
            .collect()
    }

    pub(crate) fn text(&self, set: &BddSet, care: &BddSet) -> String {
        self.words(set, care).unwrap_or_else(|_| "…".to_owned())
    }

    /// The smallest leading derivative of a variable over all modes in which it occurs, and whether it
    /// is known: without it a variable is no state.
    pub(crate) fn smallest_offset(&self, variable: VarId) -> Option<i32> {
        match &self.structure {
            Structure::All(all) => smallest(&all.1.d[variable.0 as usize]),
            _ => None,
        }
    }

    /// The conditional dependency graph (RR-9334, figure 35): who needs what whom determines, when.
    pub fn dependencies(&self) -> Vec<DependencyText> {
        let Structure::All(all) = &self.structure else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for component in &all.1.components {
            let graph = structure::dependency_graph(&self.space.sets, &all.0, &all.1, component);
            for dependency in graph.into_iter().flatten() {
                found.push(DependencyText {
                    reader: dependency.reader.index(),
                    writer: dependency.writer.index(),
                    variable: self
                        .mdae
                        .variable(VarId(dependency.variable.0))
                        .name
                        .to_string(),
                    when: self.text(&dependency.modes, &component.regular),
                });
            }
        }
        found
    }

    pub fn over_limit(&self) -> Option<NodeLimit> {
        match &self.structure {
            Structure::Nothing(limit) => Some(*limit),
            Structure::All(all) => all.1.over_limit(),
            Structure::One(_) | Structure::Unknown => None,
        }
    }
}

fn smallest(partition: &[Piece<BddSet>]) -> Option<i32> {
    partition.iter().map(|piece| piece.value).min()
}

/// The modes of a component or of all, by structure.
struct Grouped {
    regular: Vec<structure::Class<BddSet>>,
    other: Vec<(BddSet, Kind)>,
}

impl Grouped {
    fn iter(&self) -> impl Iterator<Item = (BddSet, Kind)> + '_ {
        let regular = self.regular.iter().filter_map(|class| {
            class
                .indices
                .map(|indices| (class.modes.clone(), Kind::Regular(indices)))
        });
        regular.chain(self.other.iter().cloned())
    }
}

/// Degrees of freedom that can be added up: all zero where some are not known.
fn known_freedom(
    mut parts: Vec<Vec<structure::Class<BddSet>>>,
    unknown: bool,
) -> Vec<Vec<structure::Class<BddSet>>> {
    if unknown {
        for indices in parts
            .iter_mut()
            .flatten()
            .filter_map(|class| class.indices.as_mut())
        {
            indices.degrees_of_freedom = 0;
        }
    }
    parts
}

/// What a single mode is.
pub fn kind_of(system: &OneMode, structure: &ModeStructure) -> Kind {
    match structure {
        ModeStructure::Regular { offsets, .. } => Kind::Regular(Indices {
            index: offsets.index(),
            algebraic: offsets.d.contains(&0),
            degrees_of_freedom: offsets.degrees_of_freedom(),
        }),
        ModeStructure::Singular(parts) => {
            let graph = system.matrix.graph();
            let over = parts.over_witness(graph).unwrap_or_default();
            let under = parts.under_witness(graph).unwrap_or_default();
            Kind::Singular(Singular {
                over_equations: system.equations_of(&over),
                over_variables: system.variables_of(&over),
                under_equations: system.equations_of(&under),
                under_variables: system.variables_of(&under),
            })
        }
    }
}

/// Splits at the commas that are not inside brackets: `a[1,2]=true, b=false`.
fn items(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect()
}

/// The names of mode variables with their values.
pub fn valuation_names<'m>(
    mdae: &'m MDae,
    modes: &[ModeVar],
    values: &[bool],
) -> Vec<(&'m str, bool)> {
    modes
        .iter()
        .zip(values)
        .map(|(&var, &value)| (&*mdae.modes[mode_id(var)].name, value))
        .collect()
}
