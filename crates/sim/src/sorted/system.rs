//! The equations of a model, ready to be computed: index reduced, discrete ones matched, states chosen.
//!
//! The Sigma-method tells how often each equation is differentiated. With the offsets `c`, `d`, stage `j` determines
//! `x^(d−j)` from `f^(c−j)`; stages above 0 have fewer equations than unknowns, and the unknowns that are left over are
//! states (dummy derivatives, Mattsson and Söderlind 1993). Discrete equations are matched by themselves: each says what
//! its variable is. A condition is what its relation says.

use super::lower::{Class, Held, HeldKind, Lowering, Refusal, Scalar};
use super::order::{Kind, Pair, Rule, Step, order, tasks};
use super::slots::{INITIAL, Key, LAMBDA, Slots};
use super::states::{self, Column, Selection};
use crate::block::Scratch;
use crate::plan::Plan;
use crate::tape::{Copier, Graph, Op, Read, Reg, Unary};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_flat::model::Origin;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::{VarId, VarRef};
use modeshift_structure as structure;
use modeshift_structure::{
    Bipartite, DulmageMendelsohn, EqId, SigmaMatrix, maximum_matching, sigma_method,
};
use std::rc::Rc;
use std::sync::Arc;

/// Names of conditions in messages start here.
pub const CONDITIONS: u32 = 0x8000_0000;

/// The chosen dummies, by block and stage.
pub type Dummies = Vec<Vec<Vec<u32>>>;

/// Equations that are differentiated and share unknowns.
#[derive(Clone, Debug)]
struct Shape {
    rows: Vec<usize>,
    selection: Option<Selection>,
}

/// A model whose equations are matched and differentiated.
pub struct Sorted {
    /// With `initial()` false.
    pub graph: Graph,
    pub slots: Slots,
    /// The unknowns with equations, and their leading derivatives.
    pub unknowns: Vec<u32>,
    pub d: FxHashMap<u32, u32>,
    c: Vec<u32>,
    /// By equation, in `graph`: the residual and its derivatives.
    derivatives: Vec<Vec<Reg>>,
    /// The same in the graph of the lowering.
    pub raw_derivatives: Vec<Vec<Reg>>,
    pub origins: Vec<Arc<Origin>>,
    /// Which unknown each equation is matched with.
    matched: Vec<u32>,
    shapes: Vec<Shape>,
    discrete: Vec<Pair>,
    pub held: Vec<Held>,
    /// By variable: how gladly it is a dummy.
    weight: FxHashMap<u32, f64>,
    certain: FxHashSet<u32>,
    /// Equations with slots that they read, but not their derivatives.
    through: FxHashSet<(usize, u32)>,
    /// Equations are differentiated only so that preferred variables can be states.
    pub prefers: bool,
}

/// A choice of states with its order of computation.
pub struct Choice {
    /// Between events.
    pub plan: Plan,
    /// At events.
    pub event: Vec<Step>,
    pub dummies: Dummies,
}

/// Copies nodes of a lowering with a fixed meaning of `initial()`.
pub fn fixed_initial(initial: f64, target: &mut Graph) -> Copier {
    let mut copier = Copier::default();
    let value = target.constant(initial);
    copier.set(INITIAL, value);
    if initial == 0.0 {
        let one = target.constant(1.0);
        copier.set(LAMBDA, one);
    }
    copier
}

