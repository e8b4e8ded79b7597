//! What the equations of a model define and read, and which discrete variables stay with what moves.

use super::split::{Parts, called};
use crate::sorted::lower::Class;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatRef, VarId};
use modeshift_flat::walk::{equation_exps, statement_exps, walk, walk_while};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;

/// How many rounds a search over the equations may take.
const MAX_ROUNDS: usize = 50;

/// The scalar equations of a model in the order of the text, those in branches included: what each defines.
pub(super) type Leaves = Vec<Leaf>;

#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub(super) defines: Vec<u32>,
    /// Left limits of discrete variables are known at an event, and left out, unless they are those of conditions.
    reads: FxHashSet<u32>,
    lefts: FxHashSet<u32>,
    /// It reads left limits, or instants.
    remembers: bool,
    /// A discrete value is computed.
    pub(super) discrete: bool,
    in_when: bool,
    in_branch: bool,
    /// The number of the equation that it is a part of.
    equation: usize,
}

impl Leaf {
    fn by_equation(&self) -> bool {
        self.discrete && !self.in_when
    }
}

impl Parts {
    /// The same with the left limits of discrete variables apart.
    pub(super) fn current(
        &self,
        exp: &FlatExp,
        into: &mut FxHashSet<u32>,
        lefts: &mut FxHashSet<u32>,
    ) {
        walk_while(exp, &mut |part| {
            if let Some(("pre", call)) = called(part) {
                let mut left = FxHashSet::default();
                call.args
                    .iter()
                    .for_each(|arg| self.variables_of(arg, &mut left));
                for v in left {
                    match self.class[v as usize] {
                        Class::Discrete => lefts.insert(v),
                        _ => into.insert(v),
                    };
                }
                return false;
            }
            match part {
                Exp::Ref(FlatRef::Var(id)) => {
                    into.insert(id.index() as u32);
                }
                Exp::Ref(FlatRef::Group(_) | FlatRef::Element(..)) => {
                    self.variables_of(part, into);
                }
                _ => {}
            }
            true
        });
    }

    pub(super) fn leaves(&self) -> Leaves {
        let mut leaves = Vec::new();
        for (i, equation) in self.flat.equations.iter().enumerate() {
            let first = leaves.len();
            self.leaves_of(equation, &mut Vec::new(), false, &mut leaves);
            leaves[first..]
                .iter_mut()
                .for_each(|leaf| leaf.equation = i);
        }
        // An equation between two variables defines the one that nothing else does.
        let mut defined: FxHashSet<u32> = FxHashSet::default();
        for leaf in leaves.iter().filter(|leaf| leaf.in_when) {
            defined.extend(&leaf.defines);
        }
        for algorithm in &self.flat.algorithms {
            defined.extend(self.assigned(algorithm));
        }
        let (sure, open): (Vec<&mut Leaf>, Vec<&mut Leaf>) = leaves
            .iter_mut()
            .filter(|leaf| leaf.by_equation())
            .partition(|leaf| leaf.in_branch || leaf.defines.len() < 2);
        let at_events = defined.clone();
        for leaf in sure {
            leaf.defines.retain(|v| !at_events.contains(v));
            leaf.defines.truncate(1);
            defined.extend(&leaf.defines);
        }
        for leaf in open {
            leaf.defines.retain(|v| !defined.contains(v));
            leaf.defines.truncate(1);
            defined.extend(&leaf.defines);
        }
        // What lags behind a condition belongs to it: a lock that opens by the force just before.
        let mut conditions: FxHashSet<u32> = FxHashSet::default();
        let (past, plain): (Vec<&Leaf>, Vec<&Leaf>) = leaves
            .iter()
            .filter(|leaf| leaf.by_equation())
            .partition(|leaf| leaf.remembers);
        conditions.extend(plain.iter().flat_map(|leaf| &leaf.defines));
        for v in past.iter().flat_map(|leaf| &leaf.defines) {
            conditions.remove(v);
        }
        for leaf in &mut leaves {
            let lagging = leaf.lefts.intersection(&conditions).copied();
            leaf.reads.extend(lagging.collect::<Vec<u32>>());
        }
        leaves
    }

