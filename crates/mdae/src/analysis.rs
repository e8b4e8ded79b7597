//! The structure of an mDAE in all its modes.

mod classes;
#[cfg(test)]
pub(crate) mod oracle;
#[cfg(test)]
mod tests;
mod valuation;

pub use valuation::{kind_of, split_items, valuation_names};

use crate::care::Care;
use crate::fixpoint::{self, Fixpoint};
use crate::loops::Loop;
use crate::mode::{OneMode, Rows};
use crate::model::{EqId, MDae};
use crate::space::Space;
use crate::sym::VarId;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::Place;
use modeshift_structure::{
    self as structure, AllModes, BddSet, BddSets, Component, GuardedEdge, GuardedProblem, Indices,
    ModeStructure, ModeVar, NodeLimit, Partition, Piece, Watched, analyse_all_modes,
};
use num_bigint::BigUint;
use std::sync::{Arc, Mutex};

/// Up to this many modes everything is listed mode by mode where a report asks for it.
pub const LISTED_MODES: usize = 4096;

/// Stands for degrees of freedom that were not worked out.
pub const UNKNOWN_FREEDOM: i64 = i64::MIN;

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
    pub members: Members,
}

/// Which modes belong to a class, for those who ask more than [`Class::when`] can say.
#[derive(Clone, Debug)]
pub enum Members {
    /// A set of [`Analysis::sets`].
    Set(BddSet),
    /// Those in which one of `counts` of the variables are true.
    Counted {
        vars: Vec<ModeVar>,
        counts: Vec<usize>,
    },
    /// [`Class::valuations`] says it, or nothing but an example is known.
    Listed,
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
    /// Loops between conditions and unknowns, decided.
    pub loops: Vec<Loop>,
    /// The cycles of those that are errors or warnings.
    pub fixpoints: Vec<Fixpoint>,
    pub(crate) space: Space,
    pub(crate) structure: Structure,
    pub(crate) care: Care,
    /// Booleans that are formulas, by their sets: they name classes better than the formulas do.
    names: Vec<(String, BddSet)>,
    /// The mode variables of each enumeration, and that exactly one of them is true.
    choices: Vec<(Vec<ModeVar>, BddSet)>,
    /// Mode sets that have been put into words, with what was possible.
    known_words: Mutex<FxHashMap<(BddSet, BddSet), String>>,
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
    /// The algebra of [`Members::Set`].
    pub fn sets(&self) -> &BddSets {
        &self.space.sets
    }

    pub fn new(mdae: MDae, options: &Options) -> Self {
        Self::watched(mdae, options, &|| {})
    }

    /// The same under supervision: `check` is called often and gives the analysis up by unwinding.
    pub fn watched(mut mdae: MDae, options: &Options, check: &dyn Fn()) -> Self {
        let rows = Rows::new(&mut mdae);
        let space = Space::new(&mdae, options.node_limit);
        let mut this = Self {
            mdae,
            rows,
            mode_count: None,
            classes: None,
            parts: Vec::new(),
            loops: Vec::new(),
            fixpoints: Vec::new(),
            space,
            structure: Structure::Unknown,
            care: Care::default(),
            names: Vec::new(),
            choices: Vec::new(),
            known_words: Mutex::default(),
            columns: Vec::new(),
        };
        if !options.structure {
            return this;
        }
        if this.has_one_mode() {
            this.one_mode();
        } else if let Err(limit) = this.all_modes(check) {
            this.structure = Structure::Nothing(limit);
        }
        fixpoint::find(&mut this, options, check);
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
            members: Members::Listed,
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

    fn all_modes(&mut self, check: &dyn Fn()) -> Result<(), NodeLimit> {
        let problem = self.problem()?;
        self.name_derived()?;
        self.find_choices()?;
        let all = analyse_all_modes(&Watched::new(&self.space.sets, check), &problem);
        self.care = Care::new(&self.mdae, &mut self.space);
        self.mode_count = self.care.count(&self.space.sets, &self.mdae).ok();
        let transient = self.transient_modes()?;
        let mut grouped: Vec<Option<classes::Grouped>> = Vec::with_capacity(all.components.len());
        for component in &all.components {
            let groups = self
                .groups(&problem, &all, component, &transient, check)
                .ok();
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
        self.classes = self.combine(&all, grouped).ok().flatten();
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

    /// Every place a report may point at.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.mdae.places()
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

    /// Whether a `when` says something about an unknown of the modes.
    pub fn has_laws(&self) -> bool {
        self.mdae.equations.iter().any(|equation| {
            let unknown = |side| {
                let reads: std::collections::BTreeSet<_> = crate::sym::variables(side);
                reads
                    .into_iter()
                    .any(|read| read.at == crate::sym::At::Now && self.mdae.is_unknown(read.var))
            };
            matches!(equation.kind, crate::model::EquationKind::Transient(_))
                && (unknown(&equation.lhs) || unknown(&equation.rhs))
        })
    }

    /// The names of all variables that singular modes are about.
    pub fn singular_names(&self) -> FxHashSet<Arc<str>> {
        let classes = self.parts.iter().filter_map(|part| part.classes.as_ref());
        let singular = classes
            .flat_map(|it| &it.classes)
            .filter_map(|class| match &class.kind {
                Kind::Singular(reason) => Some(reason),
                _ => None,
            });
        singular
            .flat_map(|reason| reason.over_variables.iter().chain(&reason.under_variables))
            .map(|&x| self.mdae.variable(x).name.clone())
            .collect()
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