impl Sorted {
    pub fn new(lowering: &mut Lowering<'_>) -> Result<Self, Refusal> {
        left_limits(lowering)?;
        let mut graph = Graph::default();
        let mut copier = fixed_initial(0.0, &mut graph);
        let real = lowering.equations.iter().filter(|equation| equation.real);
        let real: Vec<Scalar> = real.cloned().collect();
        // Unknowns are all continuous variables that anybody reads.
        let mut residuals = Vec::new();
        let mut origins = Vec::new();
        for equation in &real {
            let residual = lowering.graph.sub(equation.lhs, equation.rhs);
            if lowering.graph.value(residual) == Some(0.0) {
                continue;
            }
            residuals.push(residual);
            origins.push(equation.origin.clone());
        }
        let mut columns: FxHashMap<u32, usize> = FxHashMap::default();
        let mut unknowns = Vec::new();
        for (_, key) in lowering.slots.iter() {
            if let Key::Var(v, _) = key
                && lowering.class_of(v) == Class::Continuous
                && lowering.aliases_of(v) == v
                && !columns.contains_key(&v)
            {
                columns.insert(v, unknowns.len());
                unknowns.push(v);
            }
        }
        let mut entries = Vec::new();
        // What residuals read by way of functions whose derivatives read something else.
        let mut rated: Vec<Rated> = Vec::new();
        let mut with_rates = Graph::default();
        let mut rate_copier = fixed_initial(0.0, &mut with_rates);
        rate_copier.keeps_rates = true;
        for (row, &residual) in residuals.iter().enumerate() {
            // Through the copy that the run uses: `initial()` and what only it reads are gone.
            let copied = copier.copy(&lowering.graph, residual, &mut graph);
            let mut entry = |slot: u32| {
                let Some(Key::Var(v, order)) = lowering.slots.key(slot) else {
                    return None;
                };
                let column = structure::VarId::new(*columns.get(&v)?);
                entries.push((EqId::new(row), column, order as i32));
                Some(entries.len() - 1)
            };
            if !lowering.graph.has_rates() {
                graph.slots_of(copied).into_iter().for_each(|slot| {
                    entry(slot);
                });
                continue;
            }
            let copied = rate_copier.copy(&lowering.graph, residual, &mut with_rates);
            for read in with_rates.reads(copied) {
                if let (Some(entry), true) = (entry(read.slot), read.less > 0) {
                    let Read { slot, less } = read;
                    rated.push(Rated { entry, slot, less });
                }
            }
        }
        let offsets = match rated.is_empty() {
            true => offsets(lowering, &residuals, &unknowns, &entries, &origins)?,
            false => match rated_offsets(&mut entries, &rated, residuals.len(), unknowns.len()) {
                Some(offsets) => offsets,
                None => {
                    rated.clear();
                    offsets(lowering, &residuals, &unknowns, &entries, &origins)?
                }
            },
        };
        let through: FxHashSet<(usize, u32)> = rated
            .iter()
            .map(|it| (entries[it.entry].0.index(), it.slot))
            .collect();
        let matrix = SigmaMatrix::from_entries(residuals.len(), unknowns.len(), &entries);
        let weight = weights(lowering, &unknowns);
        let wanted = match lowering.prefer {
            true => wanted_states(&matrix, &offsets, |x| weight[&unknowns[x.index()]]),
            false => FxHashSet::default(),
        };
        let offsets = offsets.raised(&matrix, |x| i32::from(wanted.contains(&x)));
        let c: Vec<u32> = offsets.c.iter().map(|&c| c as u32).collect();
        let d = unknowns
            .iter()
            .zip(&offsets.d)
            .map(|(&v, &d)| (v, d as u32))
            .collect();
        let matched: Vec<u32> = (0..residuals.len())
            .map(|f| {
                offsets
                    .matching
                    .variable_of(EqId::new(f))
                    .map_or(0, |x| unknowns[x.index()])
            })
            .collect();
        let mut raw_derivatives = Vec::new();
        for (&residual, &c) in residuals.iter().zip(&c) {
            let mut list = vec![residual];
            for _ in 0..c {
                let last = list.last().copied().unwrap_or(residual);
                list.push(lowering.derivative(last));
            }
            raw_derivatives.push(list);
        }
        if lowering.delayed_derivative {
            let why = "a delayed value would have to be differentiated".to_owned();
            return Err(Refusal {
                why,
                origin: None,
                structural: false,
                at_start: false,
            });
        }
        let derivatives: Vec<Vec<Reg>> = raw_derivatives
            .iter()
            .map(|list| {
                list.iter()
                    .map(|&reg| copier.copy(&lowering.graph, reg, &mut graph))
                    .collect()
            })
            .collect();
        let discrete = discrete_pairs(lowering, &mut copier, &mut graph)?;
        let held = lowering
            .held
            .iter()
            .map(|held| held.copied(&lowering.graph, &mut copier, &mut graph))
            .collect();
        let mut this = Self {
            graph,
            slots: lowering.slots.clone(),
            d,
            c,
            derivatives,
            raw_derivatives,
            origins,
            matched,
            shapes: Vec::new(),
            discrete,
            held,
            weight,
            certain: FxHashSet::default(),
            through,
            prefers: !wanted.is_empty(),
            unknowns,
        };
        // Leading derivatives and those of states have slots.
        for &v in &this.unknowns {
            for order in 0..=this.d[&v] {
                this.slots.of(Key::Var(v, order));
                lowering.slots.of(Key::Var(v, order));
            }
        }
        for (rows, columns) in constraints(&matrix, &offsets) {
            let columns: Vec<u32> = columns.iter().map(|&x| this.unknowns[x]).collect();
            let selection = this.selection(&rows, &columns);
            let certain = selection.iter().flat_map(Selection::certain);
            this.certain.extend(certain);
            this.shapes.push(Shape { rows, selection });
        }
        Ok(this)
    }

