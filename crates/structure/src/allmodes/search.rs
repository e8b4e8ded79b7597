//! The primal-dual matching of the Sigma-method on mode sets: all modes of one component together.
//!
//! State: per edge the modes in which it is matched; per equation and variable its offset as a
//! partition. An edge is tight in the modes where `d_x − c_f = σ`. Each equation in turn is a root,
//! with `todo` = the modes in which it is active and still needs a variable:
//!
//! - An alternating search spreads mode sets over tight edges. A variable accepts only modes it has not
//!   been reached in; hence, in every single mode, this is the ordinary search, and the predecessors of
//!   a variable are disjoint mode sets. Modes that arrive at a free variable leave `todo`.
//! - When nothing moves any more: in modes where no reached equation has an edge to an unreached
//!   variable, the reached equations are too many for their variables (Hall): these modes are singular.
//!   In the others `c` of the reached equations and `d` of the reached variables rise by one, which
//!   makes new edges tight and keeps the search tree tight; the search goes on.
//! - At the end the predecessor list, walked backwards once, moves the matching along the paths found,
//!   in all modes at once.
//!
//! The offsets are the smallest ones, mode by mode, for the reason given in `weighted`.

use super::blocks::{UnionBlock, union_blocks};
use super::components::LocalProblem;
use super::partition::{self, Partition};
use crate::{ModeSets, NodeLimit};
use std::collections::VecDeque;

/// What is known about a component in the end; sets lie within its regular modes.
pub(super) struct Solved<S> {
    pub regular: S,
    pub c: Vec<Partition<S>>,
    pub d: Vec<Partition<S>>,
    /// Per edge of the local problem.
    pub matched: Vec<S>,
}

/// Solves a component, block by block.
pub(super) fn solve<M: ModeSets>(
    sets: &M,
    local: &LocalProblem<M::Set>,
) -> Result<Solved<M::Set>, NodeLimit> {
    let Some(blocks) = union_blocks(sets, local)? else {
        return Ok(Solved {
            regular: sets.empty(),
            c: vec![vec![]; local.active.len()],
            d: vec![vec![]; local.present.len()],
            matched: vec![sets.empty(); local.edges.len()],
        });
    };
    let mut search = Search::new(sets, local, Adjacency::new(local, &blocks));
    for block in &blocks {
        search.block(block)?;
    }
    search.finish()
}

/// Edge numbers by vertex.
struct Adjacency {
    /// The edges of an equation to variables of its own block: the only ones that can be matched.
    of_equation: Vec<Vec<usize>>,
    /// The edges of a variable from equations of its own block.
    of_variable: Vec<Vec<usize>>,
    /// The edges of a variable from equations of other blocks.
    users: Vec<Vec<usize>>,
}

impl Adjacency {
    fn new<S>(local: &LocalProblem<S>, blocks: &[UnionBlock]) -> Self {
        let (n, m) = (local.active.len(), local.present.len());
        let mut block_of_equation = vec![0; n];
        let mut block_of_variable = vec![0; m];
        for (number, block) in blocks.iter().enumerate() {
            for &f in &block.equations {
                block_of_equation[f] = number;
            }
            for &x in &block.variables {
                block_of_variable[x] = number;
            }
        }
        let mut adjacency = Self {
            of_equation: vec![vec![]; n],
            of_variable: vec![vec![]; m],
            users: vec![vec![]; m],
        };
        for (e, edge) in local.edges.iter().enumerate() {
            if block_of_equation[edge.equation] == block_of_variable[edge.variable] {
                adjacency.of_equation[edge.equation].push(e);
                adjacency.of_variable[edge.variable].push(e);
            } else {
                adjacency.users[edge.variable].push(e);
            }
        }
        adjacency
    }
}

/// The offsets and the matching, over the blocks met so far.
struct Search<'a, M: ModeSets> {
    sets: &'a M,
    local: &'a LocalProblem<M::Set>,
    adjacency: Adjacency,
    c: Vec<Partition<M::Set>>,
    d: Vec<Partition<M::Set>>,
    matched: Vec<M::Set>,
    /// Per variable the union of `matched` over its edges.
    taken: Vec<M::Set>,
    /// The modes that are not known to be singular.
    alive: M::Set,
    tree: Tree<M::Set>,
}

