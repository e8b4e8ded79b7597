//! The numbers that functions compute with: floating-point numbers, or such numbers with derivatives.
//!
//! The machine is generic in them. A [`Dual`] carries directional derivatives along; a dual number of dual numbers
//! carries second ones, and so on.

use modeshift_inst::builtin::{Binary, Unary, whole_power};

/// A function of one number and its derivatives: `f(x, order)`.
pub type Smooth1<'f> = &'f dyn Fn(f64, u32) -> f64;
/// A function of two numbers and its partial derivatives: `f(x, y, i, j)`.
pub type Smooth2<'f> = &'f dyn Fn(f64, f64, u32, u32) -> f64;

pub trait Num: Copy + Default + Send + std::fmt::Debug + 'static {
    /// How many floating-point numbers it is made of.
    const PARTS: usize;
    fn of(x: f64) -> Self;
    fn value(self) -> f64;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn powi(self, n: i32) -> Self;
    fn unary(op: Unary, x: Self) -> Self;
    fn binary(op: Binary, a: Self, b: Self) -> Self;
    /// All parts are zero.
    fn is_zero(self) -> bool;
    fn lift1(x: Self, f: Smooth1<'_>, order: u32) -> Self;
    fn lift2(x: Self, y: Self, f: Smooth2<'_>, orders: (u32, u32)) -> Self;
    /// How many kinds of infinitely small steps it knows; each has directions of its own.
    const LAYERS: usize;
    /// The directions of a layer.
    fn lanes(layer: usize) -> usize;
    /// The derivative along a direction of a layer.
    fn dot(self, layer: usize, lane: usize) -> Self;
    /// The same number with another derivative along a direction, which itself has none in that layer.
    fn with_dot(self, layer: usize, lane: usize, dot: Self) -> Self;
    /// The same number without derivatives in a layer.
    fn still(self, layer: usize) -> Self {
        (0..Self::lanes(layer)).fold(self, |x, lane| x.with_dot(layer, lane, Self::of(0.0)))
    }
    /// Such numbers as plain ones, if that is what they are.
    fn plain(_: &mut [Self]) -> Option<&mut [f64]> {
        None
    }
    /// Number `i` of `n`, all values first, then all derivatives.
    fn load(parts: &[f64], i: usize, n: usize) -> Self;
    fn store(self, parts: &mut [f64], i: usize, n: usize);
}

impl Num for f64 {
    const PARTS: usize = 1;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self / other
    }
    #[inline(always)]
    fn neg(self) -> Self {
        -self
    }
    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        whole_power(self, n)
    }
    fn unary(op: Unary, x: Self) -> Self {
        op.apply(x)
    }
    fn binary(op: Binary, a: Self, b: Self) -> Self {
        op.apply(a, b)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0
    }
    fn lift1(x: Self, f: Smooth1<'_>, order: u32) -> Self {
        f(x, order)
    }
    fn lift2(x: Self, y: Self, f: Smooth2<'_>, orders: (u32, u32)) -> Self {
        f(x, y, orders.0, orders.1)
    }
    const LAYERS: usize = 0;
    fn plain(numbers: &mut [Self]) -> Option<&mut [f64]> {
        Some(numbers)
    }
    fn lanes(_: usize) -> usize {
        0
    }
    fn dot(self, _: usize, _: usize) -> Self {
        0.0
    }
    fn with_dot(self, _: usize, _: usize, _: Self) -> Self {
        self
    }
    fn load(parts: &[f64], i: usize, _: usize) -> Self {
        parts[i]
    }
    fn store(self, parts: &mut [f64], i: usize, _: usize) {
        parts[i] = self;
    }
}

/// A number with its derivatives along `N` directions.
#[derive(Clone, Copy, Debug)]
pub struct Dual<T, const N: usize> {
    pub value: T,
    pub dots: [T; N],
}

impl<T: Num, const N: usize> Default for Dual<T, N> {
    fn default() -> Self {
        Self::of(0.0)
    }
}

