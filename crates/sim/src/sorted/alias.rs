//! Variables that are equal to another one, or to its negative, are the same unknown.
//!
//! Discrete variables that are equal still have left limits of their own at the start, by their own start values. So of
//! two whose left limits count, none stands for the other; and of two of which one counts, that one stands for both.

use super::lower::Class;
use modeshift_flat::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Statement, StatementKind,
};
use modeshift_flat::walk::{equation_exps, statement_exps, walk};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::Type;

/// Who stands for whom.
#[derive(Clone, Debug)]
pub struct Aliases {
    /// By variable: who stands for it, and whether with the other sign.
    parent: Vec<(u32, bool)>,
    /// Equations that are used up, and bindings.
    pub used_equations: Vec<bool>,
    pub used_bindings: Vec<bool>,
    /// Whether the left limit of a variable counts.
    left: Vec<bool>,
}

impl Aliases {
    /// Linear in the equations.
    pub fn new(flat: &FlatModel, class: &[Class]) -> Self {
        let mut this = Self {
            parent: (0..class.len() as u32).map(|v| (v, false)).collect(),
            used_equations: vec![false; flat.equations.len()],
            used_bindings: vec![false; class.len()],
            left: left_limits(flat),
        };
        for (id, variable) in flat.variables.iter_enumerated() {
            if let Some(binding) = &variable.binding
                && matches!(class[id.index()], Class::Continuous | Class::Discrete)
                && let Some((other, negative)) = signed(binding)
            {
                let joined = this.join(flat, class, id.index() as u32, other, negative);
                this.used_bindings[id.index()] = joined;
            }
        }
        for (i, equation) in flat.equations.iter().enumerate() {
            if let Some((a, b, negative)) = alias(equation) {
                this.used_equations[i] = this.join(flat, class, a, b, negative);
            }
        }
        this
    }

    /// The unknown that a variable is, and whether with the other sign.
    pub fn of(&self, variable: u32) -> (u32, bool) {
        let (mut at, mut negative) = (variable, false);
        loop {
            let (parent, sign) = self.parent[at as usize];
            if parent == at {
                return (at, negative);
            }
            negative ^= sign;
            at = parent;
        }
    }

    /// Whether the left limit of a variable counts.
    pub fn left_counts(&self, variable: u32) -> bool {
        self.left[variable as usize]
    }

    fn join(&mut self, flat: &FlatModel, class: &[Class], a: u32, b: u32, negative: bool) -> bool {
        let ((a, x), (b, y)) = (self.of(a), self.of(b));
        if a == b {
            return false;
        }
        let of = |v: u32| class[v as usize];
        let real = |v: u32| {
            matches!(
                flat.variables.iter().nth(v as usize).map(|x| &x.ty),
                Some(Type::Real)
            )
        };
        let negative = negative ^ x ^ y;
        let rank = |v: u32| match of(v) {
            Class::Input => 3,
            Class::Discrete if real(v) => 2,
            Class::Continuous | Class::Discrete => 1,
            Class::Constant | Class::Free | Class::Text => 0,
        };
        let (p, q) = (rank(a), rank(b));
        if p == 0 || q == 0 || (p > 1 && q > 1) {
            return false;
        }
        // The one that is determined by other means stands for both.
        let counts = |v: u32| self.left[v as usize];
        let (kept, gone) = if q > p || (p == q && counts(b) && !counts(a)) {
            (b, a)
        } else {
            (a, b)
        };
        if of(kept) == Class::Discrete && of(gone) == Class::Discrete && counts(gone) {
            return false;
        }
        self.parent[gone as usize] = (kept, negative);
        true
    }
}