    pub fn weight_of(&self, v: u32) -> f64 {
        self.weight.get(&v).copied().unwrap_or(1.0)
    }

    /// Whether a variable follows from others whatever the values.
    pub fn is_certain_dummy(&self, v: u32) -> bool {
        self.certain.contains(&v)
    }

    fn slot(&self, v: u32, order: u32) -> u32 {
        self.slots.get(Key::Var(v, order)).unwrap_or(0)
    }

    fn selection(&self, rows: &[usize], columns: &[u32]) -> Option<Selection> {
        let candidates: Vec<Column> = columns
            .iter()
            .filter(|x| self.d[x] > 0)
            .map(|&x| Column {
                variable: x,
                order: self.d[&x],
                weight: self.weight_of(x),
            })
            .collect();
        let places: FxHashMap<u32, usize> = candidates
            .iter()
            .enumerate()
            .map(|(i, x)| (x.variable, i))
            .collect();
        let latent: Vec<states::Row> = rows
            .iter()
            .filter(|&&f| self.c[f] > 0)
            .map(|&f| {
                let residual = self.derivatives[f][0];
                let leading = |slot: u32| {
                    let Some(Key::Var(x, order)) = self.slots.key(slot) else {
                        return None;
                    };
                    let column = *places.get(&x)?;
                    (order + self.c[f] == candidates[column].order).then_some((slot, column))
                };
                let read = self.graph.slots_of(residual).into_iter();
                let read = read.filter(|&slot| !self.through.contains(&(f, slot)));
                let mut entries: Vec<(u32, usize)> = read.filter_map(leading).collect();
                entries.sort_unstable();
                states::Row {
                    order: self.c[f],
                    residual,
                    entries,
                }
            })
            .collect();
        Selection::new(&self.graph, &latent, candidates)
    }

    /// Whether the choice of states can ever become a bad one.
    pub fn needs_watching(&self) -> bool {
        let mut selections = self.shapes.iter().filter_map(|s| s.selection.as_ref());
        selections.any(Selection::moves)
    }

    /// The dummies that are best at `values`; otherwise those among which none can be chosen.
    pub fn choose(&self, values: &[f64], scratch: &mut Scratch) -> Result<Dummies, Vec<VarRef>> {
        let of_shape = |shape: &Shape| {
            let Some(selection) = &shape.selection else {
                return Ok(Vec::new());
            };
            selection.choose(values, scratch).ok_or_else(|| {
                let stuck = |x: &Column| VarRef::now(VarId(x.variable), x.order - 1);
                selection.columns().map(stuck).collect()
            })
        };
        self.shapes.iter().map(of_shape).collect()
    }

    /// Whether the dummies are still a good choice.
    pub fn is_good(&self, dummies: &Dummies, values: &[f64], scratch: &mut Scratch) -> bool {
        self.shapes.iter().zip(dummies).all(|(shape, stages)| {
            let selection = shape.selection.as_ref();
            selection.is_none_or(|selection| selection.is_good(stages, values, scratch))
        })
    }