impl<T: Num, const N: usize> Dual<T, N> {
    /// The chain rule; a slope that is not finite does not matter where nothing moves.
    #[inline(always)]
    fn chain(self, value: T, slope: impl FnOnce() -> T) -> Self {
        let mut dots = [T::default(); N];
        if self.moves() {
            let slope = slope();
            for (to, dot) in dots.iter_mut().zip(self.dots) {
                if !dot.is_zero() {
                    *to = slope.mul(dot);
                }
            }
        }
        Self { value, dots }
    }

    #[inline(always)]
    fn moves(self) -> bool {
        self.dots.iter().any(|dot| !dot.is_zero())
    }

    #[inline(always)]
    fn plus(self, value: T, other: Self) -> Self {
        self.both(value, other, T::add)
    }

    /// The derivatives of two numbers, taken together direction by direction.
    #[inline(always)]
    fn both(self, value: T, other: Self, f: impl Fn(T, T) -> T) -> Self {
        let mut dots = self.dots;
        for (to, dot) in dots.iter_mut().zip(other.dots) {
            *to = f(*to, dot);
        }
        Self { value, dots }
    }
}

/// The derivative of a built-in function at `x`, where its value is `y`.
fn slope<T: Num>(op: Unary, x: T, y: T) -> T {
    let one = T::of(1.0);
    match op {
        Unary::Neg => T::of(-1.0),
        Unary::Sqrt => T::of(0.5).div(y),
        Unary::Cbrt => one.div(T::of(3.0).mul(y).mul(y)),
        Unary::Abs => T::unary(Unary::Sign, x),
        Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Not => T::of(0.0),
        Unary::Sin => T::unary(Unary::Cos, x),
        Unary::Cos => T::unary(Unary::Sin, x).neg(),
        Unary::Tan => one.add(y.mul(y)),
        Unary::Asin => one.div(T::unary(Unary::Sqrt, one.sub(x.mul(x)))),
        Unary::Acos => one.div(T::unary(Unary::Sqrt, one.sub(x.mul(x)))).neg(),
        Unary::Atan => one.div(one.add(x.mul(x))),
        Unary::Sinh => T::unary(Unary::Cosh, x),
        Unary::Cosh => T::unary(Unary::Sinh, x),
        Unary::Tanh => one.sub(y.mul(y)),
        Unary::Exp => y,
        Unary::Log => one.div(x),
        Unary::Log10 => one.div(x.mul(T::of(std::f64::consts::LN_10))),
    }
}

impl<T: Num, const N: usize> Num for Dual<T, N> {
    const PARTS: usize = T::PARTS * (N + 1);

