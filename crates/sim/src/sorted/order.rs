//! The order in which matched equations are computed: strongly connected components of who reads whom, explicit
//! assignments gathered into programs, loops of numbers torn, loops through held values solved by [`Mixed`].

use super::invert::{Inverted, inverted};
use super::mixed::Mixed;
use crate::block::{Block, BlockError, Scratch};
use crate::branches::Branches;
use crate::plan::{Need, Task};
use crate::profile::{At, BlockCost, Cost};
use crate::tape::{Binary, Copier, Graph, Op, Program, Reg};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::VarRef;
use modeshift_structure::{Bipartite, EqId, Matching, VarId, block_triangular_form};

/// How an unknown is determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// It is this.
    Value(Reg),
    /// It makes this zero.
    Residual(Reg),
}

impl Rule {
    pub fn reg(self) -> Reg {
        match self {
            Self::Value(reg) | Self::Residual(reg) => reg,
        }
    }
}

/// An unknown with its equation.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub slot: u32,
    pub name: VarRef,
    pub rule: Rule,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Continuous,
    Discrete,
    /// A condition or integer part.
    Held,
}

/// A step of the computation.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "most steps are tasks")]
pub enum Step {
    Task(Task),
    Mixed(Box<Mixed>),
}

impl Step {
    pub fn run(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        match self {
            Self::Task(task) => task.run(values, scratch),
            Self::Mixed(mixed) => mixed.solve(values, scratch),
        }
    }
}

impl Step {
    /// The same where nothing near the solution is known: what Newton's method does not find is followed.
    pub fn run_from_afar(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
    ) -> Result<(), BlockError> {
        let Self::Task(Task::Solve(block)) = self else {
            return self.run(values, scratch);
        };
        let slots: Vec<u32> = block.outputs().collect();
        let before: Vec<f64> = slots.iter().map(|&slot| values[slot as usize]).collect();
        let Err(error) = block.solve(values, scratch) else {
            return Ok(());
        };
        for (&slot, value) in slots.iter().zip(before) {
            values[slot as usize] = value;
        }
        block.follow(values, scratch).map_err(|_| error)
    }
}

/// What the tasks of some steps cost so far.
pub fn costs(steps: &[Step], at: At, into: &mut Vec<BlockCost>) {
    for step in steps {
        match step {
            Step::Task(task) => into.push(task.cost(at)),
            Step::Mixed(mixed) => costs(mixed.steps(), at, into),
        }
    }
}

/// Calls `with` for the branches of all blocks in some steps.
pub fn for_each_branches(steps: &[Step], with: &mut dyn FnMut(&Branches)) {
    for step in steps {
        match step {
            Step::Task(Task::Solve(block)) => block.branches().into_iter().for_each(&mut *with),
            Step::Task(Task::Assign { .. }) => {}
            Step::Mixed(mixed) => for_each_branches(mixed.steps(), with),
        }
    }
}

/// The strongly connected components, in the order of computation. Linear in what the equations read.
fn components(graph: &Graph, pairs: &[Pair], read: &mut FxHashSet<u32>) -> Vec<Vec<usize>> {
    let places: FxHashMap<u32, usize> =
        pairs.iter().enumerate().map(|(i, p)| (p.slot, i)).collect();
    let mut edges = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        edges.push((EqId::new(i), VarId::new(i)));
        for slot in graph.slots_of(pair.rule.reg()) {
            if slot != pair.slot {
                read.insert(slot);
            }
            if let Some(&j) = places.get(&slot) {
                edges.push((EqId::new(i), VarId::new(j)));
            }
        }
    }
    let n = pairs.len();
    let graph = Bipartite::from_edges(n, n, &edges);
    let identity = (0..n).map(|i| (EqId::new(i), VarId::new(i)));
    let matching = Matching::from_pairs(n, n, identity);
    let blocks = block_triangular_form(&graph, &matching);
    let each =
        |block: modeshift_structure::Block<'_>| block.equations.iter().map(|e| e.index()).collect();
    blocks.iter().map(each).collect()
}

/// Whether the equation of a pair reads its own unknown.
fn reads_itself(graph: &Graph, pair: &Pair) -> bool {
    graph.slots_of(pair.rule.reg()).contains(&pair.slot)
}

/// Those pairs that can be computed one after the other.
pub fn without_cycles(graph: &Graph, pairs: Vec<Pair>) -> Vec<Pair> {
    let blocks = components(graph, &pairs, &mut FxHashSet::default());
    let alone = blocks.into_iter().filter(|block| block.len() == 1);
    alone.map(|block| pairs[block[0]]).collect()
}

/// Compiles pairs in the order in which they can be computed.
pub fn order(graph: &Graph, pairs: &[Pair]) -> Vec<Step> {
    ordered(graph, pairs, None)
}

