//! `annotation(experiment(StopTime = 10))`: how a modeller wants a model to be simulated.

use crate::data::ClassData;
use modeshift_syntax::ast::{Argument, ArgumentKind, Binding, Expr, ExprKind, UnaryOp};

/// The numbers of the annotation that are given.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Experiment {
    pub start_time: Option<f64>,
    pub stop_time: Option<f64>,
    pub tolerance: Option<f64>,
    pub interval: Option<f64>,
    pub number_of_intervals: Option<f64>,
}

/// What the class says about its simulation.
pub fn experiment(data: &ClassData) -> Experiment {
    let mut found = Experiment::default();
    let Some(ArgumentKind::Modify {
        modification: Some(modification),
        ..
    }) = data.annotation("experiment").map(|argument| &argument.kind)
    else {
        return found;
    };
    for argument in &modification.args {
        let Some((name, value)) = named_number(argument) else {
            continue;
        };
        match name {
            "StartTime" => found.start_time = Some(value),
            "StopTime" => found.stop_time = Some(value),
            "Tolerance" => found.tolerance = Some(value),
            "Interval" => found.interval = Some(value),
            "NumberOfIntervals" => found.number_of_intervals = Some(value),
            _ => {}
        }
    }
    found
}

fn named_number(argument: &Argument) -> Option<(&str, f64)> {
    let ArgumentKind::Modify {
        target,
        modification: Some(modification),
        ..
    } = &argument.kind
    else {
        return None;
    };
    match (target.as_slice(), modification.binding.as_ref()?) {
        ([ident], Binding::Expr(expr)) => Some((ident.name.as_str(), number(expr)?)),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value as f64),
        ExprKind::Real(value) => Some(*value),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
        } => match &operand.kind {
            ExprKind::Int(value) => Some(-(*value as f64)),
            ExprKind::Real(value) => Some(-*value),
            _ => None,
        },
        _ => None,
    }
}
