//! State machines (Modelica 3.6 §17): states are named, not read. In the typed tree the name of a state is a text, as
//! written; what it means follows from the instance that the equation stands in.

use super::builtin::builtin;
use super::cref::Meaning;
use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::Place;
use crate::ty::{Type, Variability};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_syntax::ast::{Args, ClassKind, Expr, ExprKind};
use std::sync::Arc;

impl Cx<'_, '_> {
    pub(crate) fn type_state_machine(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        self.not_in_function(name, place, env);
        let (names, states, ty): (&[&str], usize, Type) = match name {
            "transition" => (
                &[
                    "from",
                    "to",
                    "condition",
                    "immediate",
                    "reset",
                    "synchronize",
                    "priority",
                ],
                2,
                Type::NoReturn,
            ),
            "initialState" => (&["state"], 1, Type::NoReturn),
            "activeState" => (&["state"], 1, Type::Boolean),
            "ticksInState" => (&[], 0, Type::Integer),
            _ => (&[], 0, Type::Real),
        };
        let needed = if name == "transition" { 3 } else { states };
        if matches!(ty, Type::NoReturn) && (env.when || env.dynamic || env.initial) {
            let message = format!(
                "`{name}` is not allowed in a `when`, an initial equation, or an `if` that is decided later"
            );
            self.error(
                Code::MS2034,
                place,
                message,
                "state machines do not change during the simulation",
            );
            return Typed::error();
        }
        let Some(slots) = self.named_slots(name, names, needed, args, place, env) else {
            return Typed::error();
        };
        let mut exps = Vec::new();
        for slot in slots.iter().take(states).flatten() {
            match self.state(name, slot, env) {
                Some(state) => exps.push(state),
                None => return Typed::error(),
            }
        }
        let defaults = [
            (Type::Boolean, None),
            (Type::Boolean, Some(Exp::Bool(true))),
            (Type::Boolean, Some(Exp::Bool(true))),
            (Type::Boolean, Some(Exp::Bool(false))),
            (Type::Integer, Some(Exp::Int(1))),
        ];
        for (number, (slot, (wanted, default))) in
            slots.iter().skip(states).zip(defaults).enumerate()
        {
            let Some(given) = slot else {
                exps.extend(default);
                continue;
            };
            let typed = super::operator::first_output(self.type_exp(given, env));
            if typed.is_error() {
                return Typed::error();
            }
            let Some(exp) = fit(typed.exp, &typed.ty, &wanted) else {
                let at = env.place(given.span);
                self.wrong_argument(
                    name,
                    Name::new(names[states + number]),
                    &typed.ty,
                    &wanted,
                    at,
                );
                return Typed::error();
            };
            if number > 0 {
                self.mark_structural(&exp);
            }
            exps.push(exp);
        }
        builtin(name, exps, ty, Variability::Discrete)
    }

    /// The name of a block.
    fn state(&mut self, function: &str, exp: &Expr, env: &mut Env) -> Option<Exp> {
        let place = env.place(exp.span);
        let ExprKind::Ref(reference) = &exp.kind else {
            let message = format!("`{function}` needs the name of a block");
            self.error(Code::MS2034, place, message, "not a block");
            return None;
        };
        let block = match self.meaning(reference, env) {
            Meaning::Components(path) if path.len() == reference.parts.len() => {
                let last = path.last().map(|(id, _)| self.out.components[*id].kind);
                last.is_some_and(|kind| {
                    matches!(kind, ClassKind::Block | ClassKind::Model | ClassKind::Class)
                })
            }
            Meaning::Absent | Meaning::Error => return None,
            _ => false,
        };
        if !block {
            let message = format!("`{function}` needs the name of a block");
            self.error(Code::MS2034, place, message, "not a block");
            return None;
        }
        Some(Exp::Str(Arc::from(crate::print::reference(reference))))
    }
}