/// The same for a system of which nothing is known but guesses: `given` are the slots for which the model has one.
pub fn order_at_start(graph: &Graph, pairs: &[Pair], given: &FxHashSet<u32>) -> Vec<Step> {
    ordered(graph, pairs, Some(given))
}

fn ordered(graph: &Graph, pairs: &[Pair], given: Option<&FxHashSet<u32>>) -> Vec<Step> {
    let mut builder = Builder {
        given,
        ..Builder::default()
    };
    let blocks = components(graph, pairs, &mut builder.read);
    for block in blocks {
        let mut members: Vec<Pair> = block.iter().map(|&i| pairs[i]).collect();
        members.sort_by_key(|pair| pair.slot);
        if members.iter().any(|pair| pair.kind != Kind::Continuous) {
            if let [pair] = members[..]
                && !reads_itself(graph, &pair)
            {
                builder.value(graph, &pair, pair.rule.reg());
            } else {
                builder.flush();
                builder
                    .steps
                    .push(Step::Mixed(Box::new(mixed(graph, &members, given))));
            }
        } else {
            builder.solve(graph, &members);
        }
    }
    builder.flush();
    builder.steps
}

/// The same for continuous unknowns alone.
pub fn tasks(graph: &Graph, pairs: &[Pair]) -> Vec<Task> {
    let steps = order(graph, pairs).into_iter();
    steps
        .filter_map(|step| match step {
            Step::Task(task) => Some(task),
            Step::Mixed(_) => None,
        })
        .collect()
}

/// A loop through held values: some of them are guessed, so that the rest can be computed in order.
fn mixed(graph: &Graph, members: &[Pair], given: Option<&FxHashSet<u32>>) -> Mixed {
    let mut torn = vec![false; members.len()];
    let any_held = members.iter().any(|pair| pair.kind == Kind::Held);
    for (torn, pair) in torn.iter_mut().zip(members) {
        *torn = any_held && pair.kind == Kind::Held;
    }
    loop {
        let rest: Vec<usize> = (0..members.len()).filter(|&i| !torn[i]).collect();
        let pairs: Vec<Pair> = rest.iter().map(|&i| members[i]).collect();
        let mut again = false;
        for block in components(graph, &pairs, &mut FxHashSet::default()) {
            let first = block
                .iter()
                .filter(|&&i| pairs[i].kind != Kind::Continuous)
                .min();
            let Some(&first) = first else { continue };
            if block.len() > 1 || reads_itself(graph, &pairs[first]) {
                torn[rest[first]] = true;
                again = true;
            }
        }
        if !again {
            let guessed: Vec<Pair> = (0..members.len())
                .filter(|&i| torn[i])
                .map(|i| members[i])
                .collect();
            let regs: Vec<Reg> = guessed.iter().map(|pair| pair.rule.reg()).collect();
            let steps = ordered(graph, &pairs, given);
            return Mixed::new(steps, &guessed, Program::new(graph, &regs));
        }
    }
}

#[derive(Default)]
struct Builder<'a> {
    /// At the start, the slots for which the model has a guess.
    given: Option<&'a FxHashSet<u32>>,
    steps: Vec<Step>,
    graph: Graph,
    copier: Copier,
    assigned: Vec<(Pair, Reg)>,
    /// Slots that equations read.
    read: FxHashSet<u32>,
}

