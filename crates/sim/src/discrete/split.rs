//! A model in two parts: what moves, and what is held between events.
//!
//! In the part that moves, discrete variables come from outside: Booleans and enumerations as inputs that flip, numbers by
//! a `when` that copies an input at an instant of its own, so that a restart sees them change. In the discrete part
//! continuous variables are inputs. A discrete variable stays in the part that moves if that part reads it and it either
//! names conditions of the same instant or depends on what it decides: a diode, a lock. The discrete part reads it there.
//!
//! An integer part in a continuous equation (`floor(x)`) is a discrete variable of its own.

use crate::sorted::classify::classes;
use crate::sorted::lower::Class;
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_flat::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, Statement,
    StatementKind, VarId, Variable,
};
use modeshift_flat::walk::{
    change_equations, equation_exps, rewrite, statement_exps, walk, walk_while,
};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::sync::Arc;

/// The instants at which numbers of the discrete part change: no `sample` of a model begins so late.
pub const NEVER: f64 = 1e300;

/// How many rounds a search over the equations may take.
const MAX_ROUNDS: usize = 50;

/// A model in two parts. Variables keep their numbers in both.
#[derive(Debug)]
pub struct Split {
    pub continuous: FlatModel,
    pub discrete: FlatModel,
    /// What the discrete part gives.
    pub given: Vec<(u32, Way)>,
    /// What it takes.
    pub taken: Vec<u32>,
}

/// How a value of the discrete part reaches the part that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// As an input.
    Input,
    /// By a `when` of its own, which copies this variable.
    Copied(u32),
    /// It changes where a `when` of the model fires, whose equations are about what moves.
    Fires,
}

/// The scalar equations of a model in the order of the text, those in branches included: what each defines.
type Leaves = Vec<Leaf>;

#[derive(Clone, Debug, Default)]
struct Leaf {
    defines: Vec<u32>,
    /// Left limits of discrete variables are known at an event, and left out, unless they are those of conditions.
    reads: FxHashSet<u32>,
    lefts: FxHashSet<u32>,
    /// It reads left limits, or instants.
    remembers: bool,
    /// A discrete value is computed.
    discrete: bool,
    in_when: bool,
    in_branch: bool,
}

impl Leaf {
    fn by_equation(&self) -> bool {
        self.discrete && !self.in_when
    }
}

/// Splits a model. Nothing where nothing is discrete, or where the parts cannot be told apart.
pub fn split(flat: &FlatModel) -> Option<Split> {
    let flat = with_equations(flat);
    let class = classes(&flat);
    let origin = flat.equations.first()?.origin.clone();
    let mut parts = Parts {
        first_part: flat.variables.len() as u32,
        class,
        flat,
        origin,
    };
    parts.integer_parts();
    parts.split()
}

/// The model with the bindings of its variables as equations.
fn with_equations(flat: &FlatModel) -> FlatModel {
    let mut flat = flat.clone();
    let mut equations = Vec::new();
    for (v, variable) in flat.variables.iter_mut().enumerate() {
        if variable.variability <= Variability::Parameter
            || matches!(variable.ty, Type::External(_) | Type::Clock)
        {
            continue;
        }
        if let Some(rhs) = variable.binding.take() {
            equations.push(Equation {
                kind: EquationKind::Equality {
                    lhs: Exp::Ref(FlatRef::Var(VarId::new(v))),
                    rhs,
                    ty: variable.ty.clone(),
                },
                origin: variable.origin.clone(),
            });
        }
    }
    flat.equations.extend(equations);
    flat
}

struct Parts {
    flat: FlatModel,
    class: Vec<Class>,
    /// Where equations of our own are said to stand.
    origin: Arc<Origin>,
    /// Integer parts have numbers from here on.
    first_part: u32,
}

fn builtin(name: &str, args: Vec<FlatExp>, ty: Type) -> FlatExp {
    Exp::Call(Box::new(Call {
        function: Callee::Builtin(Name::from(name)),
        args,
        ty,
    }))
}

fn binary(op: BinaryOp, a: FlatExp, b: FlatExp) -> FlatExp {
    Exp::Binary(op, Box::new((a, b)))
}

fn reference(v: u32) -> FlatExp {
    Exp::Ref(FlatRef::Var(VarId::new(v as usize)))
}

