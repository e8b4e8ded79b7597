//! A first pass over the flat model: which equations stand under which conditions, which of them define
//! discrete variables, and who is assigned in a `when`.

mod decides;
mod direct;

use super::as_variable;
use super::constants::{Constants, Value};
use modeshift_flat::model::{
    self as flat, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, OriginKind,
    Statement, StatementKind,
};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, Subscript, UnaryOp};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// A conjunction of conditions, as a path to the root of a tree.
pub(super) type ChainId = usize;

/// `parent and condition` (or `parent and not condition`). Chain 0 is `true`.
pub(super) struct Chain<'m> {
    pub(super) parent: ChainId,
    pub(super) condition: &'m FlatExp,
    pub(super) positive: bool,
    pub(super) origin: Arc<Origin>,
}

/// `lhs = rhs` between numbers, under a chain of conditions.
pub(super) struct Guarded<'m> {
    pub(super) chain: ChainId,
    pub(super) lhs: &'m FlatExp,
    pub(super) rhs: &'m FlatExp,
    pub(super) ty: &'m Type,
    pub(super) origin: Arc<Origin>,
}

/// `variable = value`, or `variable = not value`, under a chain of conditions.
pub(super) struct Piece<'m> {
    pub(super) chain: ChainId,
    pub(super) value: Source<'m>,
    pub(super) negated: bool,
    pub(super) origin: Arc<Origin>,
}

pub(super) enum Source<'m> {
    Exp(&'m FlatExp),
    /// The other side is a variable of an array that was not written out.
    Variable(flat::VarId),
}

/// One branch of a `when`, with the branches before it.
pub(super) struct When<'m> {
    pub(super) chain: ChainId,
    pub(super) branches: &'m [(FlatExp, Vec<Equation>)],
    pub(super) origin: Arc<Origin>,
}

/// An equality between discrete values that still has to find out which side it defines.
struct Undirected<'m> {
    chain: ChainId,
    sides: [Side<'m>; 2],
    origin: Arc<Origin>,
}

enum Side<'m> {
    /// A variable, possibly under `not`.
    Variable(flat::VarId, bool, Option<&'m FlatExp>),
    Exp(&'m FlatExp),
}

#[derive(Default)]
pub(super) struct Collected<'m> {
    pub(super) chains: Vec<Chain<'m>>,
    pub(super) numeric: Vec<Guarded<'m>>,
    pub(super) whens: Vec<When<'m>>,
    pub(super) assertions: Vec<(ChainId, &'m Equation)>,
    /// Loops and calls that remained: nothing we can look into.
    pub(super) opaque: Vec<&'m Equation>,
    /// Definitions of discrete variables, by flat variable.
    pub(super) pieces: Vec<Vec<Piece<'m>>>,
    /// Equalities that found nothing to define: both sides are defined already.
    pub(super) superfluous: Vec<Arc<Origin>>,
    /// The algorithm that assigns a variable outside `when`, by flat variable.
    pub(super) assigned_by: Vec<Option<usize>>,
    held: Vec<bool>,
    decides: Vec<bool>,
}

impl Collected<'_> {
    /// Assigned in a `when`, hence constant between events. For real variables that are not declared
    /// `discrete` the answer comes later, see [`super::finish`].
    pub(super) fn is_held(&self, id: flat::VarId) -> bool {
        self.held[id.index()]
    }

    pub(super) fn is_defined(&self, id: flat::VarId) -> bool {
        !self.pieces[id.index()].is_empty() || self.assigned_by[id.index()].is_some()
    }

    /// Whether the variable is compared in some condition.
    pub(super) fn decides(&self, id: flat::VarId) -> bool {
        self.decides[id.index()]
    }
}

