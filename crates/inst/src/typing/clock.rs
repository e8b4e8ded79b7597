//! Synchronous language elements (Modelica 3.6 §16): clocks, and the operators that lead between partitions. They are
//! typed and flattened; what they mean is not analysed, which the analysis says itself.

use super::builtin::builtin;
use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::Place;
use crate::ty::{Type, Variability};
use modeshift_base::Name;
use modeshift_syntax::ast::{Args, Expr};

/// An argument of a clocked operator: its name, its type, and its value where it is not given. Without a value it
/// must be given.
type Slot = (&'static str, Type, Option<Exp>);

impl Cx<'_, '_> {
    pub(crate) fn type_clocked(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        self.not_in_function(name, place, env);
        if name == "Clock" {
            return self.type_clock(args, place, env);
        }
        let counter = |name| (name, Type::Integer, None);
        let or = |name, value| (name, Type::Integer, Some(Exp::Int(value)));
        let rest: Vec<Slot> = match name {
            "subSample" | "superSample" => vec![or("factor", 0)],
            "shiftSample" => vec![counter("shiftCounter"), or("resolution", 1)],
            "backSample" => vec![counter("backCounter"), or("resolution", 1)],
            "sample" => {
                let now = builtin("Clock", Vec::new(), Type::Clock, Variability::Discrete);
                vec![("c", Type::Clock, Some(now.exp))]
            }
            _ => Vec::new(),
        };
        let mut names = vec!["u"];
        names.extend(rest.iter().map(|slot| slot.0));
        // How long ago the clock ticked can be asked of the partition itself.
        let needed = usize::from(!matches!(name, "interval" | "firstTick"));
        let Some(slots) = self.named_slots(name, &names, needed, args, place, env) else {
            return Typed::error();
        };
        let mut exps = Vec::new();
        let mut ty = Type::Real;
        if let Some(first) = slots[0] {
            let typed = super::operator::first_output(self.type_exp(first, env));
            if typed.is_error() {
                return Typed::error();
            }
            ty = typed.ty;
            exps.push(typed.exp);
        }
        let Some(others) = self.clock_arguments(name, &rest, &slots[1..], place, env) else {
            return Typed::error();
        };
        exps.extend(others);
        let ty = match name {
            "interval" => Type::Real,
            "firstTick" => Type::Boolean,
            _ => ty,
        };
        builtin(name, exps, ty, Variability::Discrete)
    }

    /// `Clock(…)`: which form it is follows from the first argument.
    fn type_clock(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let integer = |name, value| (name, Type::Integer, value);
        let named = args.named.first().map(|arg| arg.name.name);
        let first = match args.positional.first() {
            Some(first) => Some(super::operator::first_output(self.type_exp(first, env)).ty),
            None => named.map(|name| match name.as_str() {
                "intervalCounter" | "resolution" => Type::Integer,
                "condition" | "startInterval" => Type::Boolean,
                "c" | "solverMethod" => Type::Clock,
                _ => Type::Real,
            }),
        };
        let slots: Vec<Slot> = match first {
            None => Vec::new(),
            Some(Type::Unknown) => return Typed::error(),
            Some(Type::Integer) => vec![
                integer("intervalCounter", None),
                integer("resolution", Some(Exp::Int(1))),
            ],
            Some(Type::Boolean) => vec![
                ("condition", Type::Boolean, None),
                ("startInterval", Type::Real, Some(Exp::Real(0.0))),
            ],
            Some(Type::Clock) => vec![
                ("c", Type::Clock, None),
                ("solverMethod", Type::String, None),
            ],
            Some(_) => vec![("interval", Type::Real, None)],
        };
        let names: Vec<&str> = slots.iter().map(|slot| slot.0).collect();
        let needed = slots.iter().filter(|slot| slot.2.is_none()).count();
        let Some(given) = self.named_slots("Clock", &names, needed, args, place, env) else {
            return Typed::error();
        };
        match self.clock_arguments("Clock", &slots, &given, place, env) {
            Some(exps) => builtin("Clock", exps, Type::Clock, Variability::Discrete),
            None => Typed::error(),
        }
    }

    fn clock_arguments(
        &mut self,
        function: &str,
        slots: &[Slot],
        given: &[Option<&Expr>],
        place: Place,
        env: &mut Env,
    ) -> Option<Vec<Exp>> {
        let mut exps = Vec::with_capacity(slots.len());
        for ((name, ty, default), given) in slots.iter().zip(given) {
            let Some(given) = given else {
                let Some(default) = default else {
                    self.wrong_count(
                        function,
                        slots.len(),
                        slots.len(),
                        given.iter().len(),
                        place,
                    );
                    return None;
                };
                exps.push(default.clone());
                continue;
            };
            let typed = super::operator::first_output(self.type_exp(given, env));
            if typed.is_error() {
                return None;
            }
            let Some(exp) = fit(typed.exp, &typed.ty, ty) else {
                let at = env.place(given.span);
                self.wrong_argument(function, Name::new(name), &typed.ty, ty, at);
                return None;
            };
            exps.push(exp);
        }
        Some(exps)
    }
}