/// The search tree of the present root.
struct Tree<S> {
    /// The modes in which the root still has no variable.
    todo: S,
    reached_equation: Vec<S>,
    reached_variable: Vec<S>,
    /// Where the two above are not empty.
    equations: Vec<usize>,
    variables: Vec<usize>,
    /// In order of discovery: over which edge a variable was reached in which modes.
    steps: Vec<(usize, S)>,
    /// Free variables and the modes in which a path ended there.
    ends: Vec<(usize, S)>,
    /// Modes in which an equation has been reached and its edges have not been followed yet.
    pending: Vec<S>,
    queue: VecDeque<usize>,
    /// While augmenting: per variable the modes in which a path passes through it.
    wanted: Vec<S>,
}

impl<'a, M: ModeSets> Search<'a, M> {
    fn new(sets: &'a M, local: &'a LocalProblem<M::Set>, adjacency: Adjacency) -> Self {
        let (n, m) = (local.active.len(), local.present.len());
        let nothing = |count: usize| vec![sets.empty(); count];
        let tree = Tree {
            todo: sets.empty(),
            reached_equation: nothing(n),
            reached_variable: nothing(m),
            equations: vec![],
            variables: vec![],
            steps: vec![],
            ends: vec![],
            pending: nothing(n),
            queue: VecDeque::new(),
            wanted: nothing(m),
        };
        Self {
            sets,
            local,
            adjacency,
            c: local
                .active
                .iter()
                .map(|modes| partition::constant(sets, 0, modes))
                .collect(),
            d: vec![vec![]; m],
            matched: nothing(local.edges.len()),
            taken: nothing(m),
            alive: local.care.clone(),
            tree,
        }
    }

    /// Matches one block. The blocks that use its variables must have been done.
    fn block(&mut self, block: &UnionBlock) -> Result<(), NodeLimit> {
        for &x in &block.variables {
            self.d[x] = self.floor(x)?;
        }
        // Wide equations last: what they can reach is settled by then.
        let mut roots = block.equations.clone();
        roots.sort_by_key(|&f| self.adjacency.of_equation[f].len());
        for root in roots {
            self.root(root)?;
        }
        for &x in &block.variables {
            let free = self.sets.diff(&self.local.present[x], &self.taken[x])?;
            self.alive = self.sets.diff(&self.alive, &free)?;
        }
        Ok(())
    }

    /// The smallest `d_x` that the present `c` allow.
    fn floor(&self, x: usize) -> Result<Partition<M::Set>, NodeLimit> {
        let mut contributions = Vec::new();
        for &e in self.adjacency.of_variable[x]
            .iter()
            .chain(&self.adjacency.users[x])
        {
            let edge = &self.local.edges[e];
            for piece in &self.c[edge.equation] {
                let modes = self.sets.and(&piece.modes, &edge.modes)?;
                if !self.sets.is_empty(&modes) {
                    contributions.push((piece.value + edge.sigma, modes));
                }
            }
        }
        partition::maximum(self.sets, contributions)
    }

    /// Finds a variable for `root` in all its modes, or finds out in which there is none.
    fn root(&mut self, root: usize) -> Result<(), NodeLimit> {
        self.tree.todo = self.sets.and(&self.local.active[root], &self.alive)?;
        if self.sets.is_empty(&self.tree.todo) {
            return Ok(());
        }
        let everywhere = self.tree.todo.clone();
        self.reach_equation(root, everywhere)?;
        loop {
            while let Some(f) = self.tree.queue.pop_front() {
                self.expand(f)?;
            }
            if self.sets.is_empty(&self.tree.todo) {
                break;
            }
            self.rise()?;
        }
        self.augment(root)?;
        self.forget();
        Ok(())
    }

    fn forget(&mut self) {
        let tree = &mut self.tree;
        for f in tree.equations.drain(..) {
            tree.reached_equation[f] = self.sets.empty();
            tree.pending[f] = self.sets.empty();
        }
        for x in tree.variables.drain(..) {
            tree.reached_variable[x] = self.sets.empty();
        }
        tree.steps.clear();
        tree.ends.clear();
    }

    fn reach_equation(&mut self, f: usize, modes: M::Set) -> Result<(), NodeLimit> {
        let tree = &mut self.tree;
        if self.sets.is_empty(&tree.reached_equation[f]) {
            tree.equations.push(f);
        }
        tree.reached_equation[f] = self.sets.or(&tree.reached_equation[f], &modes)?;
        self.enqueue(f, modes)
    }

    fn enqueue(&mut self, f: usize, modes: M::Set) -> Result<(), NodeLimit> {
        let tree = &mut self.tree;
        if self.sets.is_empty(&tree.pending[f]) {
            tree.queue.push_back(f);
            tree.pending[f] = modes;
        } else {
            tree.pending[f] = self.sets.or(&tree.pending[f], &modes)?;
        }
        Ok(())
    }