    /// The order of computation with these dummies.
    pub fn build(&self, dummies: Dummies) -> Result<Choice, Vec<VarRef>> {
        let name = |v: u32, order: u32| VarRef::now(VarId(v), order);
        let mut pairs = Vec::new();
        let continuous = |v: u32, order: u32, reg: Reg| Pair {
            slot: self.slot(v, order),
            name: name(v, order),
            rule: Rule::Residual(reg),
            kind: Kind::Continuous,
        };
        for (f, list) in self.derivatives.iter().enumerate() {
            let x = self.matched[f];
            pairs.push(continuous(x, self.d[&x], list[self.c[f] as usize]));
        }
        let mut computed: FxHashSet<(u32, u32)> = FxHashSet::default();
        for (shape, stages) in self.shapes.iter().zip(&dummies) {
            for (i, chosen) in stages.iter().enumerate() {
                let stage = i as u32 + 1;
                let rows: Vec<Reg> = shape
                    .rows
                    .iter()
                    .filter(|&&f| self.c[f] >= stage)
                    .map(|&f| self.derivatives[f][(self.c[f] - stage) as usize])
                    .collect();
                let slots: Vec<u32> = chosen
                    .iter()
                    .map(|&x| self.slot(x, self.d[&x] - stage))
                    .collect();
                let places: FxHashMap<u32, usize> =
                    slots.iter().enumerate().map(|(i, &s)| (s, i)).collect();
                let mut edges = Vec::new();
                for (row, &reg) in rows.iter().enumerate() {
                    for slot in self.graph.slots_of(reg) {
                        if let Some(&x) = places.get(&slot) {
                            edges.push((EqId::new(row), structure::VarId::new(x)));
                        }
                    }
                }
                let matching =
                    maximum_matching(&Bipartite::from_edges(rows.len(), slots.len(), &edges));
                for (row, &reg) in rows.iter().enumerate() {
                    let Some(x) = matching.variable_of(EqId::new(row)) else {
                        return Err(chosen
                            .iter()
                            .map(|&x| name(x, self.d[&x] - stage))
                            .collect());
                    };
                    let x = chosen[x.index()];
                    pairs.push(continuous(x, self.d[&x] - stage, reg));
                    computed.insert((x, self.d[&x] - stage));
                }
            }
        }
        let mut states = Vec::new();
        for &v in &self.unknowns {
            let orders = (0..self.d[&v]).filter(|&order| !computed.contains(&(v, order)));
            states.extend(orders.map(|order| (v, order)));
        }
        let tasks = tasks(&self.graph, &pairs);
        let plan = Plan::from_tasks(
            tasks,
            states.iter().map(|&(v, order)| name(v, order)).collect(),
            states
                .iter()
                .map(|&(v, order)| self.slot(v, order))
                .collect(),
            states
                .iter()
                .map(|&(v, order)| self.slot(v, order + 1))
                .collect(),
            self.slots.len(),
        );
        pairs.extend(&self.discrete);
        pairs.extend(held_pairs(&self.held));
        let event = order(&self.graph, &pairs);
        Ok(Choice {
            plan,
            event,
            dummies,
        })
    }

    /// Slots of discrete variables and conditions.
    pub fn discrete_slots(&self) -> impl Iterator<Item = (u32, VarRef)> + '_ {
        let pairs = self.discrete.iter().map(|pair| (pair.slot, pair.name));
        pairs.chain(held_pairs(&self.held).map(|pair| (pair.slot, pair.name)))
    }
}

/// Conditions with what they are at an event.
pub fn held_pairs(held: &[Held]) -> impl Iterator<Item = Pair> + '_ {
    held.iter().enumerate().map(|(i, held)| Pair {
        slot: held.slot,
        name: VarRef::now(VarId(CONDITIONS + i as u32), 0),
        rule: Rule::Value(held.value),
        kind: Kind::Held,
    })
}

impl Held {
    /// The same in another graph.
    pub fn copied(&self, from: &Graph, copier: &mut Copier, to: &mut Graph) -> Self {
        let mut copy = |reg: Reg| copier.copy(from, reg, to);
        Self {
            kind: match self.kind {
                HeldKind::Relation(op, a, b) => HeldKind::Relation(op, copy(a), copy(b)),
                HeldKind::Round(op, a) => HeldKind::Round(op, copy(a)),
            },
            value: copy(self.value),
            time_slope: self.time_slope.map(&mut copy),
            slot: self.slot,
            origin: self.origin.clone(),
        }
    }
}

