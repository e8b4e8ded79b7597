//! Derivatives of expressions that jump: `der(e)` is `der(x)` with `x = e`.
//!
//! Where nothing in `e` jumps, its derivative is that of its parts. Where a condition on time or a discrete variable moves
//! `e` by a step, what is integrated from `der(e)` moves by the same step; that is told by a variable of its own,
//! like any variable that the modeller named. Conditions on continuous variables are left alone: what they switch is
//! continuous as a rule, and the variable would have to be solved for them.

use crate::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, Statement,
    StatementKind, VarId, Variable,
};
use crate::walk::{change_equations, rewrite, walk, walk_while};
use modeshift_base::FxHashSet;
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// The model with a variable for each such expression, if there are any. Linear in the model.
pub fn named(model: &FlatModel) -> Option<FlatModel> {
    let held = held(model);
    let found = Found { model, held: &held };
    let mut any = false;
    let bindings = model.variables.iter().filter_map(|it| it.binding.as_ref());
    bindings.for_each(|exp| any |= found.inside(exp));
    for equation in &model.equations {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind {
            any |= found.inside(lhs) || found.inside(rhs);
        }
    }
    if !any {
        return None;
    }
    let mut made: Vec<(FlatExp, Arc<Origin>)> = Vec::new();
    let mut changed = model.clone();
    let first = changed.variables.len();
    let mut change = |exp: &mut FlatExp, origin: &Arc<Origin>| {
        if !found.inside(exp) {
            return;
        }
        let old = std::mem::replace(exp, Exp::Error);
        *exp = rewrite(old, &mut |part| match part {
            Exp::Call(mut call) if found.is_meant(&call.function, &call.args, &call.ty) => {
                let id = VarId::new(first + made.len());
                let inner = std::mem::replace(&mut call.args[0], Exp::Ref(FlatRef::Var(id)));
                made.push((inner, origin.clone()));
                Exp::Call(call)
            }
            other => other,
        });
    };
    for variable in changed.variables.iter_mut() {
        let origin = variable.origin.clone();
        variable
            .binding
            .iter_mut()
            .for_each(|exp| change(exp, &origin));
    }
    for equation in &mut changed.equations {
        if matches!(equation.kind, EquationKind::Equality { .. }) {
            let origin = equation.origin.clone();
            let one = std::slice::from_mut(equation);
            change_equations(one, &mut |exp| change(exp, &origin));
        }
    }
    for (number, (value, origin)) in made.into_iter().enumerate() {
        let name: Arc<str> = format!("$derived{}", number + 1).into();
        changed.variables.push(Variable {
            stem: name.len() as u32,
            name,
            ty: Type::Real,
            variability: Variability::Continuous,
            discrete: false,
            causality: None,
            flow: false,
            protected: true,
            final_: false,
            attributes: Vec::new(),
            binding: Some(value),
            comment: None,
            origin,
        });
    }
    Some(changed)
}

struct Found<'m> {
    model: &'m FlatModel,
    held: &'m FxHashSet<VarId>,
}

impl Found<'_> {
    /// Whether an expression contains such a derivative.
    fn inside(&self, exp: &FlatExp) -> bool {
        let mut found = false;
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part {
                found |= self.is_meant(&call.function, &call.args, &call.ty);
            }
        });
        found
    }

    fn is_meant(&self, function: &Callee, args: &[FlatExp], ty: &Type) -> bool {
        let Callee::Builtin(name) = function else {
            return false;
        };
        match args {
            [inner] if *name == "der" && *ty == Type::Real => {
                !matches!(inner, Exp::Ref(_)) && self.jumps(inner)
            }
            _ => false,
        }
    }

    /// Whether a value may jump where a condition changes that no continuous variable decides.
    fn jumps(&self, exp: &FlatExp) -> bool {
        let mut found = false;
        walk_while(exp, &mut |part| {
            match part {
                Exp::Ref(FlatRef::Var(id)) => found |= self.is_held(*id),
                Exp::Binary(op, _) if is_relation(*op) => found |= !self.moves(part),
                Exp::Call(call) => {
                    if let Callee::Builtin(name) = &call.function {
                        match name.as_str() {
                            // Nothing in there makes an event.
                            "noEvent" | "smooth" | "der" => return false,
                            "floor" | "ceil" | "integer" | "div" | "mod" | "rem" | "sign" => {
                                found |= !self.moves(part) && !self.is_fixed(part);
                            }
                            "sample" | "edge" | "change" => found = true,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
            !found
        });
        found
    }

    /// Whether a continuous variable is read.
    fn moves(&self, exp: &FlatExp) -> bool {
        let mut moves = false;
        walk(exp, &mut |part| {
            if let Exp::Ref(FlatRef::Var(id)) = part {
                let variable = &self.model.variables[*id];
                moves |= variable.variability == Variability::Continuous && !self.is_held(*id);
            }
        });
        moves
    }

    /// Whether neither time nor a variable is read.
    fn is_fixed(&self, exp: &FlatExp) -> bool {
        let mut fixed = true;
        walk(exp, &mut |part| match part {
            Exp::Time => fixed = false,
            Exp::Ref(FlatRef::Var(id)) => {
                fixed &= self.model.variables[*id].variability < Variability::Discrete;
            }
            _ => {}
        });
        fixed
    }

    fn is_held(&self, id: VarId) -> bool {
        self.model.variables[id].variability == Variability::Discrete || self.held.contains(&id)
    }
}

const fn is_relation(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less
            | BinaryOp::LessEq
            | BinaryOp::Greater
            | BinaryOp::GreaterEq
            | BinaryOp::Equal
            | BinaryOp::NotEqual
    )
}

/// Variables that `when` assigns.
fn held(model: &FlatModel) -> FxHashSet<VarId> {
    let mut held = FxHashSet::default();
    of_equations(&model.equations, false, &mut held);
    for Algorithm { statements, .. } in &model.algorithms {
        of_statements(statements, false, &mut held);
    }
    held
}

fn targets(exp: &FlatExp, held: &mut FxHashSet<VarId>) {
    walk(exp, &mut |part| {
        if let Exp::Ref(FlatRef::Var(id)) = part {
            held.insert(*id);
        }
    });
}

fn of_equations(equations: &[Equation], in_when: bool, held: &mut FxHashSet<VarId>) {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equality { lhs, .. } if in_when => targets(lhs, held),
            EquationKind::When { branches } => {
                for (_, body) in branches {
                    of_equations(body, true, held);
                }
            }
            EquationKind::If { branches, else_ } => {
                for (_, body) in branches {
                    of_equations(body, in_when, held);
                }
                of_equations(else_, in_when, held);
            }
            EquationKind::For { body, .. } => of_equations(body, in_when, held),
            _ => {}
        }
    }
}

fn of_statements(statements: &[Statement], in_when: bool, held: &mut FxHashSet<VarId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } if in_when => targets(target, held),
            StatementKind::When { branches } => {
                for (_, body) in branches {
                    of_statements(body, true, held);
                }
            }
            StatementKind::If { branches, else_ } => {
                for (_, body) in branches {
                    of_statements(body, in_when, held);
                }
                of_statements(else_, in_when, held);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                of_statements(body, in_when, held);
            }
            _ => {}
        }
    }
}