impl Builder<'_> {
    fn solve(&mut self, graph: &Graph, members: &[Pair]) {
        if let [pair] = members {
            if let Some(value) = direct(graph, pair) {
                self.value(graph, pair, value);
                return;
            }
            let found = linear(graph, pair)
                .filter(|found| self.given.is_none() || !found.conditional)
                .or_else(|| inverted(graph, pair));
            if let Some(Inverted {
                graph: small,
                value,
                claimed: false,
                ..
            }) = &found
            {
                let leaves = std::mem::take(&mut self.copier.leaves);
                let mut copier = Copier::with_leaves(leaves);
                let reg = copier.copy(small, *value, &mut self.graph);
                self.copier.leaves = copier.leaves;
                // A coefficient of zero leaves no number, and no solution: an error even if nobody reads it.
                self.read.insert(pair.slot);
                self.assign(pair, reg);
                return;
            }
            self.flush();
            if let Some(guess) = found {
                self.steps.push(Step::Task(Task::Assign {
                    program: Program::new(&guess.graph, &[guess.value]),
                    slots: vec![pair.slot],
                    unknowns: vec![pair.name],
                    needs: vec![Need::Guess],
                    cost: Cost::default(),
                }));
            }
        }
        self.flush();
        let residuals: Vec<Reg> = members.iter().map(|pair| pair.rule.reg()).collect();
        let mut residuals_graph = None;
        if members
            .iter()
            .any(|pair| matches!(pair.rule, Rule::Value(_)))
        {
            // Explicit equations inside a loop are residuals, too.
            let mut copy = graph.clone();
            let regs: Vec<Reg> = members
                .iter()
                .map(|pair| match pair.rule {
                    Rule::Residual(reg) => reg,
                    Rule::Value(reg) => {
                        let x = copy.input(pair.slot);
                        copy.sub(x, reg)
                    }
                })
                .collect();
            residuals_graph = Some((copy, regs));
        }
        let (graph, residuals) = match &residuals_graph {
            Some((graph, regs)) => (graph, regs),
            None => (graph, &residuals),
        };
        let slots: Vec<u32> = members.iter().map(|pair| pair.slot).collect();
        let names: Vec<VarRef> = members.iter().map(|pair| pair.name).collect();
        let given = |slot: &u32| self.given.is_some_and(|given| given.contains(slot));
        let preferred: Vec<bool> = slots.iter().map(given).collect();
        let block = Block::from_graph(graph, residuals, &slots, &names, &preferred);
        self.steps.push(Step::Task(Task::Solve(Box::new(block))));
    }

    fn value(&mut self, graph: &Graph, pair: &Pair, value: Reg) {
        let reg = self.copier.copy(graph, value, &mut self.graph);
        self.assign(pair, reg);
    }

    fn assign(&mut self, pair: &Pair, reg: Reg) {
        self.copier.set(pair.slot, reg);
        self.assigned.push((*pair, reg));
    }

    fn flush(&mut self) {
        if self.assigned.is_empty() {
            return;
        }
        let assigned = std::mem::take(&mut self.assigned);
        let regs: Vec<Reg> = assigned.iter().map(|a| a.1).collect();
        let need = |pair: &Pair| match pair.kind {
            Kind::Discrete => Need::Whole,
            Kind::Continuous if self.read.contains(&pair.slot) => Need::Number,
            // A relation may have no value where nothing that is taken reads it.
            Kind::Continuous | Kind::Held => Need::Nothing,
        };
        self.steps.push(Step::Task(Task::Assign {
            program: Program::new(&self.graph, &regs),
            slots: assigned.iter().map(|a| a.0.slot).collect(),
            unknowns: assigned.iter().map(|a| a.0.name).collect(),
            needs: assigned.iter().map(|a| need(&a.0)).collect(),
            cost: Cost::default(),
        }));
        self.graph = Graph::default();
        self.copier = Copier::default();
    }
}

/// The value where the equation is `x = e` or `e = x`, with an `e` that does not read `x`.
fn direct(graph: &Graph, pair: &Pair) -> Option<Reg> {
    let free = |reg: Reg| !graph.slots_of(reg).contains(&pair.slot);
    match pair.rule {
        Rule::Value(reg) => free(reg).then_some(reg),
        Rule::Residual(reg) => {
            let is_x = |reg: Reg| graph.op(reg) == Op::Input(pair.slot);
            match graph.op(reg) {
                Op::Binary(Binary::Sub, a, b) if is_x(a) && free(b) => Some(b),
                Op::Binary(Binary::Sub, a, b) if is_x(b) && free(a) => Some(a),
                _ => None,
            }
        }
    }
}

/// `x = −b/a` if the equation is linear in `x`, in a graph of its own.
fn linear(graph: &Graph, pair: &Pair) -> Option<Inverted> {
    let mut small = Graph::default();
    let mut whole = Copier::default().copy(graph, pair.rule.reg(), &mut small);
    let x = small.input(pair.slot);
    if let Rule::Value(_) = pair.rule {
        whole = small.sub(x, whole);
    }
    let slope = small.derivatives(&[whole], &[x])[0][0]?;
    if small.dependent(&[slope], &[x])[0] || small.slots_of(whole).is_empty() {
        return None;
    }
    let mut target = Graph::default();
    let zero = target.constant(0.0);
    let mut copier = Copier::default();
    copier.set(pair.slot, zero);
    let rest = copier.copy(&small, whole, &mut target);
    let slope = copier.copy(&small, slope, &mut target);
    let conditional = chooses(&target, slope);
    let negative = target.neg(rest);
    let value = target.div(negative, slope);
    Some(Inverted {
        graph: target,
        value,
        claimed: false,
        conditional,
    })
}

/// Whether a condition chooses between values in what leads to a node. Linear in the graph.
fn chooses(graph: &Graph, node: Reg) -> bool {
    let mut small = Graph::default();
    Copier::default().copy(graph, node, &mut small);
    (0..small.len() as Reg).any(|reg| matches!(small.op(reg), Op::Select(..)))
}
