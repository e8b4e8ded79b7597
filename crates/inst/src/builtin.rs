//! Built-in functions and operators on numbers: one table for every phase that computes.
//!
//! What a function is called, what it gives, how steep it is and where it jumps is said here once. Evaluation at
//! compile time, symbolic analysis, functions of the model and simulation all read it, so that they cannot disagree.

pub use modeshift_hir::SMOOTH;

/// Functions of one number.
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
    pub const ALL: [Self; 21] = [
        Self::Neg,
        Self::Sqrt,
        Self::Cbrt,
        Self::Abs,
        Self::Sign,
        Self::Floor,
        Self::Ceil,
        Self::Trunc,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Log,
        Self::Log10,
        Self::Not,
    ];

    /// Its name in Modelica; operators and what has no name of its own have none.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Log10 => "log10",
            Self::Not => "not",
            Self::Neg | Self::Cbrt | Self::Trunc => return None,
        })
    }

    /// By its name in Modelica.
    pub fn named(name: &str) -> Option<Self> {
        if name == "integer" {
            return Some(Self::Floor);
        }
        Self::ALL.into_iter().find(|op| op.name() == Some(name))
    }

    /// Whether the value jumps, so that an event is needed where it does.
    pub const fn jumps(self) -> bool {
        matches!(self, Self::Sign | Self::Floor | Self::Ceil | Self::Trunc)
    }

    /// Whether the function has a value there.
    pub fn defined(self, x: f64) -> bool {
        match self {
            Self::Sqrt => x >= 0.0,
            Self::Asin | Self::Acos => x.abs() <= 1.0,
            Self::Log | Self::Log10 => x > 0.0,
            _ => true,
        }
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
            Self::Not if x.is_nan() => x,
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

/// `and` and `or`: the side that decides, else what has no value.
fn connective(a: f64, b: f64, deciding: f64) -> f64 {
    let decides = |x: f64| !x.is_nan() && f64::from(x != 0.0) == deciding;
    if decides(a) || decides(b) {
        deciding
    } else if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        1.0 - deciding
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

/// Small whole exponents by multiplication, in an order that is the same everywhere.
pub fn power(a: f64, b: f64) -> f64 {
    if b.abs() <= 64.0 && b.trunc() == b {
        return whole_power(a, b as i32);
    }
    libm::pow(a, b)
}

/// `a` to the power of a whole number.
pub fn whole_power(a: f64, n: i32) -> f64 {
    let (mut base, mut rest, mut result) = (a, n.unsigned_abs(), 1.0);
    loop {
        if rest & 1 == 1 {
            result *= base;
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        base *= base;
    }
    if n < 0 { 1.0 / result } else { result }
}

/// Functions of two numbers.
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
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Pow,
        Self::Atan2,
        Self::Min,
        Self::Max,
        Self::Mod,
        Self::Rem,
        Self::Quotient,
        Self::And,
        Self::Or,
    ];

    /// Its name in Modelica, or the operator.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Pow => "^",
            Self::Atan2 => "atan2",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mod => "mod",
            Self::Rem => "rem",
            Self::Quotient => "div",
            Self::And => "and",
            Self::Or => "or",
        }
    }

    /// By its name in Modelica. The four operations of arithmetic are no functions.
    pub fn named(name: &str) -> Option<Self> {
        let arithmetic = [Self::Add, Self::Sub, Self::Mul, Self::Div];
        let mut all = Self::ALL.into_iter().filter(|op| !arithmetic.contains(op));
        all.find(|op| op.name() == name)
    }

    /// Whether the value jumps, so that an event is needed where it does.
    pub const fn jumps(self) -> bool {
        matches!(self, Self::Mod | Self::Rem | Self::Quotient)
    }

    /// Whether a second operand of zero leaves nothing to compute.
    pub const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Mod | Self::Rem | Self::Quotient)
    }

    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Pow => power(a, b),
            Self::Atan2 => libm::atan2(a, b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            // Without a value rather than infinite.
            Self::Mod | Self::Rem | Self::Quotient if b == 0.0 => f64::NAN,
            Self::Mod => a - (a / b).floor() * b,
            Self::Rem => a - (a / b).trunc() * b,
            Self::Quotient => (a / b).trunc(),
            Self::And => connective(a, b, 0.0),
            Self::Or => connective(a, b, 1.0),
        }
    }

    /// On Integers. `None` where there is no value: a division by zero, or one too large.
    pub fn integer(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Sub => a.checked_sub(b),
            Self::Mul => a.checked_mul(b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Mod => a.checked_rem(b).map(|r| {
                if r != 0 && (r < 0) != (b < 0) {
                    r + b
                } else {
                    r
                }
            }),
            Self::Rem => a.checked_rem(b),
            Self::Quotient => a.checked_div(b),
            Self::And => Some(i64::from(a != 0 && b != 0)),
            Self::Or => Some(i64::from(a != 0 || b != 0)),
            Self::Div | Self::Pow | Self::Atan2 => None,
        }
    }

    /// The derivatives by both operands, where the value is `y`.
    pub fn slopes(self, a: f64, b: f64, y: f64) -> (f64, f64) {
        match self {
            Self::Add => (1.0, 1.0),
            Self::Sub => (1.0, -1.0),
            Self::Mul => (b, a),
            Self::Div => (1.0 / b, -y / b),
            Self::Pow => (b * power(a, b - 1.0), y * libm::log(a)),
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
