//! What follows from the shape of a model: the structure of all its modes.

use super::classes;
use super::valuation::kind_of;
use super::{Class, Classes, Members, Offsets, Options, Part};
use crate::calm::Calm;
use crate::care::Care;
use crate::diagnose::{Samples, prescribed};
use crate::fixpoint::{self, Knot};
use crate::loops::{Verdicts, Writers};
use crate::mode::{OneMode, Rows};
use crate::model::{EqId, MDae};
use crate::rank::KnownRanks;
use crate::shape::Shape;
use crate::space::Space;
use crate::sym::VarId;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{
    self as structure, AllModes, BddSet, BddSets, Component, GuardedEdge, GuardedProblem,
    ModeStructure, ModeVar, NodeLimit, Partition, Piece, Watched, analyse_all_modes,
};
use num_bigint::BigUint;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The structure of all modes of a model. It depends on the model's [`Shape`] only, so that an editor keeps it while
/// numbers and places change.
pub struct Structured {
    /// The shape: its equations are not those of the model. Use [`Analysis::mdae`](super::Analysis::mdae) for these.
    pub(crate) mdae: MDae,
    pub rows: Rows,
    /// `None` if the node limit was reached before the modes could be counted.
    pub mode_count: Option<BigUint>,
    /// All modes together: up to [`LISTED_MODES`](super::LISTED_MODES) modes, or if only one part depends on modes.
    pub classes: Option<Classes>,
    pub parts: Vec<Part>,
    /// Conditions and unknowns that depend on each other.
    pub(crate) knots: Vec<Knot>,
    pub(crate) space: Space,
    pub(crate) structure: Structure,
    pub(crate) care: Care,
    /// Booleans that are formulas, by their sets: they name classes better than the formulas do.
    pub(super) names: Vec<(String, BddSet)>,
    /// The mode variables of each enumeration, and that exactly one of them is true.
    pub(super) choices: Vec<(Vec<ModeVar>, BddSet)>,
    /// Mode sets that have been put into words, with what was possible.
    pub(super) known_words: Mutex<FxHashMap<(BddSet, BddSet), String>>,
    /// With one mode, the column of each variable that occurs.
    columns: Vec<u32>,
    /// Modes in which coefficients are looked at, once they are asked for.
    pub(crate) samples: OnceLock<Samples>,
    /// Which rows determine which variables.
    writers: OnceLock<Writers>,
    /// Per knot whether it decides over states.
    over_states: OnceLock<Vec<bool>>,
    calm: OnceLock<Calm>,
    /// The unknowns that are functions of time.
    prescribed: OnceLock<FxHashSet<VarId>>,
    /// Verdicts on knots, with the numbers they hold for.
    verdicts: Mutex<Verdicts>,
    /// Ranks of blocks, with the numbers they hold for.
    pub(crate) ranks: Mutex<Option<KnownRanks>>,
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

impl Structured {
    /// The algebra of [`Members::Set`].
    pub fn sets(&self) -> &BddSets {
        &self.space.sets
    }

    pub(crate) fn writers(&self) -> &Writers {
        self.writers.get_or_init(|| Writers::new(&self.structure))
    }

    pub(crate) fn over_states(&self, find: impl FnOnce() -> Vec<bool>) -> &[bool] {
        self.over_states.get_or_init(find)
    }

    /// What leaves states alone, found once.
    pub(crate) fn calm(&self, find: impl FnOnce() -> Calm) -> &Calm {
        self.calm.get_or_init(find)
    }

    /// The unknowns that are functions of time, found once.
    pub(crate) fn prescribed(&self) -> &FxHashSet<VarId> {
        self.prescribed.get_or_init(|| match &self.structure {
            Structure::All(all) => prescribed(self.sets(), &self.rows, &all.0, &all.1),
            _ => FxHashSet::default(),
        })
    }

    pub(crate) fn verdicts(&self) -> MutexGuard<'_, Verdicts> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the structure of a shape. `check` is called often and gives the search up by unwinding.
    pub fn new(shape: &Shape, options: &Options, check: &dyn Fn()) -> Self {
        let mut mdae = shape.mdae.clone();
        let rows = Rows::new(&mut mdae);
        let space = Space::new(&mdae, options.node_limit);
        let mut this = Self {
            mdae,
            rows,
            mode_count: None,
            classes: None,
            parts: Vec::new(),
            knots: Vec::new(),
            space,
            structure: Structure::Unknown,
            care: Care::default(),
            names: Vec::new(),
            choices: Vec::new(),
            known_words: Mutex::default(),
            columns: Vec::new(),
            samples: OnceLock::new(),
            writers: OnceLock::new(),
            over_states: OnceLock::new(),
            calm: OnceLock::new(),
            prescribed: OnceLock::new(),
            verdicts: Mutex::default(),
            ranks: Mutex::default(),
        };
        if !options.structure {
            return this;
        }
        if this.has_one_mode() {
            this.one_mode();
        } else if let Err(limit) = this.all_modes(check) {
            this.structure = Structure::Nothing(limit);
        }
        this.knots = fixpoint::knots(&mut this, check);
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
        // No guard need mention them, and the diagnosis asks for them.
        for &point in &self.mdae.points {
            self.space.set(&self.mdae, point)?;
        }
        Ok(GuardedProblem {
            active,
            n_variables: self.mdae.variables.len(),
            edges,
            care: self.space.care(&self.mdae)?,
        })
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
