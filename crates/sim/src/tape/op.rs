//! The functions that nodes can be.

use modeshift_mdae::sym::RelOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    Neg,
    Sqrt,
    /// The real root of odd order of negative numbers, too.
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Trunc,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Not,
}

impl Unary {
    /// By its name in Modelica.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sqrt" => Self::Sqrt,
            "abs" => Self::Abs,
            "sign" => Self::Sign,
            "floor" | "integer" => Self::Floor,
            "ceil" => Self::Ceil,
            "sin" => Self::Sin,
            "cos" => Self::Cos,
            "tan" => Self::Tan,
            "asin" => Self::Asin,
            "acos" => Self::Acos,
            "atan" => Self::Atan,
            "sinh" => Self::Sinh,
            "cosh" => Self::Cosh,
            "tanh" => Self::Tanh,
            "exp" => Self::Exp,
            "log" => Self::Log,
            "log10" => Self::Log10,
            "not" => Self::Not,
            _ => return None,
        })
    }

    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Neg => -x,
            Self::Sqrt => x.sqrt(),
            Self::Cbrt => libm::cbrt(x),
            Self::Abs => x.abs(),
            Self::Sign => sign(x),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Trunc => x.trunc(),
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Asin => libm::asin(x),
            Self::Acos => libm::acos(x),
            Self::Atan => libm::atan(x),
            Self::Sinh => libm::sinh(x),
            Self::Cosh => libm::cosh(x),
            Self::Tanh => libm::tanh(x),
            Self::Exp => libm::exp(x),
            Self::Log => libm::log(x),
            Self::Log10 => libm::log10(x),
            Self::Not => f64::from(x == 0.0),
        }
    }

    /// The derivative at `x`, where the value is `y`.
    pub fn slope(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Neg => -1.0,
            Self::Sqrt => 0.5 / y,
            Self::Cbrt => 1.0 / (3.0 * y * y),
            Self::Abs => sign(x),
            Self::Sign | Self::Floor | Self::Ceil | Self::Trunc | Self::Not => 0.0,
            Self::Sin => libm::cos(x),
            Self::Cos => -libm::sin(x),
            Self::Tan => 1.0 + y * y,
            Self::Asin => 1.0 / (1.0 - x * x).sqrt(),
            Self::Acos => -1.0 / (1.0 - x * x).sqrt(),
            Self::Atan => 1.0 / (1.0 + x * x),
            Self::Sinh => libm::cosh(x),
            Self::Cosh => libm::sinh(x),
            Self::Tanh => 1.0 - y * y,
            Self::Exp => y,
            Self::Log => 1.0 / x,
            Self::Log10 => 1.0 / (x * std::f64::consts::LN_10),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Atan2,
    Min,
    Max,
    Mod,
    Rem,
    /// Division without remainder.
    Quotient,
    And,
    Or,
}

impl Binary {
    /// By its name in Modelica.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "^" => Self::Pow,
            "atan2" => Self::Atan2,
            "min" => Self::Min,
            "max" => Self::Max,
            "mod" => Self::Mod,
            "rem" => Self::Rem,
            "div" => Self::Quotient,
            "and" => Self::And,
            "or" => Self::Or,
            _ => return None,
        })
    }

    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Pow => libm::pow(a, b),
            Self::Atan2 => libm::atan2(a, b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Mod => a - (a / b).floor() * b,
            Self::Rem => a % b,
            Self::Quotient => (a / b).trunc(),
            Self::And => f64::from(a != 0.0 && b != 0.0),
            Self::Or => f64::from(a != 0.0 || b != 0.0),
        }
    }

    /// The derivatives by both operands, where the value is `y`.
    pub fn slopes(self, a: f64, b: f64, y: f64) -> (f64, f64) {
        match self {
            Self::Add => (1.0, 1.0),
            Self::Sub => (1.0, -1.0),
            Self::Mul => (b, a),
            Self::Div => (1.0 / b, -y / b),
            Self::Pow => (b * libm::pow(a, b - 1.0), y * libm::log(a)),
            Self::Atan2 => {
                let square = a * a + b * b;
                (b / square, -a / square)
            }
            Self::Min => (f64::from(a <= b), f64::from(a > b)),
            Self::Max => (f64::from(a >= b), f64::from(a < b)),
            // Between its jumps `mod(a, b)` is `a` minus a constant multiple of `b`.
            Self::Mod | Self::Rem => (1.0, -(a - y) / b),
            Self::Quotient | Self::And | Self::Or => (0.0, 0.0),
        }
    }
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
