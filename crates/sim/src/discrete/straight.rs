//! Algorithms that assign what moves together with discrete variables, as equations.
//!
//! An algorithm is one equation for all that it assigns, so it could only stay in one part of a [`super::split`]. Statement by
//! statement it is a chain of values: what was assigned before is put into later statements, an `if` chooses among the values of
//! its branches, and a `when` is an equation of its own for what it alone assigns. The last value of a variable is its equation.
//! Loops, elements that are chosen while running, and what would become long stay an algorithm.

use super::split::{Parts, builtin, called, reference};
use crate::sorted::lower::Class;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_flat::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatRef, Statement, StatementKind, VarId,
};
use modeshift_flat::walk::{rewrite, walk};
use modeshift_inst::exp::{BinaryOp, Exp, IfExp, UnaryOp};
use modeshift_inst::ty::Type;

/// Values that are longer than this are not put into others.
const MAX_SIZE: usize = 500;

/// Left limits have the numbers of their variables from here on, while values are put in.
const LEFT: usize = 1 << 31;

/// What the variables that an algorithm assigns are, after some of its statements.
type Values = FxIndexMap<u32, FlatExp>;

struct Chain<'p> {
    parts: &'p Parts,
    /// In how many statements at the top of the algorithm a variable is assigned.
    targets: FxHashMap<u32, usize>,
    equations: Vec<Equation>,
    values: Values,
    /// Inside a `when`: relations make no events.
    literal: bool,
}

fn both(op: BinaryOp, a: FlatExp, b: FlatExp) -> FlatExp {
    Exp::Binary(op, Box::new((a, b)))
}

impl Parts {
    /// Writes algorithms that assign discrete variables beside others as equations. Linear in their text.
    pub(super) fn straighten(&mut self) {
        let mut left = Vec::new();
        for algorithm in std::mem::take(&mut self.flat.algorithms) {
            match self.straightened(&algorithm) {
                Some(equations) => self.flat.equations.extend(equations),
                None => left.push(algorithm),
            }
        }
        self.flat.algorithms = left;
    }

    fn straightened(&self, algorithm: &Algorithm) -> Option<Vec<Equation>> {
        let mut targets: FxHashMap<u32, usize> = FxHashMap::default();
        for statement in &algorithm.statements {
            let mut assigned = Vec::new();
            self.assigned_by(statement, &mut assigned);
            assigned.sort_unstable();
            assigned.dedup();
            for v in assigned {
                *targets.entry(v).or_default() += 1;
            }
        }
        // What is of one kind stays together in one part.
        let held = targets.keys().filter(|v| self.is_held(**v)).count();
        if held == 0 || held == targets.len() {
            return None;
        }
        let mut chain = Chain {
            parts: self,
            targets,
            equations: Vec::new(),
            values: Values::default(),
            literal: false,
        };
        for statement in &algorithm.statements {
            match &statement.kind {
                StatementKind::When { branches } => chain.when(branches)?,
                _ => chain.step(statement)?,
            }
        }
        let Chain {
            values,
            mut equations,
            ..
        } = chain;
        for (v, value) in values {
            // What a `when` has assigned is known by its equation.
            if value != reference(v) {
                equations.push(self.equality(v, value, self.type_of(v)));
            }
        }
        for equation in &mut equations {
            equation.origin = algorithm.origin.clone();
        }
        Some(equations)
    }

    fn is_held(&self, v: u32) -> bool {
        self.class[v as usize] == Class::Discrete
    }

    fn type_of(&self, v: u32) -> Type {
        self.flat.variables[VarId::new(v as usize)].ty.clone()
    }
}

