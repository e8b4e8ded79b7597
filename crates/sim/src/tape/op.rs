//! The functions that nodes can be: those of the table of built-in functions.

pub use modeshift_inst::builtin::{Binary, Unary, whole_power};
use modeshift_mdae::sym::RelOp;

/// A relation as a number. One with something that has no value has none either, so that it is not taken for false.
pub fn relation(op: RelOp, a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    f64::from(compare(op, a, b))
}

pub fn compare(op: RelOp, a: f64, b: f64) -> bool {
    match op {
        RelOp::Less => a < b,
        RelOp::LessEqual => a <= b,
        RelOp::Greater => a > b,
        RelOp::GreaterEqual => a >= b,
        RelOp::Equal => a == b,
        RelOp::NotEqual => a != b,
    }
}