/// An entry that a value has and its derivatives have not, up to some order.
struct Rated {
    entry: usize,
    slot: u32,
    less: u32,
}

/// The offsets where derivatives of functions read what the functions themselves do not. An equation that is differentiated
/// `c` times has such a variable with the order of the equation itself, until the annotations end. Nothing if one of
/// these variables is determined by such an equation: then its derivatives are needed after all.
fn rated_offsets(
    entries: &mut [(EqId, structure::VarId, i32)],
    rated: &[Rated],
    rows: usize,
    columns: usize,
) -> Option<structure::Offsets> {
    let orders: Vec<i32> = rated.iter().map(|it| entries[it.entry].2).collect();
    for it in rated {
        entries[it.entry].2 -= it.less as i32;
    }
    let matrix = SigmaMatrix::from_entries(rows, columns, entries);
    let offsets = sigma_method(&matrix).filter(|offsets| {
        let used = |it: &Rated| {
            let (f, x, _) = entries[it.entry];
            offsets.matching.variable_of(f) == Some(x)
        };
        !rated.iter().any(used)
    });
    for (it, order) in rated.iter().zip(orders) {
        let entry = &mut entries[it.entry];
        let c = offsets
            .as_ref()
            .map_or(0, |offsets| offsets.c[entry.0.index()]);
        entry.2 = order - c.min(it.less as i32);
    }
    offsets
}

fn offsets(
    lowering: &Lowering<'_>,
    residuals: &[Reg],
    unknowns: &[u32],
    entries: &[(EqId, structure::VarId, i32)],
    origins: &[Arc<Origin>],
) -> Result<structure::Offsets, Refusal> {
    let matrix = SigmaMatrix::from_entries(residuals.len(), unknowns.len(), entries);
    if let Some(offsets) = sigma_method(&matrix) {
        return Ok(offsets);
    }
    let parts = DulmageMendelsohn::new(matrix.graph());
    let name = |x: &structure::VarId| lowering.name(unknowns[x.index()]);
    let under = parts.under_witness(matrix.graph());
    let over = parts.over_witness(matrix.graph());
    let refusal = |why: String, origin: Option<&EqId>| Refusal {
        why,
        origin: origin.map(|f| origins[f.index()].clone()),
        structural: false,
        at_start: false,
    };
    if let Some(part) = under.filter(|part| !part.variables.is_empty()) {
        let names: Vec<String> = part.variables.iter().take(8).map(name).collect();
        let too_many: Vec<String> = over
            .iter()
            .flat_map(|part| &part.variables)
            .take(8)
            .map(name)
            .collect();
        let mut why = format!("too few equations determine {}", names.join(", "));
        if !too_many.is_empty() {
            why.push_str(&format!(", too many determine {}", too_many.join(", ")));
        }
        return Err(refusal(why, part.equations.first()));
    }
    let (names, origin) = match &over {
        Some(part) => {
            let names: Vec<String> = part.variables.iter().take(8).map(name).collect();
            (names, part.equations.first())
        }
        None => (Vec::new(), None),
    };
    Err(refusal(
        format!("too many equations for {}", names.join(", ")),
        origin,
    ))
}

/// An equation that reads the left limit of a continuous variable holds between events, where that limit is the value:
/// such a condition speaks about a change of mode.
fn left_limits(lowering: &Lowering<'_>) -> Result<(), Refusal> {
    for equation in lowering
        .equations
        .iter()
        .filter(|equation| !equation.at_instants)
    {
        for side in [equation.lhs, equation.rhs] {
            for slot in lowering.graph.slots_of(side) {
                if let Some(Key::Pre(v)) = lowering.slots.key(slot)
                    && lowering.class_of(v) == Class::Continuous
                {
                    let why = format!("the left limit of {} between events", lowering.name(v));
                    let origin = Some(equation.origin.clone());
                    return Err(Refusal {
                        why,
                        origin,
                        structural: true,
                        at_start: false,
                    });
                }
            }
        }
    }
    Ok(())
}

