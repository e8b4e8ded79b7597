//! Interpolation of data in one dimension: linear and constant segments, cubic Hermite splines.

/// How a table goes from point to point, as `Modelica.Blocks.Types.Smoothness` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Smoothness {
    Linear,
    Akima,
    Constant,
    FritschButland,
    Steffen,
    ModifiedAkima,
}

impl Smoothness {
    pub fn new(number: i64) -> Option<Self> {
        Some(match number {
            1 => Self::Linear,
            2 => Self::Akima,
            3 => Self::Constant,
            4 => Self::FritschButland,
            5 => Self::Steffen,
            6 => Self::ModifiedAkima,
            _ => return None,
        })
    }
}

/// What a table is outside its data, as `Modelica.Blocks.Types.Extrapolation` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extrapolation {
    Hold,
    LastTwoPoints,
    Periodic,
    None,
}

impl Extrapolation {
    pub fn new(number: i64) -> Option<Self> {
        Some(match number {
            1 => Self::Hold,
            2 => Self::LastTwoPoints,
            3 => Self::Periodic,
            4 => Self::None,
            _ => return None,
        })
    }
}

/// Where an argument lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Where {
    /// In a segment, so far behind its start.
    Inside(usize, f64),
    /// So far before the first or behind the last point.
    Before(f64),
    Behind(f64),
}

/// Segments of polynomials: coefficients of powers of the distance from the segment's start.
#[derive(Clone, Debug)]
pub struct Curve {
    pub coefficients: Vec<[f64; 4]>,
}

/// Slopes of secants.
fn secants(x: &[f64], y: &[f64]) -> Vec<f64> {
    let pairs = x.windows(2).zip(y.windows(2));
    let slope = |(x, y): (&[f64], &[f64])| {
        let dx = x[1] - x[0];
        if dx > 0.0 { (y[1] - y[0]) / dx } else { 0.0 }
    };
    pairs.map(slope).collect()
}

/// Slopes of secants with two more on each side, continued linearly.
fn extended(m: &[f64]) -> Vec<f64> {
    let n = m.len();
    let (first, last) = (m[0], m[n - 1]);
    let (second, before) = if n > 1 {
        (m[1], m[n - 2])
    } else {
        (first, last)
    };
    let mut all = vec![3.0 * first - 2.0 * second, 2.0 * first - second];
    all.extend_from_slice(m);
    all.extend([2.0 * last - before, 3.0 * last - 2.0 * before]);
    all
}

/// The weighted mean of the slopes on both sides, where weights tell how much the other side bends.
pub fn akima_slope(m: [f64; 4], modified: bool) -> f64 {
    let (left, right) = akima_weights(m, modified);
    if left + right > 0.0 {
        (right * m[1] + left * m[2]) / (left + right)
    } else if modified {
        0.0
    } else {
        0.5 * (m[1] + m[2])
    }
}

/// How much the slopes bend on the left and on the right of a point.
pub fn akima_weights(m: [f64; 4], modified: bool) -> (f64, f64) {
    let mut left = (m[1] - m[0]).abs();
    let mut right = (m[3] - m[2]).abs();
    if modified {
        left += (m[1] + m[0]).abs() / 2.0;
        right += (m[3] + m[2]).abs() / 2.0;
    }
    (left, right)
}

fn slopes(smoothness: Smoothness, x: &[f64], y: &[f64]) -> Vec<f64> {
    let m = secants(x, y);
    let n = x.len();
    match smoothness {
        Smoothness::Akima | Smoothness::ModifiedAkima => {
            let modified = smoothness == Smoothness::ModifiedAkima;
            let all = extended(&m);
            let slope =
                |i: usize| akima_slope([all[i], all[i + 1], all[i + 2], all[i + 3]], modified);
            (0..n).map(slope).collect()
        }
        _ => {
            let mut slopes = vec![0.0; n];
            slopes[0] = m[0];
            slopes[n - 1] = m[n - 2];
            for i in 1..n - 1 {
                let (a, b) = (m[i - 1], m[i]);
                if a * b <= 0.0 {
                    continue;
                }
                let (h, k) = (x[i] - x[i - 1], x[i + 1] - x[i]);
                slopes[i] = match smoothness {
                    // A weighted harmonic mean.
                    Smoothness::FritschButland => {
                        3.0 * (h + k) / ((h + 2.0 * k) / a + (2.0 * h + k) / b)
                    }
                    _ => {
                        let parabola = (a * k + b * h) / (h + k);
                        2.0 * a.signum() * a.abs().min(b.abs()).min(0.5 * parabola.abs())
                    }
                };
            }
            slopes
        }
    }
}

impl Curve {
    /// `x` increases; two points are joined by a line.
    pub fn new(smoothness: Smoothness, x: &[f64], y: &[f64]) -> Self {
        let m = secants(x, y);
        let line = |i: usize| [y[i], m[i], 0.0, 0.0];
        let segments = 0..m.len();
        let coefficients = match smoothness {
            Smoothness::Constant => segments.map(|i| [y[i], 0.0, 0.0, 0.0]).collect(),
            Smoothness::Linear => segments.map(line).collect(),
            _ if x.len() < 3 => segments.map(line).collect(),
            _ => {
                let s = slopes(smoothness, x, y);
                let cubic = |i: usize| {
                    let h = x[i + 1] - x[i];
                    let (a, b) = (s[i], s[i + 1]);
                    [
                        y[i],
                        a,
                        (3.0 * m[i] - 2.0 * a - b) / h,
                        (a + b - 2.0 * m[i]) / (h * h),
                    ]
                };
                segments.map(cubic).collect()
            }
        };
        Self { coefficients }
    }
}

/// Derivatives of the powers of `h`.
pub fn powers(h: f64, order: u32) -> [f64; 4] {
    match order {
        0 => [1.0, h, h * h, h * h * h],
        1 => [0.0, 1.0, 2.0 * h, 3.0 * h * h],
        2 => [0.0, 0.0, 2.0, 6.0 * h],
        3 => [0.0, 0.0, 0.0, 6.0],
        _ => [0.0; 4],
    }
}

/// The same for what continues in a straight line behind `h`, at the distance `d` from there.
pub fn straight(h: f64, d: f64, order: u32) -> [f64; 4] {
    let (value, slope) = (powers(h, 0), powers(h, 1));
    match order {
        0 => std::array::from_fn(|k| value[k] + slope[k] * d),
        1 => slope,
        _ => [0.0; 4],
    }
}

pub fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The segment of `x` that `u` lies in; the last one whose start is not behind it, or, from the left, is before it.
pub fn find(x: &[f64], u: f64, from_left: bool) -> Where {
    let n = x.len();
    let behind = match from_left {
        true => x.partition_point(|&p| p < u),
        false => x.partition_point(|&p| p <= u),
    };
    if behind == 0 {
        return Where::Before(u - x[0]);
    }
    if behind >= n {
        return Where::Behind(u - x[n - 1]);
    }
    Where::Inside(behind - 1, u - x[behind - 1])
}