fn called(exp: &FlatExp) -> Option<(&str, &Call<FlatRef>)> {
    match exp {
        Exp::Call(call) => match &call.function {
            Callee::Builtin(name) => Some((name.as_str(), call)),
            Callee::User(_) => None,
        },
        _ => None,
    }
}

impl Parts {
    fn variables_of(&self, exp: &FlatExp, into: &mut FxHashSet<u32>) {
        walk(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) => {
                into.insert(id.index() as u32);
            }
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                let members = self.flat.groups[*id].members.iter();
                into.extend(members.map(|member| member.index() as u32));
            }
            _ => {}
        });
    }

    /// The same with the left limits of discrete variables apart.
    fn current(&self, exp: &FlatExp, into: &mut FxHashSet<u32>, lefts: &mut FxHashSet<u32>) {
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

    /// Whether an expression may change between events.
    fn moves(&self, exp: &FlatExp) -> bool {
        let mut read = FxHashSet::default();
        self.variables_of(exp, &mut read);
        let mut moves = read.into_iter().any(|v| {
            let real = self.flat.variables[VarId::new(v as usize)].ty == Type::Real;
            match self.class[v as usize] {
                Class::Continuous => true,
                Class::Input => real,
                _ => false,
            }
        });
        walk(exp, &mut |part| moves |= matches!(part, Exp::Time));
        moves
    }

    /// Integer parts of what moves become variables.
    fn integer_parts(&mut self) {
        let mut equations = std::mem::take(&mut self.flat.equations);
        let mut found: Vec<FlatExp> = Vec::new();
        let first = self.first_part as usize;
        let variable = |k: usize| Exp::Ref(FlatRef::Var(VarId::new(first + k)));
        change_equations(&mut equations, &mut |exp| {
            let whole = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(whole, &mut |part| {
                // What stands in `noEvent` makes no event.
                if called(&part).is_some_and(|(name, _)| name == "noEvent") {
                    return rewrite(part, &mut |inner| match inner {
                        Exp::Ref(FlatRef::Var(id)) if id.index() >= first => {
                            found[id.index() - first].clone()
                        }
                        other => other,
                    });
                }
                let Some((name, call)) = called(&part) else {
                    return part;
                };
                if !matches!(name, "floor" | "ceil" | "integer" | "div" | "mod" | "rem")
                    || !self.moves(&part)
                {
                    return part;
                }
                let name = name.to_owned();
                let mut args = call.args.clone().into_iter();
                let (Some(x), y) = (args.next(), args.next()) else {
                    return part;
                };
                let ty = call.ty.clone();
                let inner = match name.as_str() {
                    "mod" => "floor",
                    "rem" => "div",
                    other => other,
                };
                let of = match (&y, inner) {
                    (Some(y), "floor") => {
                        let ratio = binary(BinaryOp::Div, x.clone(), y.clone());
                        builtin("floor", vec![ratio], Type::Real)
                    }
                    (Some(y), _) => builtin("div", vec![x.clone(), y.clone()], Type::Real),
                    (None, _) => builtin(inner, vec![x.clone()], Type::Real),
                };
                let of = match inner {
                    "integer" => of,
                    _ => builtin("integer", vec![of], Type::Integer),
                };
                let k = found.iter().position(|known| *known == of);
                let k = k.unwrap_or_else(|| {
                    found.push(of);
                    found.len() - 1
                });
                let number = match ty {
                    Type::Integer => variable(k),
                    _ => Exp::Cast(Type::Real, Box::new(variable(k))),
                };
                match (y, name.as_str()) {
                    (Some(y), "mod" | "rem") => {
                        let whole = binary(BinaryOp::Mul, number, y);
                        binary(BinaryOp::Sub, x, whole)
                    }
                    _ => number,
                }
            });
        });
        self.flat.equations = equations;
        for (k, exp) in found.into_iter().enumerate() {
            let v = self.variable(format!("$part{}", k + 1), Type::Integer, None);
            let equation = self.equality(v, exp, Type::Integer);
            self.flat.equations.push(equation);
        }
    }

    /// A variable of our own.
    fn variable(&mut self, name: String, ty: Type, causality: Option<Causality>) -> u32 {
        let v = self.flat.variables.len() as u32;
        self.flat.variables.push(Variable {
            stem: name.len() as u32,
            name: name.into(),
            variability: Variability::Discrete,
            ty,
            discrete: false,
            causality,
            flow: false,
            protected: true,
            final_: false,
            attributes: Vec::new(),
            binding: None,
            comment: None,
            origin: self.origin.clone(),
        });
        let class = match causality {
            Some(Causality::Input) => Class::Input,
            _ => Class::Discrete,
        };
        self.class.push(class);
        v
    }

    fn equality(&self, v: u32, rhs: FlatExp, ty: Type) -> Equation {
        Equation {
            kind: EquationKind::Equality {
                lhs: reference(v),
                rhs,
                ty,
            },
            origin: self.origin.clone(),
        }
    }

    fn targets(&self, exp: &FlatExp) -> Vec<u32> {
        let mut found = FxHashSet::default();
        match exp {
            Exp::Ref(FlatRef::Element(id, _)) => {
                let members = self.flat.groups[*id].members.iter();
                found.extend(members.map(|member| member.index() as u32));
            }
            other => self.variables_of(other, &mut found),
        }
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn leaves(&self) -> Leaves {
        let mut leaves = Vec::new();
        for equation in &self.flat.equations {
            self.leaves_of(equation, &mut Vec::new(), false, &mut leaves);
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

    fn varies(&self, v: u32) -> bool {
        let class = self.class[v as usize];
        !matches!(class, Class::Constant | Class::Free | Class::Text)
    }

    /// Whether initial equations determine parameters.
    fn has_free_parameters(&self) -> bool {
        self.flat.variables.iter().any(|variable| {
            let mut attributes = variable.attributes.iter();
            variable.variability <= Variability::Parameter
                && attributes.any(|it| it.name.as_str() == "fixed" && it.value == Exp::Bool(false))
        })
    }

    /// The variables that an algorithm assigns.
    fn assigned(&self, algorithm: &Algorithm) -> Vec<u32> {
        let mut found = Vec::new();
        let statements = algorithm.statements.iter();
        statements.for_each(|statement| self.assigned_by(statement, &mut found));
        found
    }

    fn assigned_by(&self, statement: &Statement, found: &mut Vec<u32>) {
        match &statement.kind {
            StatementKind::Assign { target, .. } => found.extend(self.targets(target)),
            StatementKind::If { branches, else_ } => {
                let all = branches.iter().flat_map(|(_, body)| body).chain(else_);
                all.for_each(|inner| self.assigned_by(inner, found));
            }
            StatementKind::When { branches } => {
                let all = branches.iter().flat_map(|(_, body)| body);
                all.for_each(|inner| self.assigned_by(inner, found));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                body.iter().for_each(|inner| self.assigned_by(inner, found));
            }
            _ => {}
        }
    }

    /// The discrete variables that depend on values of the instant, other than states, which depend on them: a diode that
    /// conducts as its current says. O(discrete variables × equations).
    fn entangled(&self, leaves: &Leaves, states: &FxHashSet<u32>) -> FxHashSet<u32> {
        let moves = |v: &u32| self.class[*v as usize] == Class::Continuous;
        // Continuous variables that share equations, with the discrete ones in these.
        let mut system: FxHashMap<u32, usize> = FxHashMap::default();
        let mut systems: Vec<(Vec<u32>, FxHashSet<u32>)> = Vec::new();
        for leaf in leaves.iter().filter(|leaf| !leaf.discrete) {
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
        let mut reads: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
        for leaf in leaves.iter().filter(|leaf| leaf.by_equation()) {
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
            unknowns.any(|w| system.get(w).is_some_and(|&i| decided[i].contains(*v)))
        };
        reads.keys().filter(depends).copied().collect()
    }

    /// The discrete variables that stay with what moves.
    fn kept(&self, leaves: &Leaves) -> FxHashSet<u32> {
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

    fn split(mut self) -> Option<Split> {
        let leaves = self.leaves();
        let kept = self.kept(&leaves);
        let mut given: FxHashSet<u32> = FxHashSet::default();
        for leaf in leaves.iter().filter(|leaf| leaf.discrete) {
            given.extend(leaf.defines.iter().filter(|v| !kept.contains(*v)));
        }
        let mut algorithms: (Vec<Algorithm>, Vec<Algorithm>) = Default::default();
        for algorithm in std::mem::take(&mut self.flat.algorithms) {
            let targets = self.assigned(&algorithm);
            let discrete =
                |v: &u32| self.class[*v as usize] == Class::Discrete && !kept.contains(v);
            if !targets.is_empty() && targets.iter().all(discrete) {
                given.extend(targets);
                algorithms.1.push(algorithm);
            } else {
                algorithms.0.push(algorithm);
            }
        }
        let text = |v: &u32| self.class[*v as usize] == Class::Text;
        if given.is_empty() || given.iter().any(text) {
            return None;
        }
        let all_given = given.clone();
        let gives =
            |leaf: &Leaf| leaf.discrete && leaf.defines.iter().any(|v| all_given.contains(v));
        let mut next = 0;
        let equations = std::mem::take(&mut self.flat.equations);
        let (mut moving, mut held) = (Vec::new(), Vec::new());
        let mut fires = Vec::new();
        for equation in equations {
            let first = next;
            if let EquationKind::When { branches } = &equation.kind
                && self.is_decided_apart(branches, &given, &kept)
            {
                let mut apart = Vec::new();
                for (condition, body) in branches {
                    let (mut own, mut others) = (Vec::new(), Vec::new());
                    for inner in body {
                        let first = next;
                        others.extend(part(inner, &leaves, &mut next, &|leaf| !gives(leaf)));
                        next = first;
                        own.extend(part(inner, &leaves, &mut next, &gives));
                    }
                    if !others.is_empty() {
                        let name = format!("$fires{}", fires.len() + 1);
                        let v = self.variable(name, Type::Boolean, None);
                        fires.push(v);
                        let left = builtin("pre", vec![reference(v)], Type::Boolean);
                        let other = Exp::Unary(UnaryOp::Not, Box::new(left));
                        own.push(self.equality(v, other, Type::Boolean));
                        moving.push(self.at_instant_of(v, others));
                    }
                    apart.push((condition.clone(), own));
                }
                held.push(Equation {
                    kind: EquationKind::When { branches: apart },
                    origin: equation.origin.clone(),
                });
                continue;
            }
            moving.extend(part(&equation, &leaves, &mut next, &|leaf| !gives(leaf)));
            next = first;
            held.extend(part(&equation, &leaves, &mut next, &gives));
        }
        let initial_algorithms = std::mem::take(&mut self.flat.initial_algorithms);
        let (held_initial, moving_initial): (Vec<Algorithm>, Vec<Algorithm>) =
            initial_algorithms.into_iter().partition(|algorithm| {
                let targets = self.assigned(algorithm);
                targets.iter().all(|v| given.contains(v))
            });
        let initial = std::mem::take(&mut self.flat.initial_equations);
        let (mut moving_equations, mut held_equations) = (Vec::new(), Vec::new());
        for equation in initial {
            let mut read = FxHashSet::default();
            equation_exps(&equation, &mut |exp| self.variables_of(exp, &mut read));
            let parameters = read.len();
            read.retain(|&v| self.varies(v));
            let about_given = read.iter().all(|v| given.contains(v));
            // A parameter that follows from what moves is not known to the discrete part.
            if !about_given && parameters > read.len() && self.has_free_parameters() {
                return None;
            }
            if read.is_empty() || !about_given {
                moving_equations.push(equation.clone());
            }
            if about_given {
                held_equations.push(equation);
            }
        }
        // Numbers change by a `when`.
        let mut given: Vec<u32> = given.into_iter().collect();
        given.sort_unstable();
        let mut list = Vec::new();
        for v in given {
            let variable = &self.flat.variables[VarId::new(v as usize)];
            let ty = variable.ty.clone();
            let way = match ty {
                Type::Real | Type::Integer => Way::Copied(self.copied(v, ty, &mut moving)),
                _ => Way::Input,
            };
            list.push((v, way));
        }
        list.extend(fires.into_iter().map(|v| (v, Way::Fires)));
        let is_given: FxHashMap<u32, Way> = list.iter().copied().collect();
        let mut continuous = self.flat.clone();
        continuous.equations = moving;
        continuous.algorithms = algorithms.0;
        continuous.initial_equations = moving_equations;
        continuous.initial_algorithms = moving_initial;
        for (&v, way) in &is_given {
            if !matches!(way, Way::Copied(_)) {
                continuous.variables[VarId::new(v as usize)].causality = Some(Causality::Input);
            }
        }
        let mut discrete = self.flat;
        discrete.equations = held;
        discrete.algorithms = algorithms.1;
        discrete.initial_equations = held_equations;
        discrete.initial_algorithms = held_initial;
        let mut taken = Vec::new();
        for (v, variable) in discrete.variables.iter_mut().enumerate() {
            let constant = matches!(self.class[v], Class::Constant | Class::Free | Class::Text);
            let carries = list.iter().any(|it| it.1 == Way::Copied(v as u32));
            if !constant && !carries && !is_given.contains_key(&(v as u32)) {
                variable.causality = Some(Causality::Input);
                // Inputs of a model have names without a dot.
                variable.name = variable.name.replace('.', "$").into();
                taken.push(v as u32);
            }
        }
        let mut delays = false;
        for equation in &discrete.equations {
            equation_exps(equation, &mut |exp| {
                walk(exp, &mut |part| {
                    delays |= called(part)
                        .is_some_and(|(name, _)| matches!(name, "delay" | "spatialDistribution"));
                });
            });
        }
        (!delays).then_some(Split {
            continuous,
            discrete,
            given: list,
            taken,
        })
    }

    /// `when sample(…) then v = new; end when` for a variable of the discrete part; the variable that carries its number.
    fn copied(&mut self, v: u32, ty: Type, equations: &mut Vec<Equation>) -> u32 {
        let name = format!("$new{}", v + 1);
        let carrier = self.variable(name, ty.clone(), Some(Causality::Input));
        let copy = self.equality(v, reference(carrier), ty);
        equations.push(self.at_instant_of(v, vec![copy]));
        carrier
    }

    /// `when sample(…)` at the instants of a variable of the discrete part.
    fn at_instant_of(&self, v: u32, body: Vec<Equation>) -> Equation {
        let args = vec![Exp::Real(NEVER), Exp::Real(f64::from(v + 1))];
        let instant = builtin("sample", args, Type::Boolean);
        Equation {
            kind: EquationKind::When {
                branches: vec![(instant, body)],
            },
            origin: self.origin.clone(),
        }
    }

    /// Whether the discrete part decides when a `when` fires: its conditions have a past, and none is one of the part that
    /// moves. At the start a `reinit` is an initial equation, and no matter of instants.
    fn is_decided_apart(
        &self,
        branches: &[(FlatExp, Vec<Equation>)],
        given: &FxHashSet<u32>,
        kept: &FxHashSet<u32>,
    ) -> bool {
        let (mut read, mut past) = (FxHashSet::default(), false);
        let mut at_start = false;
        for (condition, _) in branches {
            self.variables_of(condition, &mut read);
            past |= remembers(condition);
            walk(condition, &mut |part| {
                at_start |= called(part).is_some_and(|(name, _)| name == "initial");
            });
        }
        past |= read.iter().any(|v| given.contains(v));
        past && !at_start && !read.iter().any(|v| kept.contains(v))
    }
}

/// Whether an expression reads left limits or instants.
fn remembers(exp: &FlatExp) -> bool {
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

/// The equation with only those of its leaves that are wanted, if there are any. `next` counts leaves.
fn part(
    equation: &Equation,
    leaves: &Leaves,
    next: &mut usize,
    wanted: &dyn Fn(&Leaf) -> bool,
) -> Option<Equation> {
    let mut any = false;
    let mut all = |body: &[Equation], next: &mut usize| -> Vec<Equation> {
        let parts = body.iter();
        let parts: Vec<Equation> = parts
            .filter_map(|inner| part(inner, leaves, next, wanted))
            .collect();
        any |= !parts.is_empty();
        parts
    };
    let kind = match &equation.kind {
        EquationKind::If { branches, else_ } => {
            let branches = branches.iter();
            let branches = branches.map(|(c, body)| (c.clone(), all(body, next)));
            let branches = branches.collect();
            let else_ = all(else_, next);
            EquationKind::If { branches, else_ }
        }
        EquationKind::When { branches } => {
            let branches = branches.iter();
            let branches = branches.map(|(c, body)| (c.clone(), all(body, next)));
            EquationKind::When {
                branches: branches.collect(),
            }
        }
        EquationKind::For {
            iterator,
            range,
            body,
        } => EquationKind::For {
            iterator: *iterator,
            range: range.clone(),
            body: all(body, next),
        },
        _ => {
            *next += 1;
            return wanted(&leaves[*next - 1]).then(|| equation.clone());
        }
    };
    any.then(|| Equation {
        kind,
        origin: equation.origin.clone(),
    })
}