/// Variables that nobody differentiates and that shall be states (section 4.8.8.1 of the specification: preferred variables
/// count even if they do not appear differentiated), where a variable that is preferred less would be one instead: they
/// depend on it. Linear in the entries.
fn wanted_states(
    matrix: &SigmaMatrix,
    offsets: &structure::Offsets,
    weight: impl Fn(structure::VarId) -> f64,
) -> FxHashSet<structure::VarId> {
    let graph = matrix.graph();
    let n = graph.n_equations();
    // By variable: the equations that need its leading derivative.
    let mut readers = vec![Vec::new(); graph.n_variables()];
    let mut depends = vec![false; n];
    let mut open = Vec::new();
    for f in (0..n).map(EqId::new) {
        for edge in graph.edges_of(f) {
            let x = graph.variable_at(edge);
            if offsets.is_tight(matrix, f, edge) {
                readers[x.index()].push(f);
            } else if weight(x) > PREFERRED && !depends[f.index()] {
                depends[f.index()] = true;
                open.push(f);
            }
        }
    }
    while let Some(f) = open.pop() {
        let Some(x) = offsets.matching.variable_of(f) else {
            continue;
        };
        for &reader in &readers[x.index()] {
            if !std::mem::replace(&mut depends[reader.index()], true) {
                open.push(reader);
            }
        }
    }
    let moves = |x: structure::VarId| {
        let f = offsets.matching.equation_of(x);
        f.is_some_and(|f| depends[f.index()])
    };
    (0..graph.n_variables())
        .map(structure::VarId::new)
        .filter(|&x| offsets.d[x.index()] == 0 && weight(x) <= PREFERRED && moves(x))
        .collect()
}

/// Equations that are differentiated, with their highest derivatives, in groups that share none. A state may be exchanged for any
/// other one of its group, also across blocks of the order of computation. Linear in the entries.
fn constraints(
    matrix: &SigmaMatrix,
    offsets: &structure::Offsets,
) -> Vec<(Vec<usize>, Vec<usize>)> {
    let graph = matrix.graph();
    let mut group: Vec<usize> = (0..graph.n_variables()).collect();
    fn root(group: &mut [usize], mut x: usize) -> usize {
        while group[x] != x {
            group[x] = group[group[x]];
            x = group[x];
        }
        x
    }
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for f in graph.equations().filter(|f| offsets.c[f.index()] > 0) {
        let edges = graph.edges_of(f);
        let tight = edges.filter(|&edge| offsets.is_tight(matrix, f, edge));
        let mut columns = tight.map(|edge| graph.variable_at(edge).index());
        let Some(first) = columns.next() else {
            continue;
        };
        let first = root(&mut group, first);
        for x in columns {
            let x = root(&mut group, x);
            group[x] = first;
        }
        rows.push((f.index(), first));
    }
    let mut members: FxIndexMap<usize, (Vec<usize>, Vec<usize>)> = FxIndexMap::default();
    for (f, x) in rows {
        let x = root(&mut group, x);
        members.entry(x).or_default().0.push(f);
    }
    for x in 0..group.len() {
        let of = root(&mut group, x);
        if let Some((_, columns)) = members.get_mut(&of) {
            columns.push(x);
        }
    }
    members.into_values().collect()
}

/// Variables that are dummies as reluctantly as this are preferred as states.
const PREFERRED: f64 = 1e-3;

/// How gladly a variable is a dummy: by `stateSelect`, and whether its start is fixed.
fn weights(lowering: &mut Lowering<'_>, unknowns: &[u32]) -> FxHashMap<u32, f64> {
    let chosen: FxHashSet<u32> = lowering.reinits.iter().map(|r| r.variable).collect();
    let mut best: FxHashMap<u32, (f64, bool)> = FxHashMap::default();
    for v in 0..lowering.class.len() as u32 {
        if lowering.class_of(v) != Class::Continuous {
            continue;
        }
        let unknown = lowering.aliases_of(v);
        let select = lowering.attribute(v, "stateSelect").unwrap_or(3.0);
        let fixed = lowering.attribute(v, "fixed") == Some(1.0);
        let entry = best.entry(unknown).or_insert((3.0, false));
        if (select - 3.0).abs() > (entry.0 - 3.0).abs() {
            entry.0 = select;
        }
        entry.1 |= fixed;
    }
    let weight = |v: &u32| {
        let (select, fixed) = best.get(v).copied().unwrap_or((3.0, false));
        let select = if chosen.contains(v) { 5.0 } else { select };
        let by_select = libm::pow(10.0, (3.0 - select) * 4.0);
        by_select * if fixed { 0.5 } else { 1.0 }
    };
    unknowns.iter().map(|v| (*v, weight(v))).collect()
}

