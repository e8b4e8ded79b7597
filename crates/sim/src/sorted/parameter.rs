//! Parameters, attributes and start values: numbers wherever they can be, slots where the initial equations decide.

use super::lower::{Class, Known, Lowering};
use super::slots::Key;
use super::value::Why;
use crate::tape::Reg;
use modeshift_flat::model::Variable;
use modeshift_inst::ty::{Type, Variability};

impl Lowering<'_> {
    /// A parameter: a number, or the slot of one that the initial values determine.
    pub fn param(&mut self, v: u32) -> Result<Reg, Why> {
        let variable = self.variable(v);
        match self.params[v as usize] {
            Known::Yes(reg) => return Ok(reg),
            Known::Open => {
                return Err(format!(
                    "the parameter `{}` depends on itself",
                    variable.name
                ));
            }
            Known::No => {}
        }
        if let Some(&value) = self.overrides.get(&v) {
            let reg = self.graph.constant(value);
            self.params[v as usize] = Known::Yes(reg);
            return Ok(reg);
        }
        self.params[v as usize] = Known::Open;
        let result = self.param_value(v, variable);
        self.params[v as usize] = Known::No;
        let reg = result?;
        self.params[v as usize] = Known::Yes(reg);
        Ok(reg)
    }

    pub(super) fn param_value(&mut self, v: u32, variable: &Variable) -> Result<Reg, Why> {
        let outer = (
            self.env.take(),
            std::mem::replace(&mut self.no_event, true),
            std::mem::take(&mut self.iterators),
        );
        let always = self.graph.constant(1.0);
        let place = (
            std::mem::replace(&mut self.path, always),
            std::mem::replace(&mut self.at_instant, true),
        );
        let nested = std::mem::replace(&mut self.in_parameter, true);
        let value = match &variable.binding {
            Some(binding) => self.scalar(binding).map(Some),
            None => Ok(None),
        };
        self.in_parameter = nested;
        (self.path, self.at_instant) = place;
        (self.env, self.no_event, self.iterators) = outer;
        let value = value.map_err(|why| format!("the parameter `{}`: {why}", variable.name))?;
        if let Some(reg) = value
            && let Some(number) = self.graph.value(reg)
        {
            return match number.is_nan() {
                true => Err(format!(
                    "the parameter `{}` has no value: its binding is not defined for what it reads",
                    variable.name
                )),
                false => Ok(reg),
            };
        }
        if value.is_none() && self.attribute(v, "fixed") != Some(0.0) {
            return self.start(v).map(|(reg, _)| reg);
        }
        self.free.push((v, value));
        self.class[v as usize] = Class::Free;
        Ok(self.slot(Key::Var(v, 0)))
    }

    /// After the graph was rewritten.
    pub(super) fn map_parameters(&mut self, map: &mut dyn FnMut(&mut Reg)) {
        for known in &mut self.params {
            if let Known::Yes(reg) = known {
                map(reg);
            }
        }
        self.moving.clear();
        self.held_index.clear();
        self.watches.clear();
    }

    /// The value of an attribute that is a number.
    pub fn attribute(&mut self, v: u32, name: &str) -> Option<f64> {
        let reg = self.attribute_node(v, name)?.ok()?;
        self.graph.value(reg)
    }

    pub(super) fn attribute_node(&mut self, v: u32, name: &str) -> Option<Result<Reg, Why>> {
        let attributes = &self.variable(v).attributes;
        let attribute = attributes.iter().find(|a| a.name.as_str() == name)?;
        let outer = (
            self.env.take(),
            std::mem::replace(&mut self.no_event, true),
            std::mem::take(&mut self.iterators),
        );
        let value = self.scalar(&attribute.value);
        (self.env, self.no_event, self.iterators) = outer;
        Some(value)
    }

    /// The start value, and whether the model gives one.
    pub fn start(&mut self, v: u32) -> Result<(Reg, bool), Why> {
        if v >= self.class.len() as u32 {
            return Ok((self.graph.constant(0.0), false));
        }
        if let Some(value) = self.attribute_node(v, "start") {
            return Ok((value?, true));
        }
        let default = match self.variable(v).ty {
            Type::String => return Ok((self.functions.text(&mut self.graph, ""), false)),
            Type::Enumeration(_) => 1.0,
            _ => {
                let (min, max) = (self.attribute(v, "min"), self.attribute(v, "max"));
                match (min, max) {
                    (Some(min), _) if min > 0.0 => min,
                    (_, Some(max)) if max < 0.0 => max,
                    _ => 0.0,
                }
            }
        };
        Ok((self.graph.constant(default), false))
    }
}

/// Whether a variable has its value before the run.
pub fn is_parameter(variable: &Variable) -> bool {
    matches!(
        variable.variability,
        Variability::Constant | Variability::Structural | Variability::Parameter
    )
}
