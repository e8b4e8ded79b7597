//! Algorithms that assign what moves together with discrete variables, as equations.
//!
//! An algorithm is one equation for all that it assigns, so it could only stay in one part of a [`super::split`]. Statement by
//! statement it is a chain of values: each assignment gives a variable of our own, which later statements read, an `if` chooses
//! among the values of its branches, and a `when` those that it gives as long as it fires. The last value of a variable is its
//! equation. Loops, and elements that are chosen while running, stay an algorithm.

use super::split::{Parts, builtin, called, reference};
use crate::sorted::lower::Class;
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_flat::model::{
    Algorithm, Equation, FlatExp, FlatRef, Statement, StatementKind, VarId,
};
use modeshift_flat::walk::{rewrite, walk};
use modeshift_inst::exp::{BinaryOp, Exp, IfExp, UnaryOp};
use modeshift_inst::ty::{Type, Variability};

/// Longer algorithms stay what they are.
const MAX_STATEMENTS: usize = 2_000;

/// Left limits have the numbers of their variables from here on, while values are put in.
const LEFT: usize = 1 << 31;

/// What the variables that an algorithm assigns are, after some of its statements.
type Values = FxIndexMap<u32, FlatExp>;

struct Chain<'p> {
    parts: &'p mut Parts,
    targets: FxHashSet<u32>,
    equations: Vec<Equation>,
    values: Values,
    /// Inside a `when`: relations make no events.
    literal: bool,
}

fn both(op: BinaryOp, a: FlatExp, b: FlatExp) -> FlatExp {
    Exp::Binary(op, Box::new((a, b)))
}

fn not(exp: FlatExp) -> FlatExp {
    Exp::Unary(UnaryOp::Not, Box::new(exp))
}

impl Parts {
    /// Writes algorithms that assign discrete variables beside others as equations.
    pub(super) fn straighten(&mut self) {
        let mut left = Vec::new();
        for algorithm in std::mem::take(&mut self.flat.algorithms) {
            let targets: FxHashSet<u32> = self.assigned(&algorithm).into_iter().collect();
            match self.is_straight(&algorithm, &targets) {
                true => {
                    let equations = self.straightened(&algorithm, targets);
                    self.flat.equations.extend(equations);
                }
                false => left.push(algorithm),
            }
        }
        self.flat.algorithms = left;
    }

    fn straightened(&mut self, algorithm: &Algorithm, targets: FxHashSet<u32>) -> Vec<Equation> {
        let mut chain = Chain {
            parts: self,
            targets,
            equations: Vec::new(),
            values: Values::default(),
            literal: false,
        };
        chain.run(&algorithm.statements);
        let Chain {
            values,
            mut equations,
            ..
        } = chain;
        for (v, value) in values {
            let ty = self.type_of(v);
            equations.push(self.equality(v, value, ty));
        }
        for equation in &mut equations {
            equation.origin = algorithm.origin.clone();
        }
        equations
    }

    fn type_of(&self, v: u32) -> Type {
        self.flat.variables[VarId::new(v as usize)].ty.clone()
    }

    /// Whether an algorithm is to be written as equations, and can be. What assigns variables of one kind stays together.
    fn is_straight(&self, algorithm: &Algorithm, targets: &FxHashSet<u32>) -> bool {
        let held = |v: &&u32| self.class[**v as usize] == Class::Discrete;
        let n_held = targets.iter().filter(held).count();
        let plain = |v: &u32| {
            let ty = self.type_of(*v);
            matches!(ty, Type::Real | Type::Integer | Type::Boolean | Type::Enumeration(_))
        };
        let mut left = MAX_STATEMENTS;
        n_held > 0
            && n_held < targets.len()
            && targets.iter().all(plain)
            && self.are_straight(&algorithm.statements, targets, &mut left)
    }

