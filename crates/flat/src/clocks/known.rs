//! What is known about an expression before the simulation.

use super::Work;
use crate::model::{FlatExp, FlatRef, VarId};
use crate::walk::{rewrite, walk};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Type, Variability};

impl Work {
    /// Whether an expression reads constants and parameters only.
    pub(super) fn known_everywhere(&self, exp: &FlatExp) -> bool {
        let mut known = true;
        walk(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) => {
                known &= self.model.variables[*id].variability <= Variability::Parameter;
            }
            Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                known &= self.model.groups[*group]
                    .members
                    .iter()
                    .all(|id| self.model.variables[*id].variability <= Variability::Parameter);
            }
            Exp::Time | Exp::Error => known = false,
            _ => {}
        });
        known
    }

    /// The variables in an expression that are neither constants nor parameters.
    pub(super) fn variables_in(&self, exp: &FlatExp, out: &mut Vec<VarId>) {
        let changes = |id: &VarId| self.model.variables[*id].variability > Variability::Parameter;
        walk(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) if changes(id) => out.push(*id),
            Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                out.extend(
                    self.model.groups[*group]
                        .members
                        .iter()
                        .filter(|id| changes(id)),
                );
            }
            _ => {}
        });
    }

    pub(super) fn is_boolean(&self, exp: &FlatExp) -> bool {
        use modeshift_inst::exp::{BinaryOp, UnaryOp};
        match exp {
            Exp::Bool(_) => true,
            Exp::Ref(FlatRef::Var(id)) => self.model.variables[*id].ty == Type::Boolean,
            Exp::Call(call) => call.ty == Type::Boolean,
            Exp::If(inner) => inner.ty == Type::Boolean,
            Exp::Unary(op, _) => *op == UnaryOp::Not,
            Exp::Binary(op, _) => matches!(
                op,
                BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Less
                    | BinaryOp::LessEq
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEq
                    | BinaryOp::Equal
                    | BinaryOp::NotEqual
            ),
            _ => false,
        }
    }

    /// The value of an expression of known whole numbers.
    pub(super) fn whole(&self, exp: &FlatExp) -> Option<i64> {
        match self.constant(exp.clone(), 0) {
            Exp::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The expression with the values of constants and parameters that have one.
    pub(super) fn constant(&self, exp: FlatExp, depth: u32) -> FlatExp {
        if depth > 50 {
            return Exp::Error;
        }
        rewrite(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) => {
                let variable = &self.model.variables[id];
                match &variable.binding {
                    Some(binding) if variable.variability <= Variability::Parameter => {
                        self.constant(binding.clone(), depth + 1)
                    }
                    _ => part,
                }
            }
            part => part,
        })
    }
}
