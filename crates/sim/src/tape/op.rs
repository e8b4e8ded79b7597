//! The functions that nodes can be: those of the table of built-in functions.

pub use modeshift_inst::builtin::{Binary, Unary};
use modeshift_mdae::sym::RelOp;

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
