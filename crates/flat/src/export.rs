//! The flat model as text: flat Modelica in OpenModelica's shape, Base Modelica, JSON.

pub mod base_modelica;
pub mod expression;
pub mod json;
pub mod modelica;
pub mod number;