    /// The part of `modes` in which the edge is tight.
    fn tight(&self, e: usize, modes: &M::Set) -> Result<M::Set, NodeLimit> {
        let edge = &self.local.edges[e];
        let mut tight = self.sets.empty();
        for piece in &self.c[edge.equation] {
            let wanted = piece.value + edge.sigma;
            if let Some(d_modes) = partition::modes_with(&self.d[edge.variable], wanted) {
                let both = self.sets.and(&piece.modes, modes)?;
                tight = self.sets.or(&tight, &self.sets.and(&both, d_modes)?)?;
            }
        }
        Ok(tight)
    }

    /// Follows the tight edges of `f`, free variables first: modes that end there spread no further.
    fn expand(&mut self, f: usize) -> Result<(), NodeLimit> {
        let pending = std::mem::replace(&mut self.tree.pending[f], self.sets.empty());
        let mut modes = self.sets.and(&pending, &self.tree.todo)?;
        let mut occupied = Vec::new();
        for i in 0..self.adjacency.of_equation[f].len() {
            if self.sets.is_empty(&modes) {
                return Ok(());
            }
            let e = self.adjacency.of_equation[f][i];
            let new = self.tight(e, &self.unreached(e, &modes)?)?;
            if self.sets.is_empty(&new) {
                continue;
            }
            let x = self.local.edges[e].variable;
            let free = self.sets.diff(&new, &self.taken[x])?;
            if free != new {
                occupied.push((e, new));
            }
            if !self.sets.is_empty(&free) {
                modes = self.sets.diff(&modes, &free)?;
                self.tree.todo = self.sets.diff(&self.tree.todo, &free)?;
                self.reach_variable(e, &free)?;
                self.tree.ends.push((x, free));
            }
        }
        for (e, new) in occupied {
            // A free variable was not occupied: what reached `x` meanwhile has left `modes`.
            let new = self.sets.and(&new, &modes)?;
            let x = self.local.edges[e].variable;
            let new = self.sets.diff(&new, &self.tree.reached_variable[x])?;
            if !self.sets.is_empty(&new) {
                self.reach_variable(e, &new)?;
                self.follow_matching(x, &new)?;
            }
        }
        Ok(())
    }

    /// The part of `modes` in which the edge leads to a variable that has not been reached.
    fn unreached(&self, e: usize, modes: &M::Set) -> Result<M::Set, NodeLimit> {
        let edge = &self.local.edges[e];
        let modes = self.sets.and(modes, &edge.modes)?;
        if self.sets.is_empty(&modes) {
            return Ok(modes);
        }
        self.sets
            .diff(&modes, &self.tree.reached_variable[edge.variable])
    }

    fn reach_variable(&mut self, e: usize, modes: &M::Set) -> Result<(), NodeLimit> {
        let x = self.local.edges[e].variable;
        let tree = &mut self.tree;
        if self.sets.is_empty(&tree.reached_variable[x]) {
            tree.variables.push(x);
        }
        tree.reached_variable[x] = self.sets.or(&tree.reached_variable[x], modes)?;
        tree.steps.push((e, modes.clone()));
        Ok(())
    }

    /// From an occupied variable back to the equations that occupy it.
    fn follow_matching(&mut self, x: usize, modes: &M::Set) -> Result<(), NodeLimit> {
        let mut rest = modes.clone();
        for i in 0..self.adjacency.of_variable[x].len() {
            let e = self.adjacency.of_variable[x][i];
            if self.sets.is_empty(&self.matched[e]) {
                continue;
            }
            let here = self.sets.and(&rest, &self.matched[e])?;
            if self.sets.is_empty(&here) {
                continue;
            }
            rest = self.sets.diff(&rest, &here)?;
            self.reach_equation(self.local.edges[e].equation, here)?;
            if self.sets.is_empty(&rest) {
                break;
            }
        }
        Ok(())
    }

