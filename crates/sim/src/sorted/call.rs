//! Calls of the functions of a model.
//!
//! A pure function may be called whenever a value is needed. An impure one stands where an instant is meant: in `when`,
//! in initial sections, in the binding of a parameter.

use super::lower::{Effect, Lowering};
use super::value::{Value, Why};
use crate::tape::{CallArg, Unsupported};
use modeshift_code::Shape;
use modeshift_flat::model::{FlatExp, Origin};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;
use std::sync::Arc;

impl Lowering<'_> {
    /// The one place where calls of functions become nodes.
    pub fn user_call(
        &mut self,
        name: &Arc<str>,
        args: &[FlatExp],
        ty: &Type,
    ) -> Result<Vec<Value>, Why> {
        let args = self.arguments(name, args)?;
        let types: Vec<Type> = match ty {
            Type::Tuple(types) => types.to_vec(),
            other => vec![other.clone()],
        };
        let shapes = self.functions.result_shapes(&mut self.graph, name, &args);
        let shapes = match shapes {
            Some(mut shapes) => {
                shapes.truncate(types.len());
                shapes
            }
            None => {
                let shapes: Option<Vec<Shape>> = types.iter().map(Shape::of).collect();
                shapes
                    .ok_or_else(|| format!("the sizes of the results of `{name}` are not known"))?
            }
        };
        let regs = self
            .functions
            .call_site(&mut self.graph, name, &args, &shapes, Some(self.path));
        let regs = regs.map_err(|unsupported| told(name, unsupported))?;
        let mut regs = regs.into_iter();
        let outputs = shapes.iter().zip(&types).map(|(shape, ty)| {
            let (Shape::Leaf(dims) | Shape::Record(dims, _)) = shape;
            let record = match ty.element() {
                Type::Record(record) => Some(record.clone()),
                _ => None,
            };
            Value {
                dims: dims.clone(),
                items: regs.by_ref().take(shape.width()).collect(),
                record,
            }
        });
        Ok(outputs.collect())
    }

    /// A call that is made for what it does: a check, a message.
    pub(super) fn effect(&mut self, exp: &FlatExp, origin: &Arc<Origin>) -> Result<(), Why> {
        let Exp::Call(call) = exp else { return Ok(()) };
        // A built-in function does nothing but give a value.
        let Callee::User(name) = &call.function else {
            return Ok(());
        };
        let args = self.arguments(name, &call.args)?;
        let guard = self.path;
        let made = self
            .functions
            .effect_site(&mut self.graph, name, &args, guard);
        let call = made.map_err(|unsupported| told(name, unsupported))?;
        if self.graph.value(call).is_none() {
            self.effects.push(Effect {
                call,
                name: name.clone(),
                at_instants: self.at_instant,
                origin: origin.clone(),
            });
        }
        Ok(())
    }

    /// The arguments of a call that may stand here.
    fn arguments(&mut self, name: &Arc<str>, args: &[FlatExp]) -> Result<Vec<CallArg>, Why> {
        if !self.at_instant && !self.functions.runtime().library.is_pure(name) {
            return Err(format!(
                "the impure function `{name}` is called outside `when` and initial sections"
            ));
        }
        args.iter()
            .map(|arg| self.argument(arg))
            .collect::<Result<_, _>>()
            .map_err(|why| format!("an argument of `{name}`: {why}"))
    }

    fn argument(&mut self, arg: &FlatExp) -> Result<CallArg, Why> {
        if let Exp::PartialFunction(name, given, _) = arg {
            let given = given
                .iter()
                .map(|(input, exp)| Ok((*input, self.argument(exp)?)));
            return Ok(CallArg::Function(
                name.clone(),
                given.collect::<Result<_, Why>>()?,
            ));
        }
        let value = self.exp(arg)?;
        let shape = match &value.record {
            None => Shape::Leaf(value.dims.clone()),
            Some(record) => match Shape::of(&Type::Record(record.clone())) {
                Some(Shape::Record(_, fields)) => Shape::Record(value.dims.clone(), fields),
                _ => return Err("the size of a record is not known".to_owned()),
            },
        };
        Ok(CallArg::Value(shape, value.items))
    }
}

fn told(name: &str, unsupported: Unsupported) -> Why {
    match unsupported {
        Unsupported::Function(inner, why) => format!("the function `{inner}`: {why}"),
        _ => format!("the function `{name}` cannot be called"),
    }
}