    fn leaves_of<'e>(
        &self,
        equation: &'e Equation,
        conditions: &mut Vec<&'e FlatExp>,
        in_when: bool,
        out: &mut Leaves,
    ) {
        let depth = conditions.len();
        match &equation.kind {
            EquationKind::If { branches, else_ } => {
                conditions.extend(branches.iter().map(|(condition, _)| condition));
                let all = branches.iter().flat_map(|(_, body)| body).chain(else_);
                all.for_each(|inner| self.leaves_of(inner, conditions, in_when, out));
            }
            EquationKind::When { branches } => {
                // Conditions with a past are for the discrete part.
                let past = branches.iter().any(|(condition, _)| remembers(condition));
                let read = branches.iter().filter(|_| !past);
                conditions.extend(read.map(|(condition, _)| condition));
                let all = branches.iter().flat_map(|(_, body)| body);
                all.for_each(|inner| self.leaves_of(inner, conditions, true, out));
            }
            EquationKind::For { body, .. } => {
                body.iter()
                    .for_each(|inner| self.leaves_of(inner, conditions, in_when, out));
            }
            kind => {
                let mut leaf = Leaf {
                    in_when,
                    in_branch: !conditions.is_empty(),
                    ..Leaf::default()
                };
                if let EquationKind::Equality { lhs, rhs, ty } = kind {
                    let held = |v: &u32| self.class[*v as usize] == Class::Discrete;
                    if in_when {
                        leaf.defines = self.targets(lhs);
                        leaf.discrete = leaf.defines.iter().all(held) && !leaf.defines.is_empty();
                    } else if !matches!(ty.element(), Type::Real | Type::Record(_)) {
                        leaf.discrete = true;
                        for side in [lhs, rhs] {
                            if let Exp::Ref(FlatRef::Var(id)) = side {
                                leaf.defines.push(id.index() as u32);
                            }
                        }
                    }
                }
                let mut note = |exp: &FlatExp| {
                    self.current(exp, &mut leaf.reads, &mut leaf.lefts);
                    leaf.remembers |= remembers(exp);
                };
                equation_exps(equation, &mut note);
                conditions.iter().for_each(|condition| note(condition));
                out.push(leaf);
            }
        }
        conditions.truncate(depth);
    }

    /// The discrete variables that depend on values of the instant, other than states, which depend on them: a diode that
    /// conducts as its current says. O(discrete variables × equations).
    fn entangled(&self, leaves: &Leaves, states: &FxHashSet<u32>) -> FxHashSet<u32> {
        // What follows outright from states and discrete variables is no unknown of a system.
        let outright = self.definitions(&self.flat.equations, states);
        let defines: FxHashMap<usize, u32> = outright.iter().map(|(v, i)| (*i, *v)).collect();
        let moves = |v: &u32| {
            self.class.get(*v as usize) == Some(&Class::Continuous) && !outright.contains_key(v)
        };
        let mut reads: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
        for leaf in leaves {
            if let Some(&v) = defines.get(&leaf.equation) {
                let read = leaf
                    .reads
                    .iter()
                    .filter(|w| **w != v && !states.contains(w));
                reads.entry(v).or_default().extend(read);
            }
        }
        // Continuous variables that share equations, with the discrete ones in these.
        let mut system: FxHashMap<u32, usize> = FxHashMap::default();
        let mut systems: Vec<(Vec<u32>, FxHashSet<u32>)> = Vec::new();
        let simultaneous = |leaf: &&Leaf| !leaf.discrete && !defines.contains_key(&leaf.equation);
        for leaf in leaves.iter().filter(simultaneous) {
            let (unknowns, known): (Vec<u32>, Vec<u32>) = leaf.reads.iter().partition(|v| moves(v));
            let mut met: Vec<usize> = unknowns
                .iter()
                .filter_map(|v| system.get(v).copied())
                .collect();
            met.sort_unstable_by_key(|&i| std::cmp::Reverse(systems[i].0.len()));
            met.dedup();
            let into = met.first().copied().unwrap_or_else(|| {
                systems.push(Default::default());
                systems.len() - 1
            });
            let mut joined = (unknowns, FxHashSet::from_iter(known));
            for other in met.into_iter().filter(|&other| other != into) {
                let (variables, discrete) = std::mem::take(&mut systems[other]);
                joined.0.extend(variables);
                joined.1.extend(discrete);
            }
            system.extend(joined.0.iter().map(|v| (*v, into)));
            systems[into].0.extend(joined.0);
            systems[into].1.extend(joined.1);
        }
        let mut by_equation: FxHashSet<u32> = FxHashSet::default();
        for leaf in leaves.iter().filter(|leaf| leaf.by_equation()) {
            by_equation.extend(&leaf.defines);
            for &v in &leaf.defines {
                reads.entry(v).or_default().extend(&leaf.reads);
            }
        }
        let closure = |start: &FxHashSet<u32>| {
            let mut all = start.clone();
            let mut open: Vec<u32> = start.iter().copied().collect();
            while let Some(v) = open.pop() {
                let more = reads.get(&v).into_iter().flatten();
                open.extend(more.filter(|w| all.insert(**w)));
            }
            all
        };
        let decided: Vec<FxHashSet<u32>> = systems.iter().map(|it| closure(&it.1)).collect();
        let depends = |v: &&u32| {
            let all = closure(&reads[*v]);
            let mut unknowns = all.iter().filter(|w| moves(w) && !states.contains(*w));
            let itself = reads[*v].iter().any(|w| outright.contains_key(w)) && {
                let own = reads[*v].iter().filter(|w| outright.contains_key(w));
                closure(&own.copied().collect()).contains(*v)
            };
            itself || unknowns.any(|w| system.get(w).is_some_and(|&i| decided[i].contains(*v)))
        };
        by_equation.iter().filter(depends).copied().collect()
    }

    /// The variables that are differentiated.
    pub(super) fn states(&self) -> FxHashSet<u32> {
        let mut states: FxHashSet<u32> = FxHashSet::default();
        for equation in &self.flat.equations {
            equation_exps(equation, &mut |exp| {
                walk(exp, &mut |part| {
                    if let Some(("der", call)) = called(part) {
                        call.args
                            .iter()
                            .for_each(|arg| self.variables_of(arg, &mut states));
                    }
                });
            });
        }
        states
    }

    /// The discrete variables that stay with what moves.
    pub(super) fn kept(&self, leaves: &Leaves) -> FxHashSet<u32> {
        let mut kept: FxHashSet<u32> = FxHashSet::default();
        // Those that algorithms compute together with something that moves.
        let mut needed: FxHashSet<u32> = FxHashSet::default();
        for algorithm in &self.flat.algorithms {
            let targets = self.assigned(algorithm);
            if targets
                .iter()
                .any(|&v| self.class[v as usize] != Class::Discrete)
            {
                kept.extend(targets);
                for statement in &algorithm.statements {
                    statement_exps(statement, &mut |exp| self.variables_of(exp, &mut needed));
                }
            }
        }
        let states = self.states();
        for leaf in leaves.iter().filter(|leaf| !leaf.discrete) {
            needed.extend(&leaf.reads);
        }
        let past = leaves.iter().filter(|leaf| leaf.remembers);
        let mut past: FxHashSet<u32> = past.flat_map(|leaf| leaf.defines.clone()).collect();
        for equation in &self.flat.equations {
            equation_exps(equation, &mut |exp| {
                walk(exp, &mut |part| {
                    if let Some(("pre" | "edge" | "change", call)) = called(part) {
                        call.args
                            .iter()
                            .for_each(|arg| self.variables_of(arg, &mut past));
                    }
                });
            });
        }
        // Only the discrete part computes with strings.
        let is_text = |v: &u32| self.flat.variables[VarId::new(*v as usize)].ty == Type::String;
        for leaf in leaves.iter().filter(|leaf| leaf.by_equation()) {
            let reads = leaf.reads.iter().chain(&leaf.lefts);
            if reads.chain(&leaf.defines).any(is_text) {
                past.extend(&leaf.defines);
            }
        }
        let entangled = self.entangled(leaves, &states);
        for _ in 0..MAX_ROUNDS {
            let before = (kept.len(), needed.len());
            for leaf in leaves.iter().filter(|leaf| leaf.by_equation()) {
                let stays = |v: &u32| {
                    let number = self.flat.variables[VarId::new(*v as usize)].ty == Type::Integer;
                    let one_system = entangled.contains(v) && !number;
                    *v < self.first_part && needed.contains(v) && (!past.contains(v) || one_system)
                };
                if leaf.defines.iter().any(stays) {
                    kept.extend(&leaf.defines);
                    needed.extend(&leaf.reads);
                }
            }
            if before == (kept.len(), needed.len()) {
                break;
            }
        }
        kept
    }
}

/// Whether an expression reads left limits or instants.
pub(super) fn remembers(exp: &FlatExp) -> bool {
    let mut found = false;
    walk(exp, &mut |part| {
        found |= called(part).is_some_and(|(name, _)| {
            matches!(
                name,
                "pre" | "edge" | "change" | "sample" | "initial" | "terminal"
            )
        });
    });
    found
}