    /// Nothing tight is left: gives up the modes without any further edge, raises the others by one.
    fn rise(&mut self) -> Result<(), NodeLimit> {
        self.prune()?;
        let mut frontier = Vec::new();
        for i in 0..self.tree.equations.len() {
            let f = self.tree.equations[i];
            let mut beyond = Vec::new();
            for &e in &self.adjacency.of_equation[f] {
                let out = self.unreached(e, &self.tree.reached_equation[f])?;
                if !self.sets.is_empty(&out) {
                    beyond.push(out);
                }
            }
            if !beyond.is_empty() {
                frontier.push((f, self.union(beyond)?));
            }
        }
        let open = self.union(frontier.iter().map(|(_, modes)| modes.clone()).collect())?;
        let stuck = self.sets.diff(&self.tree.todo, &open)?;
        if !self.sets.is_empty(&stuck) {
            self.alive = self.sets.diff(&self.alive, &stuck)?;
            self.tree.todo = open;
            self.prune()?;
        }
        for &f in &self.tree.equations {
            partition::raise(self.sets, &mut self.c[f], &self.tree.reached_equation[f], 1)?;
        }
        for &x in &self.tree.variables {
            partition::raise(self.sets, &mut self.d[x], &self.tree.reached_variable[x], 1)?;
        }
        for (f, modes) in frontier {
            self.enqueue(f, modes)?;
        }
        Ok(())
    }

    fn union(&self, items: Vec<M::Set>) -> Result<M::Set, NodeLimit> {
        let mut union = self.sets.empty();
        for item in items {
            union = self.sets.or(&union, &item)?;
        }
        Ok(union)
    }

    /// Forgets the modes that have left `todo`. What was reached in them stays in the list of steps,
    /// for the augmentation, but must neither rise nor be searched any more.
    fn prune(&mut self) -> Result<(), NodeLimit> {
        let tree = &mut self.tree;
        let shrink = |list: &mut Vec<usize>, reached: &mut [M::Set]| -> Result<(), NodeLimit> {
            for &v in &*list {
                reached[v] = self.sets.and(&reached[v], &tree.todo)?;
            }
            list.retain(|&v| !self.sets.is_empty(&reached[v]));
            Ok(())
        };
        shrink(&mut tree.equations, &mut tree.reached_equation)?;
        shrink(&mut tree.variables, &mut tree.reached_variable)
    }

    /// Moves the matching along the paths found: backwards through the steps, each once. A path leads
    /// to a variable only from equations whose own variable was reached before.
    fn augment(&mut self, root: usize) -> Result<(), NodeLimit> {
        for (x, modes) in std::mem::take(&mut self.tree.ends) {
            self.taken[x] = self.sets.or(&self.taken[x], &modes)?;
            self.tree.wanted[x] = self.sets.or(&self.tree.wanted[x], &modes)?;
        }
        let steps = std::mem::take(&mut self.tree.steps);
        for (e, modes) in steps.iter().rev() {
            let edge = &self.local.edges[*e];
            let wanted = &self.tree.wanted[edge.variable];
            if self.sets.is_empty(wanted) {
                continue;
            }
            let here = self.sets.and(wanted, modes)?;
            if self.sets.is_empty(&here) {
                continue;
            }
            if edge.equation != root {
                self.release(edge.equation, &here)?;
            }
            self.matched[*e] = self.sets.or(&self.matched[*e], &here)?;
        }
        for (e, _) in steps {
            self.tree.wanted[self.local.edges[e].variable] = self.sets.empty();
        }
        Ok(())
    }

    /// Takes the variables away from `f` that it has in `modes`; others want them now.
    fn release(&mut self, f: usize, modes: &M::Set) -> Result<(), NodeLimit> {
        for &e in &self.adjacency.of_equation[f] {
            if self.sets.is_empty(&self.matched[e]) {
                continue;
            }
            let moved = self.sets.and(&self.matched[e], modes)?;
            if !self.sets.is_empty(&moved) {
                self.matched[e] = self.sets.diff(&self.matched[e], &moved)?;
                let wanted = &mut self.tree.wanted[self.local.edges[e].variable];
                *wanted = self.sets.or(wanted, &moved)?;
            }
        }
        Ok(())
    }

    /// Restricts everything to the regular modes.
    fn finish(self) -> Result<Solved<M::Set>, NodeLimit> {
        let restrict = |offsets: Vec<Partition<M::Set>>| -> Result<Vec<_>, NodeLimit> {
            let one = |p: &Partition<M::Set>| partition::restricted(self.sets, p, &self.alive);
            offsets.iter().map(one).collect()
        };
        let matched: Result<Vec<M::Set>, NodeLimit> = self
            .matched
            .iter()
            .map(|modes| self.sets.and(modes, &self.alive))
            .collect();
        let (c, d) = (restrict(self.c)?, restrict(self.d)?);
        Ok(Solved {
            regular: self.alive,
            c,
            d,
            matched: matched?,
        })
    }
}