/// The discrete variable that one side of an equation is, with what it is equal to.
pub fn isolated(graph: &mut Graph, lhs: Reg, rhs: Reg) -> Vec<(u32, Reg)> {
    let mut list = Vec::new();
    for (x, other) in [(lhs, rhs), (rhs, lhs)] {
        match graph.op(x) {
            Op::Input(slot) => list.push((slot, other)),
            Op::Unary(Unary::Not, inner) => {
                if let Op::Input(slot) = graph.op(inner) {
                    let value = graph.unary(Unary::Not, other);
                    list.push((slot, value));
                }
            }
            Op::Unary(Unary::Neg, inner) => {
                if let Op::Input(slot) = graph.op(inner) {
                    let value = graph.neg(other);
                    list.push((slot, value));
                }
            }
            _ => {}
        }
    }
    list
}

/// Which discrete variable each discrete equation determines.
pub fn discrete_pairs(
    lowering: &Lowering<'_>,
    copier: &mut Copier,
    graph: &mut Graph,
) -> Result<Vec<Pair>, Refusal> {
    let mut columns: FxHashMap<u32, usize> = FxHashMap::default();
    let mut slots = Vec::new();
    for (slot, key) in lowering.slots.iter() {
        if let Key::Var(v, 0) = key
            && lowering.class_of(v) == Class::Discrete
        {
            columns.insert(slot, slots.len());
            slots.push((slot, v));
        }
    }
    let mut edges = Vec::new();
    let mut candidates = Vec::new();
    let mut kept = Vec::new();
    for equation in lowering.equations.iter().filter(|equation| !equation.real) {
        let lhs = copier.copy(&lowering.graph, equation.lhs, graph);
        let rhs = copier.copy(&lowering.graph, equation.rhs, graph);
        if lhs == rhs {
            continue;
        }
        let mut list = isolated(graph, lhs, rhs);
        list.retain(|(slot, _)| columns.contains_key(slot));
        for (slot, _) in &list {
            edges.push((EqId::new(kept.len()), structure::VarId::new(columns[slot])));
        }
        candidates.push(list);
        kept.push(equation);
    }
    let matching = maximum_matching(&Bipartite::from_edges(kept.len(), slots.len(), &edges));
    let mut pairs = Vec::new();
    for (row, equation) in kept.iter().enumerate() {
        let Some(x) = matching.variable_of(EqId::new(row)) else {
            let why = "a discrete equation determines no variable of its own".to_owned();
            return Err(Refusal {
                why,
                origin: Some(equation.origin.clone()),
                structural: false,
                at_start: false,
            });
        };
        let (slot, v) = slots[x.index()];
        let value = candidates[row]
            .iter()
            .find(|(s, _)| *s == slot)
            .map_or(0, |c| c.1);
        let real = v < lowering.class.len() as u32 && matches!(lowering.variable(v).ty, Type::Real);
        let (rule, kind) = if real {
            let x = graph.input(slot);
            (Rule::Residual(graph.sub(x, value)), Kind::Continuous)
        } else {
            (Rule::Value(value), Kind::Discrete)
        };
        let name = VarRef::now(VarId(v), 0);
        pairs.push(Pair {
            slot,
            name,
            rule,
            kind,
        });
    }
    let missing: Vec<String> = matching
        .free_variables()
        .map(|x| slots[x.index()].1)
        .filter(|&v| v < lowering.class.len() as u32)
        .take(8)
        .map(|v| lowering.name(v))
        .collect();
    if !missing.is_empty() {
        let why = format!("no equation determines {}", missing.join(", "));
        return Err(Refusal {
            why,
            origin: None,
            structural: false,
            at_start: false,
        });
    }
    Ok(pairs)
}

/// A choice that is shared.
pub type SharedChoice = Rc<Choice>;