    fn are_straight(
        &self,
        statements: &[Statement],
        targets: &FxHashSet<u32>,
        left: &mut usize,
    ) -> bool {
        let simple = |exp: &FlatExp| {
            let mut simple = true;
            walk(exp, &mut |part| simple &= self.is_simple(part, targets));
            simple
        };
        statements.iter().all(|statement| {
            *left = left.saturating_sub(1);
            *left > 0
                && match &statement.kind {
                    StatementKind::Assign {
                        target: Exp::Ref(FlatRef::Var(_)),
                        value,
                        ..
                    } => simple(value),
                    StatementKind::If { branches, else_ } => {
                        let mut all = branches.iter();
                        all.all(|(c, body)| simple(c) && self.are_straight(body, targets, left))
                            && self.are_straight(else_, targets, left)
                    }
                    StatementKind::When { branches } => branches.iter().all(|(c, body)| {
                        let known = !matches!(c, Exp::Ref(FlatRef::Group(_)));
                        known && simple(c) && self.are_straight(body, targets, left)
                    }),
                    _ => false,
                }
        })
    }

    /// Arrays of what is assigned, and its past, are left to algorithms; so are calls that do something.
    fn is_simple(&self, part: &FlatExp, targets: &FxHashSet<u32>) -> bool {
        let reads_targets = |exp: &FlatExp| {
            let mut read = FxHashSet::default();
            self.variables_of(exp, &mut read);
            read.iter().any(|v| targets.contains(v))
        };
        match part {
            Exp::Ref(FlatRef::Group(_) | FlatRef::Element(..)) => !reads_targets(part),
            Exp::Call(call) => match called(part) {
                Some(("der" | "delay" | "spatialDistribution", _)) => {
                    !call.args.iter().any(reads_targets)
                }
                Some(_) => true,
                None => !self.is_impure(&call.function),
            },
            _ => true,
        }
    }
}