/// Goes through the whole flat model once, and once more along the equalities between discrete
/// variables. Linear.
pub(super) fn collect<'m>(flat: &'m FlatModel, constants: &Constants) -> Collected<'m> {
    let n = flat.variables.len();
    let mut collector = Collector {
        flat,
        constants,
        undirected: Vec::new(),
        result: Collected {
            pieces: (0..n).map(|_| Vec::new()).collect(),
            assigned_by: vec![None; n],
            held: vec![false; n],
            decides: vec![false; n],
            ..Collected::default()
        },
    };
    collector.chain(0, &TRUE, true, &Arc::new(nowhere()));
    collector.bindings();
    for equation in &flat.equations {
        collector.equation(equation, 0);
    }
    for (i, algorithm) in flat.algorithms.iter().enumerate() {
        collector.statements(&algorithm.statements, i, false);
    }
    collector.direct();
    let mut collected = collector.result;
    decides::spread(flat, &mut collected);
    collected
}

static TRUE: FlatExp = Exp::Bool(true);

fn nowhere() -> Origin {
    Origin {
        span: modeshift_base::FileSpan {
            file: modeshift_base::FileId(0),
            span: modeshift_base::Span::default(),
        },
        also: Vec::new(),
        instance: Arc::from(""),
        kind: OriginKind::Equation,
        comment: None,
    }
}

struct Collector<'m, 'c> {
    flat: &'m FlatModel,
    constants: &'c Constants,
    undirected: Vec<Undirected<'m>>,
    result: Collected<'m>,
}