/// By variable: whether its left limit is read, or is what it keeps where nothing assigns it. Linear in the model.
fn left_limits(flat: &FlatModel) -> Vec<bool> {
    let mut left = vec![false; flat.variables.len()];
    let mut mark = |exp: &FlatExp| {
        walk(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) => left[id.index()] = true,
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                flat.groups[*id]
                    .members
                    .iter()
                    .for_each(|member| left[member.index()] = true);
            }
            _ => {}
        });
    };
    let reads = |exp: &FlatExp, mark: &mut dyn FnMut(&FlatExp)| {
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part
                && let Callee::Builtin(name) = &call.function
                && matches!(name.as_str(), "pre" | "edge" | "change" | "previous")
            {
                call.args.iter().for_each(&mut *mark);
            }
        });
    };
    for binding in flat.variables.iter().filter_map(|v| v.binding.as_ref()) {
        reads(binding, &mut mark);
    }
    for equation in flat.equations.iter().chain(&flat.initial_equations) {
        equation_exps(equation, &mut |exp| reads(exp, &mut mark));
        in_when(equation, false, &mut mark);
    }
    for algorithm in flat.algorithms.iter().chain(&flat.initial_algorithms) {
        for statement in &algorithm.statements {
            statement_exps(statement, &mut |exp| reads(exp, &mut mark));
            targets(statement, &mut mark);
        }
    }
    left
}

/// What equations in `when` define.
fn in_when(equation: &Equation, inside: bool, mark: &mut dyn FnMut(&FlatExp)) {
    match &equation.kind {
        EquationKind::Equality { lhs, .. } if inside => mark(lhs),
        EquationKind::If { branches, else_ } => {
            branches
                .iter()
                .flat_map(|(_, body)| body)
                .for_each(|e| in_when(e, inside, mark));
            else_.iter().for_each(|e| in_when(e, inside, mark));
        }
        EquationKind::When { branches } => {
            branches
                .iter()
                .flat_map(|(_, body)| body)
                .for_each(|e| in_when(e, true, mark));
        }
        EquationKind::For { body, .. } => body.iter().for_each(|e| in_when(e, inside, mark)),
        _ => {}
    }
}

/// What statements assign.
fn targets(statement: &Statement, mark: &mut dyn FnMut(&FlatExp)) {
    match &statement.kind {
        StatementKind::Assign { target, .. } => mark(target),
        StatementKind::If { branches, else_ } => {
            branches
                .iter()
                .flat_map(|(_, body)| body)
                .for_each(|s| targets(s, mark));
            else_.iter().for_each(|s| targets(s, mark));
        }
        StatementKind::When { branches } => {
            branches
                .iter()
                .flat_map(|(_, body)| body)
                .for_each(|s| targets(s, mark));
        }
        StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
            body.iter().for_each(|s| targets(s, mark));
        }
        _ => {}
    }
}

fn variable(exp: &FlatExp) -> Option<u32> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(id.index() as u32),
        _ => None,
    }
}

fn signed(exp: &FlatExp) -> Option<(u32, bool)> {
    match exp {
        Exp::Unary(UnaryOp::Neg, inner) => Some((variable(inner)?, true)),
        _ => Some((variable(exp)?, false)),
    }
}

fn is_zero(exp: &FlatExp) -> bool {
    match exp {
        Exp::Int(0) => true,
        Exp::Real(value) => *value == 0.0,
        Exp::Cast(_, inner) => is_zero(inner),
        _ => false,
    }
}

/// `x = y`, `x = -y`, `x + y = 0`, `x - y = 0`.
fn alias(equation: &Equation) -> Option<(u32, u32, bool)> {
    let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
        return None;
    };
    if let (Some((a, x)), Some((b, y))) = (signed(lhs), signed(rhs)) {
        return Some((a, b, x ^ y));
    }
    let sum = if is_zero(rhs) {
        lhs
    } else if is_zero(lhs) {
        rhs
    } else {
        return None;
    };
    let Exp::Binary(op, sides) = sum else {
        return None;
    };
    let (a, x) = signed(&sides.0)?;
    let (b, y) = signed(&sides.1)?;
    match op {
        BinaryOp::Add => Some((a, b, !(x ^ y))),
        BinaryOp::Sub => Some((a, b, x ^ y)),
        _ => None,
    }
}