impl Chain<'_> {
    fn run(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|it| self.step(it));
    }

    fn step(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign {
                target: Exp::Ref(FlatRef::Var(id)),
                value,
                ..
            } => {
                let v = id.index() as u32;
                let value = self.value(value, self.parts.type_of(v));
                self.assign(v, value);
            }
            StatementKind::If { branches, else_ } => self.branch(branches, else_),
            StatementKind::When { branches } => self.when(branches),
            _ => {}
        }
    }

    /// The value has a name, so that it is written once.
    fn assign(&mut self, v: u32, value: FlatExp) {
        let plain = matches!(
            value,
            Exp::Ref(_) | Exp::Real(_) | Exp::Int(_) | Exp::Bool(_) | Exp::Enum(..)
        );
        let value = match plain {
            true => value,
            false => self.named(value, self.parts.type_of(v), self.parts.class[v as usize]),
        };
        self.values.insert(v, value);
    }

    fn named(&mut self, value: FlatExp, ty: Type, class: Class) -> FlatExp {
        let name = format!("$value{}", self.parts.flat.variables.len());
        let v = self.parts.variable(name, ty.clone(), None);
        if class == Class::Continuous {
            self.parts.class[v as usize] = class;
            self.parts.flat.variables[VarId::new(v as usize)].variability = Variability::Continuous;
        }
        self.equations.push(self.parts.equality(v, value, ty));
        reference(v)
    }

    /// A condition that is read several times. A Boolean variable changes at events only, so what makes none has no name.
    fn condition(&mut self, exp: &FlatExp) -> FlatExp {
        let value = self.value(exp, Type::Boolean);
        let mut literal = false;
        walk(&value, &mut |part| {
            literal |= called(part).is_some_and(|(name, _)| name == "noEvent");
        });
        match literal {
            true => value,
            false => self.named(value, Type::Boolean, Class::Discrete),
        }
    }

    fn branch(&mut self, branches: &[(FlatExp, Vec<Statement>)], else_: &[Statement]) {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.run(else_);
        };
        let condition = self.condition(condition);
        let before = self.values.clone();
        self.run(body);
        let then = std::mem::replace(&mut self.values, before);
        self.branch(rest, else_);
        self.choose(&condition, then);
    }

    /// Where a condition holds the values are others.
    fn choose(&mut self, condition: &FlatExp, then: Values) {
        let otherwise = self.values.clone();
        let mut changed: Vec<u32> = then.keys().chain(otherwise.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|v| then.get(v) != otherwise.get(v));
        for v in changed {
            let of = |values: &Values| {
                let value = values.get(&v).cloned();
                value.unwrap_or_else(|| self.before(v))
            };
            let choice = IfExp {
                condition: condition.clone(),
                then: of(&then),
                else_: of(&otherwise),
                ty: self.parts.type_of(v),
            };
            self.assign(v, Exp::If(Box::new(choice)));
        }
    }

    fn when(&mut self, branches: &[(FlatExp, Vec<Statement>)]) {
        let before = self.values.clone();
        let mut taken = Vec::new();
        for (condition, body) in branches {
            self.values.clone_from(&before);
            let fires = self.fires(condition);
            let outer = std::mem::replace(&mut self.literal, true);
            self.run(body);
            self.literal = outer;
            taken.push((fires, self.values.clone()));
        }
        self.values = before;
        // The first one that fires counts.
        for (fires, values) in taken.into_iter().rev() {
            self.choose(&fires, values);
        }
    }

    /// Whether a `when` with this condition is active now.
    fn fires(&mut self, condition: &FlatExp) -> FlatExp {
        let items = match condition {
            Exp::Array(items, _) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let initial = || builtin("initial", Vec::new(), Type::Boolean);
        let mut any = Exp::Bool(false);
        for item in items {
            let fires = match called(item) {
                Some(("initial", _)) => initial(),
                _ => {
                    let value = self.value(item, Type::Boolean);
                    let now = self.named(value, Type::Boolean, Class::Discrete);
                    let before = builtin("pre", vec![now.clone()], Type::Boolean);
                    let running = both(BinaryOp::And, not(before), not(initial()));
                    both(BinaryOp::And, now, running)
                }
            };
            any = match any {
                Exp::Bool(false) => fires,
                any => both(BinaryOp::Or, any, fires),
            };
        }
        self.named(any, Type::Boolean, Class::Discrete)
    }

    /// What a variable is before its first assignment (section 11.1.2 of the specification).
    fn before(&self, v: u32) -> FlatExp {
        let variable = &self.parts.flat.variables[VarId::new(v as usize)];
        if self.parts.class[v as usize] == Class::Discrete {
            return builtin("pre", vec![reference(v)], variable.ty.clone());
        }
        let mut attributes = variable.attributes.iter();
        let start = attributes.find(|it| it.name.as_str() == "start");
        start.map_or(Exp::Real(0.0), |start| start.value.clone())
    }

    /// An expression with the values of the moment.
    fn value(&self, exp: &FlatExp, ty: Type) -> FlatExp {
        let lefts = rewrite(exp.clone(), &mut |part| self.with_left_limits(part));
        let value = rewrite(lefts, &mut |part| {
            let Exp::Ref(FlatRef::Var(id)) = &part else {
                return part;
            };
            if id.index() >= LEFT {
                let v = (id.index() - LEFT) as u32;
                return builtin("pre", vec![reference(v)], self.parts.type_of(v));
            }
            let v = id.index() as u32;
            match self.values.get(&v) {
                Some(value) => value.clone(),
                None if self.targets.contains(&v) => self.before(v),
                None => part,
            }
        });
        match self.literal && has_events(&value) {
            true => builtin("noEvent", vec![value], ty),
            false => value,
        }
    }

    /// Left limits of what the algorithm assigns are no values of the moment.
    fn with_left_limits(&self, part: FlatExp) -> FlatExp {
        let Some((name, call)) = called(&part) else {
            return part;
        };
        let [Exp::Ref(FlatRef::Var(id))] = call.args.as_slice() else {
            return part;
        };
        if !self.targets.contains(&(id.index() as u32)) {
            return part;
        }
        let now = Exp::Ref(FlatRef::Var(*id));
        let left = Exp::Ref(FlatRef::Var(VarId::new(LEFT + id.index())));
        match name {
            "pre" => left,
            "edge" => both(BinaryOp::And, now, not(left)),
            "change" => both(BinaryOp::NotEqual, now, left),
            _ => part,
        }
    }
}

/// Whether an expression has parts that could make events.
fn has_events(exp: &FlatExp) -> bool {
    use BinaryOp::{Greater, GreaterEq, Less, LessEq};
    let mut found = false;
    walk(exp, &mut |part| {
        found |= match part {
            Exp::Binary(op, _) => matches!(op, Less | LessEq | Greater | GreaterEq),
            part => called(part).is_some_and(|(name, _)| {
                matches!(name, "floor" | "ceil" | "integer" | "div" | "mod" | "rem")
            }),
        };
    });
    found
}