impl<'m> Collector<'m, '_> {
    fn chain(
        &mut self,
        parent: ChainId,
        condition: &'m FlatExp,
        positive: bool,
        origin: &Arc<Origin>,
    ) -> ChainId {
        self.result.chains.push(Chain {
            parent,
            condition,
            positive,
            origin: origin.clone(),
        });
        self.result.chains.len() - 1
    }

    /// `Real x = e` outside parameters is an equation.
    fn bindings(&mut self) {
        for (id, variable) in self.flat.variables.iter_enumerated() {
            let Some(binding) = &variable.binding else {
                continue;
            };
            if variable.variability <= Variability::Parameter {
                continue;
            }
            self.conditions_in(binding);
            let origin = Arc::new(Origin {
                kind: OriginKind::Binding,
                comment: None,
                ..Origin::clone(&variable.origin)
            });
            if !self.is_discrete(&variable.ty) {
                continue;
            }
            let value = self.side(binding);
            if matches!(value, Side::Variable(..)) && !self.is_given(id) {
                // What it is bound to may get its value from here: `Sensor s(on = b)` with an output that `s` determines.
                self.undirected.push(Undirected {
                    chain: 0,
                    sides: [Side::Variable(id, false, None), value],
                    origin,
                });
            } else {
                self.result.pieces[id.index()].push(Piece {
                    chain: 0,
                    value: Source::Exp(binding),
                    negated: false,
                    origin,
                });
            }
        }
    }

    const fn is_discrete(&self, ty: &Type) -> bool {
        matches!(ty, Type::Boolean | Type::Integer | Type::Enumeration(_))
    }

    fn equation(&mut self, equation: &'m Equation, chain: ChainId) {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, ty } => {
                self.conditions_in(lhs);
                self.conditions_in(rhs);
                self.equality(lhs, rhs, ty, chain, &equation.origin);
            }
            EquationKind::If { branches, else_ } => {
                self.if_equation(equation, branches, else_, chain)
            }
            EquationKind::When { branches } => {
                for (condition, body) in branches {
                    self.conditions_in(condition);
                    self.when_body(body);
                }
                self.result.whens.push(When {
                    chain,
                    branches,
                    origin: equation.origin.clone(),
                });
            }
            EquationKind::Assert { condition, .. } => {
                self.conditions_in(condition);
                self.result.assertions.push((chain, equation));
            }
            EquationKind::Terminate { .. } => {}
            EquationKind::For { .. } | EquationKind::Call(_) | EquationKind::Reinit { .. } => {
                self.result.opaque.push(equation);
            }
        }
    }

    /// Branches whose condition is known are taken or left out here; the others get a chain of
    /// conditions each.
    fn if_equation(
        &mut self,
        equation: &'m Equation,
        branches: &'m [(FlatExp, Vec<Equation>)],
        else_: &'m [Equation],
        chain: ChainId,
    ) {
        let mut rest = chain;
        for (condition, body) in branches {
            match self.constants.evaluate(condition) {
                Some(Value::Bool(true)) => {
                    for inner in body {
                        self.equation(inner, rest);
                    }
                    return;
                }
                Some(Value::Bool(false)) => continue,
                _ => {}
            }
            self.conditions_in(condition);
            self.used_as_condition(condition);
            let inside = self.chain(rest, condition, true, &equation.origin);
            for inner in body {
                self.equation(inner, inside);
            }
            rest = self.chain(rest, condition, false, &equation.origin);
        }
        for inner in else_ {
            self.equation(inner, rest);
        }
    }

    fn equality(
        &mut self,
        lhs: &'m FlatExp,
        rhs: &'m FlatExp,
        ty: &'m Type,
        chain: ChainId,
        origin: &Arc<Origin>,
    ) {
        let element = match ty {
            Type::Array(array) => &array.element,
            other => other,
        };
        if !self.is_discrete(element) {
            self.result.numeric.push(Guarded {
                chain,
                lhs,
                rhs,
                ty,
                origin: origin.clone(),
            });
            return;
        }
        let sides = |this: &Self| match ty {
            Type::Array(_) => this.array_sides(lhs, rhs),
            _ => Some(vec![[this.side(lhs), this.side(rhs)]]),
        };
        match sides(self) {
            Some(pairs) => self
                .undirected
                .extend(pairs.into_iter().map(|sides| Undirected {
                    chain,
                    sides,
                    origin: origin.clone(),
                })),
            None => self.result.numeric.push(Guarded {
                chain,
                lhs,
                rhs,
                ty,
                origin: origin.clone(),
            }),
        }
    }

    fn side(&self, exp: &'m FlatExp) -> Side<'m> {
        if let Exp::Unary(UnaryOp::Not, inner) = exp
            && let Some(id) = as_variable(inner)
        {
            return Side::Variable(id, true, Some(exp));
        }
        match as_variable(exp) {
            Some(id) => Side::Variable(id, false, Some(exp)),
            None => Side::Exp(exp),
        }
    }

    /// Element by element, where both sides are arrays of variables or of written elements.
    fn array_sides(&self, lhs: &'m FlatExp, rhs: &'m FlatExp) -> Option<Vec<[Side<'m>; 2]>> {
        let (left, right) = (self.elements(lhs)?, self.elements(rhs)?);
        (left.len() == right.len())
            .then(|| left.into_iter().zip(right).map(|(a, b)| [a, b]).collect())
    }

    fn elements(&self, exp: &'m FlatExp) -> Option<Vec<Side<'m>>> {
        match exp {
            Exp::Ref(FlatRef::Group(group)) => Some(
                self.flat.groups[*group]
                    .members
                    .iter()
                    .map(|&id| Side::Variable(id, false, None))
                    .collect(),
            ),
            Exp::Array(items, _) => Some(items.iter().map(|item| self.side(item)).collect()),
            _ => None,
        }
    }

    fn when_body(&mut self, body: &'m [Equation]) {
        for equation in body {
            match &equation.kind {
                EquationKind::Equality { lhs, rhs, .. } => {
                    self.conditions_in(rhs);
                    for exp in targets(lhs) {
                        self.hold(exp);
                    }
                }
                EquationKind::If { branches, else_ } => {
                    for (condition, inner) in branches {
                        self.conditions_in(condition);
                        self.used_as_condition(condition);
                        self.when_body(inner);
                    }
                    self.when_body(else_);
                }
                EquationKind::Reinit { value, .. } => self.conditions_in(value),
                _ => {}
            }
        }
    }

    /// Marks what is assigned in a `when`. Real variables need the word `discrete` here.
    fn hold(&mut self, target: &FlatExp) {
        let ids: Vec<flat::VarId> = match target {
            Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                self.flat.groups[*group].members.clone()
            }
            other => as_variable(other).into_iter().collect(),
        };
        for id in ids {
            let variable = &self.flat.variables[id];
            if variable.ty != Type::Real || variable.variability == Variability::Discrete {
                self.result.held[id.index()] = true;
            }
        }
    }

    fn statements(&mut self, statements: &'m [Statement], algorithm: usize, in_when: bool) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    self.conditions_in(value);
                    for target in targets(target) {
                        self.assigned(target, algorithm, in_when);
                    }
                }
                StatementKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        self.conditions_in(condition);
                        self.used_as_condition(condition);
                        self.statements(body, algorithm, in_when);
                    }
                    self.statements(else_, algorithm, in_when);
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    self.statements(body, algorithm, in_when);
                }
                StatementKind::When { branches } => {
                    for (condition, body) in branches {
                        self.conditions_in(condition);
                        self.statements(body, algorithm, true);
                    }
                }
                _ => {}
            }
        }
    }

    fn assigned(&mut self, target: &'m FlatExp, algorithm: usize, in_when: bool) {
        let ids: Vec<flat::VarId> = match target {
            Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                self.flat.groups[*group].members.clone()
            }
            other => as_variable(other).into_iter().collect(),
        };
        for id in ids {
            if in_when {
                self.result.held[id.index()] |= self.result.assigned_by[id.index()].is_none();
            } else {
                self.result.held[id.index()] = false;
                self.result.assigned_by[id.index()] = Some(algorithm);
            }
        }
    }

    /// Finds the variables that are compared inside `exp`.
    fn conditions_in(&mut self, exp: &FlatExp) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Binary(
                    BinaryOp::Less
                    | BinaryOp::LessEq
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEq
                    | BinaryOp::Equal
                    | BinaryOp::NotEqual,
                    sides,
                ) => {
                    self.used_as_condition(&sides.0);
                    self.used_as_condition(&sides.1);
                }
                Exp::If(branch) => self.used_as_condition(&branch.condition),
                _ => {}
            }
            push_children(exp, &mut stack);
        }
    }

    fn used_as_condition(&mut self, exp: &FlatExp) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            if let Exp::Ref(FlatRef::Var(id)) = exp {
                self.result.decides[id.index()] = true;
            }
            push_children(exp, &mut stack);
        }
    }
}

