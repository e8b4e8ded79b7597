//! Calls of the functions of a model.

use super::lower::Lowering;
use super::value::{Value, Why};
use crate::tape::{CallArg, Unsupported};
use modeshift_code::Shape;
use modeshift_flat::model::FlatExp;
use modeshift_inst::exp::Exp;
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
        let args: Vec<CallArg> = args
            .iter()
            .map(|arg| self.argument(arg))
            .collect::<Result<_, _>>()
            .map_err(|why| format!("an argument of `{name}`: {why}"))?;
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
            .call_site(&mut self.graph, name, &args, &shapes);
        let regs = regs.map_err(|unsupported| match unsupported {
            Unsupported::Function(inner, why) => format!("the function `{inner}`: {why}"),
            _ => format!("the function `{name}` cannot be called"),
        })?;
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

    pub(super) fn argument(&mut self, arg: &FlatExp) -> Result<CallArg, Why> {
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