impl Chain<'_> {
    fn run(&mut self, statements: &[Statement]) -> Option<()> {
        statements.iter().try_for_each(|it| self.step(it))
    }

    fn step(&mut self, statement: &Statement) -> Option<()> {
        match &statement.kind {
            StatementKind::Assign {
                target: Exp::Ref(FlatRef::Var(id)),
                value,
                ..
            } => {
                let v = id.index() as u32;
                let value = self.value(value, self.parts.type_of(v))?;
                self.values.insert(v, value);
                Some(())
            }
            StatementKind::If { branches, else_ } => self.branch(branches, else_),
            _ => None,
        }
    }

    fn branch(
        &mut self,
        branches: &[(FlatExp, Vec<Statement>)],
        else_: &[Statement],
    ) -> Option<()> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.run(else_);
        };
        let condition = self.value(condition, Type::Boolean)?;
        let before = self.values.clone();
        self.run(body)?;
        let then = std::mem::replace(&mut self.values, before);
        self.branch(rest, else_)?;
        self.choose(&condition, &then)
    }

    /// Where a condition holds the values are others.
    fn choose(&mut self, condition: &FlatExp, then: &Values) -> Option<()> {
        let mut changed: Vec<u32> = then.keys().chain(self.values.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|v| then.get(v) != self.values.get(v));
        for v in changed {
            let of = |values: &Values| {
                let value = values.get(&v).cloned();
                value.or_else(|| self.before(v))
            };
            let choice = IfExp {
                condition: condition.clone(),
                then: of(then)?,
                else_: of(&self.values)?,
                ty: self.parts.type_of(v),
            };
            let choice = short(Exp::If(Box::new(choice)))?;
            self.values.insert(v, choice);
        }
        Some(())
    }

    /// A `when` that alone assigns its variables.
    fn when(&mut self, branches: &[(FlatExp, Vec<Statement>)]) -> Option<()> {
        let before = self.values.clone();
        let mut list = Vec::new();
        let mut all: FxHashSet<u32> = FxHashSet::default();
        for (condition, body) in branches {
            let condition = self.value(condition, Type::Boolean)?;
            let outer = std::mem::replace(&mut self.literal, true);
            self.run(body)?;
            self.literal = outer;
            let values = std::mem::replace(&mut self.values, before.clone());
            let mut equations = Vec::new();
            for (v, value) in values {
                if before.get(&v) == Some(&value) {
                    continue;
                }
                if !self.parts.is_held(v) || self.targets.get(&v) != Some(&1) {
                    return None;
                }
                all.insert(v);
                equations.push(self.parts.equality(v, value, self.parts.type_of(v)));
            }
            list.push((condition, equations));
        }
        self.values
            .extend(all.into_iter().map(|v| (v, reference(v))));
        let origin = list
            .iter()
            .flat_map(|(_, body)| body)
            .next()?
            .origin
            .clone();
        self.equations.push(Equation {
            kind: EquationKind::When { branches: list },
            origin,
        });
        Some(())
    }

    /// What a variable is before its first assignment (section 11.1.2 of the specification).
    fn before(&self, v: u32) -> Option<FlatExp> {
        let variable = &self.parts.flat.variables[VarId::new(v as usize)];
        if self.parts.is_held(v) {
            return Some(builtin("pre", vec![reference(v)], variable.ty.clone()));
        }
        let mut attributes = variable.attributes.iter();
        let start = attributes.find(|it| it.name.as_str() == "start");
        (variable.ty == Type::Real)
            .then(|| start.map_or(Exp::Real(0.0), |start| start.value.clone()))
    }

    /// An expression with the values of the moment.
    fn value(&self, exp: &FlatExp, ty: Type) -> Option<FlatExp> {
        let mut fits = true;
        walk(exp, &mut |part| fits &= self.is_simple(part));
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
            let before = || self.targets.contains_key(&v).then(|| self.before(v));
            match self.values.get(&v).cloned().map(Some).or_else(before) {
                Some(Some(value)) => value,
                Some(None) => {
                    fits = false;
                    part
                }
                None => part,
            }
        });
        let value = match self.literal && has_events(&value) {
            true => builtin("noEvent", vec![value], ty),
            false => value,
        };
        short(value).filter(|_| fits)
    }

    /// Left limits of what the algorithm assigns are no values of the moment.
    fn with_left_limits(&self, part: FlatExp) -> FlatExp {
        let Some((name, call)) = called(&part) else {
            return part;
        };
        let [Exp::Ref(FlatRef::Var(id))] = call.args.as_slice() else {
            return part;
        };
        if !self.targets.contains_key(&(id.index() as u32)) {
            return part;
        }
        let now = Exp::Ref(FlatRef::Var(*id));
        let left = Exp::Ref(FlatRef::Var(VarId::new(LEFT + id.index())));
        match name {
            "pre" => left,
            "edge" => {
                let before = Exp::Unary(UnaryOp::Not, Box::new(left));
                both(BinaryOp::And, now, before)
            }
            "change" => both(BinaryOp::NotEqual, now, left),
            _ => part,
        }
    }

    /// Arrays of what is assigned, and its past, are left to algorithms; so are calls that do something.
    fn is_simple(&self, part: &FlatExp) -> bool {
        let reads_targets = |exp: &FlatExp| {
            let mut read = FxHashSet::default();
            self.parts.variables_of(exp, &mut read);
            read.iter().any(|v| self.targets.contains_key(v))
        };
        match part {
            Exp::Ref(FlatRef::Group(_) | FlatRef::Element(..)) => !reads_targets(part),
            Exp::Call(call) => match called(part) {
                Some(("der" | "delay" | "spatialDistribution", _)) => {
                    !call.args.iter().any(reads_targets)
                }
                Some(_) => true,
                None => !self.parts.is_impure(&call.function),
            },
            _ => true,
        }
    }
}

/// Nothing if an expression is long.
fn short(exp: FlatExp) -> Option<FlatExp> {
    let mut size = 0;
    walk(&exp, &mut |_| size += 1);
    (size <= MAX_SIZE).then_some(exp)
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