/// The variables of an assignment: several for a tuple.
pub(super) fn targets(exp: &FlatExp) -> Vec<&FlatExp> {
    match exp {
        Exp::Tuple(items) => items.iter().flatten().collect(),
        other => vec![other],
    }
}

/// The direct sub-expressions.
pub(super) fn push_children<'e>(exp: &'e FlatExp, stack: &mut Vec<&'e FlatExp>) {
    match exp {
        Exp::Array(items, _) | Exp::Record(_, items) => stack.extend(items),
        Exp::Range(range) => {
            stack.extend([&range.start, &range.stop]);
            stack.extend(&range.step);
        }
        Exp::Tuple(items) => stack.extend(items.iter().flatten()),
        Exp::Call(call) => stack.extend(&call.args),
        Exp::Reduction(reduction) => {
            stack.push(&reduction.body);
            stack.extend(reduction.iterators.iter().map(|(_, range)| range));
        }
        Exp::Unary(_, inner)
        | Exp::Cast(_, inner)
        | Exp::TupleElement(inner, _)
        | Exp::Field(inner, _) => stack.push(inner),
        Exp::Binary(_, sides) => stack.extend([&sides.0, &sides.1]),
        Exp::If(branch) => stack.extend([&branch.condition, &branch.then, &branch.else_]),
        Exp::Subscripted(inner, subscripts) => {
            stack.push(inner);
            push_subscripts(subscripts, stack);
        }
        Exp::Ref(FlatRef::Element(_, subscripts)) => push_subscripts(subscripts, stack),
        Exp::PartialFunction(_, args, _) => stack.extend(args.iter().map(|(_, arg)| arg)),
        Exp::Size(inner, dimension) => {
            stack.push(inner);
            stack.extend(dimension.as_deref());
        }
        _ => {}
    }
}

fn push_subscripts<'e>(subscripts: &'e [Subscript<FlatRef>], stack: &mut Vec<&'e FlatExp>) {
    for subscript in subscripts {
        match subscript {
            Subscript::Index(index) | Subscript::Slice(index) => stack.push(index),
            Subscript::All => {}
        }
    }
}

/// Whether a call is to the built-in function `name`.
pub(super) fn is_builtin(callee: &Callee, name: &str) -> bool {
    matches!(callee, Callee::Builtin(builtin) if *builtin == name)
}