    #[inline(always)]
    fn of(x: f64) -> Self {
        Self {
            value: T::of(x),
            dots: [T::of(0.0); N],
        }
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.value.value()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.both(self.value.add(other.value), other, T::add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.both(self.value.sub(other.value), other, T::sub)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.value, other.value);
        self.both(a.mul(b), other, |x, y| x.mul(b).add(a.mul(y)))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value.div(other.value);
        self.both(value, other, |x, y| {
            let top = x.sub(value.mul(y));
            if top.is_zero() {
                top
            } else {
                top.div(other.value)
            }
        })
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            value: self.value.neg(),
            dots: self.dots.map(T::neg),
        }
    }
    fn powi(self, n: i32) -> Self {
        self.chain(self.value.powi(n), || {
            T::of(f64::from(n)).mul(self.value.powi(n.saturating_sub(1)))
        })
    }
    fn unary(op: Unary, x: Self) -> Self {
        let value = T::unary(op, x.value);
        x.chain(value, || slope(op, x.value, value))
    }
    fn binary(op: Binary, a: Self, b: Self) -> Self {
        let (x, y) = (a.value, b.value);
        match op {
            Binary::Add => a.add(b),
            Binary::Sub => a.sub(b),
            Binary::Mul => a.mul(b),
            Binary::Div => a.div(b),
            Binary::Pow => {
                let value = T::binary(op, x, y);
                // Away from zero a division is cheaper than a second power.
                let left = a.chain(value, || match x.value() != 0.0 && value.value() != 0.0 {
                    true => y.mul(value).div(x),
                    false => y.mul(T::binary(Binary::Pow, x, y.sub(T::of(1.0)))),
                });
                if !b.moves() {
                    return left;
                }
                let right = b.chain(value, || value.mul(T::unary(Unary::Log, x)));
                left.plus(value, right)
            }
            Binary::Atan2 => {
                let value = T::binary(op, x, y);
                let square = x.mul(x).add(y.mul(y));
                let left = a.chain(value, || y.div(square));
                let right = b.chain(value, || x.neg().div(square));
                left.plus(value, right)
            }
            Binary::Min => {
                if x.value() <= y.value() {
                    a
                } else {
                    b
                }
            }
            Binary::Max => {
                if x.value() >= y.value() {
                    a
                } else {
                    b
                }
            }
            // Between its jumps the value is `a` minus a constant multiple of `b`.
            Binary::Mod | Binary::Rem => {
                let value = T::binary(op, x, y);
                let left = a.chain(value, || T::of(1.0));
                if !b.moves() {
                    return left;
                }
                let times = ((x.value() - value.value()) / y.value()).round();
                let right = b.chain(value, || T::of(-times));
                left.plus(value, right)
            }
            Binary::Quotient | Binary::And | Binary::Or => Self {
                value: T::binary(op, x, y),
                dots: [T::of(0.0); N],
            },
        }
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.value.is_zero() && self.dots.iter().all(|dot| dot.is_zero())
    }
    fn lift1(x: Self, f: Smooth1<'_>, order: u32) -> Self {
        let value = T::lift1(x.value, f, order);
        x.chain(value, || T::lift1(x.value, f, order + 1))
    }
    fn lift2(x: Self, y: Self, f: Smooth2<'_>, (i, j): (u32, u32)) -> Self {
        let value = T::lift2(x.value, y.value, f, (i, j));
        let left = x.chain(value, || T::lift2(x.value, y.value, f, (i + 1, j)));
        let right = y.chain(value, || T::lift2(x.value, y.value, f, (i, j + 1)));
        left.plus(value, right)
    }
    const LAYERS: usize = T::LAYERS + 1;
    fn lanes(layer: usize) -> usize {
        match layer == T::LAYERS {
            true => N,
            false => T::lanes(layer),
        }
    }
    fn dot(self, layer: usize, lane: usize) -> Self {
        match layer == T::LAYERS {
            true => Self {
                value: self.dots[lane],
                dots: [T::of(0.0); N],
            },
            false => Self {
                value: self.value.dot(layer, lane),
                dots: self.dots.map(|dot| dot.dot(layer, lane)),
            },
        }
    }
    fn with_dot(mut self, layer: usize, lane: usize, dot: Self) -> Self {
        if layer == T::LAYERS {
            self.dots[lane] = dot.value;
        } else {
            self.value = self.value.with_dot(layer, lane, dot.value);
            for (own, dot) in self.dots.iter_mut().zip(dot.dots) {
                *own = own.with_dot(layer, lane, dot);
            }
        }
        self
    }
    fn load(parts: &[f64], i: usize, n: usize) -> Self {
        let size = T::PARTS * n;
        Self {
            value: T::load(&parts[..size], i, n),
            dots: std::array::from_fn(|k| T::load(&parts[(k + 1) * size..(k + 2) * size], i, n)),
        }
    }
    fn store(self, parts: &mut [f64], i: usize, n: usize) {
        let size = T::PARTS * n;
        self.value.store(&mut parts[..size], i, n);
        for (k, dot) in self.dots.into_iter().enumerate() {
            dot.store(&mut parts[(k + 1) * size..(k + 2) * size], i, n);
        }
    }
}
