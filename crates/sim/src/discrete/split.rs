//! A model in two parts: what moves, and what is held between events.
//!
//! In the part that moves, discrete variables come from outside: Booleans and enumerations as inputs that flip, numbers by
//! a `when` that copies an input at an instant of its own, so that a restart sees them change. In the discrete part
//! continuous variables are inputs. A discrete variable stays in the part that moves if that part reads it and it either
//! names conditions of the same instant or depends on what it decides: a diode, a lock. The discrete part reads it there.

use super::leaves::{Leaf, Leaves, remembers};
use crate::sorted::classify::classes;
use crate::sorted::lower::Class;
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_flat::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, Statement,
    StatementKind, VarId, Variable,
};
use modeshift_flat::walk::{change_equations, equation_exps, rewrite, statement_exps, walk};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::sync::Arc;

/// The instants at which numbers of the discrete part change: no `sample` of a model begins so late.
pub const NEVER: f64 = 1e300;

/// A model in two parts. Variables keep their numbers in both.
#[derive(Debug)]
pub struct Split {
    pub continuous: FlatModel,
    pub discrete: FlatModel,
    /// What the discrete part gives.
    pub given: Vec<(u32, Way)>,
    /// What it takes.
    pub taken: Vec<u32>,
    /// It computes continuous variables by itself.
    pub follows: bool,
    /// It reads what algorithms compute together with something that moves: these stay with the modes.
    pub mixed: bool,
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
    parts.straighten();
    parts.integer_parts()?;
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

pub(super) struct Parts {
    pub(super) flat: FlatModel,
    pub(super) class: Vec<Class>,
    /// Where equations of our own are said to stand.
    origin: Arc<Origin>,
    /// Integer parts have numbers from here on.
    pub(super) first_part: u32,
}

pub(super) fn builtin(name: &str, args: Vec<FlatExp>, ty: Type) -> FlatExp {
    Exp::Call(Box::new(Call {
        function: Callee::Builtin(Name::from(name)),
        args,
        ty,
    }))
}

pub(super) fn reference(v: u32) -> FlatExp {
    Exp::Ref(FlatRef::Var(VarId::new(v as usize)))
}

pub(super) fn called(exp: &FlatExp) -> Option<(&str, &Call<FlatRef>)> {
    match exp {
        Exp::Call(call) => match &call.function {
            Callee::Builtin(name) => Some((name.as_str(), call)),
            Callee::User(_) => None,
        },
        _ => None,
    }
}

impl Parts {
    pub(super) fn variables_of(&self, exp: &FlatExp, into: &mut FxHashSet<u32>) {
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

    /// Whether an expression may change between events.
    pub(super) fn moves(&self, exp: &FlatExp) -> bool {
        let mut read = FxHashSet::default();
        self.variables_of(exp, &mut read);
        // Integer parts that are still to become variables change at events.
        read.retain(|&v| (v as usize) < self.class.len());
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

    /// A variable of our own.
    pub(super) fn variable(&mut self, name: String, ty: Type, causality: Option<Causality>) -> u32 {
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

    pub(super) fn equality(&self, v: u32, rhs: FlatExp, ty: Type) -> Equation {
        Equation {
            kind: EquationKind::Equality {
                lhs: reference(v),
                rhs,
                ty,
            },
            origin: self.origin.clone(),
        }
    }

    pub(super) fn targets(&self, exp: &FlatExp) -> Vec<u32> {
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

    /// Whether an algorithm neither assigns nor reads anything but parameters.
    fn is_about_parameters(&self, algorithm: &Algorithm) -> bool {
        let mut read: FxHashSet<u32> = self.assigned(algorithm).into_iter().collect();
        for statement in &algorithm.statements {
            statement_exps(statement, &mut |exp| self.variables_of(exp, &mut read));
        }
        read.iter().all(|&v| !self.varies(v))
    }

    /// The variables that an algorithm assigns.
    pub(super) fn assigned(&self, algorithm: &Algorithm) -> Vec<u32> {
        let mut found = Vec::new();
        let statements = algorithm.statements.iter();
        statements.for_each(|statement| self.assigned_by(statement, &mut found));
        found
    }

    pub(super) fn assigned_by(&self, statement: &Statement, found: &mut Vec<u32>) {
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

    fn split(mut self) -> Option<Split> {
        let leaves = self.leaves();
        let kept = self.kept(&leaves);
        let states = self.states();
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
            // What it gives is decided there in any case: once for all that it does.
            let shared = part(&equation, &leaves, &mut next, &gives).is_some();
            next = first;
            if let EquationKind::When { branches } = &equation.kind
                && self.is_decided_apart(branches, shared, &given, &kept)
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
                        self.decide_apart(&mut others, &mut own, &mut given);
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
        let (mut held_initial, mut moving_initial) = (Vec::new(), Vec::new());
        for algorithm in initial_algorithms {
            // What they say about parameters both parts need.
            let targets = self.assigned(&algorithm);
            let free = |v: &u32| !self.varies(*v);
            let gives = targets.iter().any(|v| given.contains(v));
            let parameters =
                self.is_about_parameters(&algorithm) || gives && targets.iter().any(free);
            let apart = targets
                .iter()
                .all(|v| given.contains(v) || gives && free(v));
            match parameters {
                true if apart || !gives => {
                    held_initial.push(algorithm.clone());
                    moving_initial.push(algorithm);
                }
                _ if apart => held_initial.push(algorithm),
                _ => moving_initial.push(algorithm),
            }
        }
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
            if about_given || self.is_about_the_past(&equation, &given) {
                held_equations.push(equation);
            }
        }
        let mut read: FxHashSet<u32> = FxHashSet::default();
        for equation in &held {
            equation_exps(equation, &mut |exp| self.variables_of(exp, &mut read));
        }
        for statement in algorithms.1.iter().flat_map(|it| &it.statements) {
            statement_exps(statement, &mut |exp| self.variables_of(exp, &mut read));
        }
        // What such an algorithm decides is known to the discrete part when the modes have followed it.
        let mut left = algorithms.0.iter();
        let mixed = left.any(|it| self.assigned(it).iter().any(|v| read.contains(v)));
        let (outright, followed) = self.outright(&moving, &states, read.into_iter().collect());
        held.extend(outright);
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
            if followed.contains(&(v as u32)) {
                // Its start is a matter of the modes.
                variable.attributes.clear();
            } else if !constant && !carries && !is_given.contains_key(&(v as u32)) {
                variable.causality = Some(Causality::Input);
                // Inputs of a model have names without a dot.
                variable.name = variable.name.replace('.', "$").into();
                taken.push(v as u32);
            }
        }
        // Both remember what moves, which only the part that moves does: `pre(x)` is a left limit, and its comparisons are events.
        let continuous_variable = |exp: &FlatExp| matches!(exp, Exp::Ref(FlatRef::Var(id)) if self.class[id.index()] == Class::Continuous);
        let mut remembers_motion = false;
        let mut look = |exp: &FlatExp| {
            walk(exp, &mut |part| {
                remembers_motion |= called(part).is_some_and(|(name, call)| match name {
                    "delay" | "spatialDistribution" => true,
                    "pre" => call.args.iter().any(continuous_variable),
                    _ => false,
                });
            });
        };
        for equation in &discrete.equations {
            equation_exps(equation, &mut look);
        }
        for statement in discrete.algorithms.iter().flat_map(|it| &it.statements) {
            statement_exps(statement, &mut look);
        }
        (!remembers_motion).then_some(Split {
            continuous,
            discrete,
            given: list,
            taken,
            follows: !followed.is_empty(),
            mixed,
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

    /// Whether an initial equation is about left limits, and current values of `given` at most: both parts know left limits.
    fn is_about_the_past(&self, equation: &Equation, given: &FxHashSet<u32>) -> bool {
        let (mut now, mut lefts) = (FxHashSet::default(), FxHashSet::default());
        equation_exps(equation, &mut |exp| {
            self.current(exp, &mut now, &mut lefts);
        });
        !lefts.is_empty() && now.iter().all(|v| given.contains(v) || !self.varies(*v))
    }

    /// Inside a `when` relations are what they are at its instant, and make no events: the discrete part says what they are.
    fn decide_apart(
        &mut self,
        body: &mut [Equation],
        own: &mut Vec<Equation>,
        given: &mut FxHashSet<u32>,
    ) {
        let mut found: Vec<FlatExp> = Vec::new();
        let first = self.flat.variables.len() as u32;
        change_equations(body, &mut |exp| {
            let whole = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(whole, &mut |part| {
                let relation = matches!(&part, Exp::Binary(op, _) if is_relation(*op));
                if !relation || !self.moves(&part) {
                    return part;
                }
                found.push(part);
                reference(first + found.len() as u32 - 1)
            });
        });
        for relation in found {
            let name = format!("$relation{}", self.flat.variables.len());
            let v = self.variable(name, Type::Boolean, None);
            own.push(self.equality(v, relation, Type::Boolean));
            given.insert(v);
        }
    }

    /// Whether the discrete part decides when a `when` fires: it is `shared`, or its conditions have a past, and none is one of the part
    /// that moves. At the start a `reinit` is an initial equation, and no matter of instants.
    fn is_decided_apart(
        &self,
        branches: &[(FlatExp, Vec<Equation>)],
        shared: bool,
        given: &FxHashSet<u32>,
        kept: &FxHashSet<u32>,
    ) -> bool {
        let (mut read, mut past) = (FxHashSet::default(), shared);
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

fn is_relation(op: BinaryOp) -> bool {
    use BinaryOp::{Greater, GreaterEq, Less, LessEq};
    matches!(op, Less | LessEq | Greater | GreaterEq)
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
