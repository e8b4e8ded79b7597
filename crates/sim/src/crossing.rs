//! Where in a step a condition changes first.
//!
//! A step is as long as the states allow. A condition may read what moves faster, such as a source behind a diode that
//! blocks, or the sine of an angle that grows evenly: it changes and changes back within one step, and nothing is seen
//! at the ends. So the functions of the conditions are followed from piece to piece of a step. Through three points of
//! a piece goes a parabola; how far a function is from it at a fourth point says how far it may be from it elsewhere, the
//! *doubt*. A piece is halved until all functions are far below zero, measured by their doubt, or are known well enough
//! for the parabola to tell what is between the points. Functions that are as smooth as the states are known from the ends of
//! the last steps, and one step in four is looked into all the same: seen at the ends of steps alone, what repeats within a
//! step may look smooth.

/// Where the point between the ends of a piece is: not at a half, a third or a quarter, where points of periodic functions
/// repeat.
const INNER: f64 = 0.381_966_011_250_105;

/// Where a fourth point is. It is not the mirror image of the inner one: the third difference of an even function would be zero.
const FOURTH: f64 = 0.719_3;

/// How much farther from the parabola a function may be than its third difference at four points says.
const CAUTION: f64 = 2.0;

/// How many times its doubt a function must be below zero to need no closer look.
const FAR: f64 = 8.0;

/// A parabola tells what a function does if the doubt is less than this part of what the function changes.
const KNOWN: f64 = 0.1;

/// So many steps in a row may be judged by their ends.
const GLANCES: u32 = 3;

/// Pieces shorter than this part of a step are not halved: there is a jump in them, or no end to what is in them.
const SHORTEST: f64 = 1.0 / 4096.0;

/// The functions at one instant. They are positive where a condition is to change.
#[derive(Clone, Debug, Default)]
struct Sample {
    t: f64,
    excess: Vec<f64>,
}

/// How far the conditions of a run were followed.
#[derive(Debug, Default)]
pub struct Search {
    /// Humps lower than this part of a function's largest value are lost in the errors of the states.
    tolerance: f64,
    at: Sample,
    /// Up to two points before `at`, the later one first, with no event between them.
    earlier: Vec<Sample>,
    /// How long the next piece is to be.
    reach: f64,
    /// Steps that were judged by their ends since one was looked into.
    glances: u32,
    /// The largest absolute value that each function has had.
    sizes: Vec<f64>,
}

/// Two points of the piece that begins where the functions were followed to.
struct Piece {
    inner: Sample,
    end: Sample,
}

/// What three points and a fourth one tell about a function in a piece.
struct Curve {
    /// At the start, at the inner point, at the end.
    values: [f64; 3],
    /// Of the parabola, over the length of the piece: the mean slope, and half the second derivative.
    rise: f64,
    bend: f64,
    /// How far from the parabola the function may be.
    doubt: f64,
}

impl Search {
    pub fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            at: Sample::default(),
            earlier: Vec::new(),
            reach: 0.0,
            glances: 0,
            sizes: Vec::new(),
        }
    }

    /// After an event, at `t`: what was before it tells nothing any more.
    pub fn begin(&mut self, t: f64, excess: Vec<f64>) {
        if self.sizes.len() != excess.len() {
            self.sizes = vec![0.0; excess.len()];
        }
        self.earlier.clear();
        self.reach_to(Sample { t, excess });
    }

    /// The functions at the instant up to which they were followed.
    pub fn excess(&self) -> &[f64] {
        &self.at.excess
    }

    /// Follows the functions to the end of a step. The first instant at which some condition is to change, if there is one, behind
    /// the last one at which none is. Where they have no values within the step, it is judged by its end.
    pub fn follow<E>(
        &mut self,
        end: f64,
        excesses: &mut impl FnMut(f64) -> Result<Vec<f64>, E>,
    ) -> Result<Option<(f64, f64)>, E> {
        let mut sample = |t: f64| -> Result<Sample, E> {
            let excess = excesses(t)?;
            Ok(Sample { t, excess })
        };
        let last = sample(end)?;
        if self.glances < GLANCES && self.reach >= end - self.at.t && self.looks_far(&last) {
            self.glances += 1;
            self.pass(last);
            return Ok(None);
        }
        self.glances = 0;
        let shortest = (SHORTEST * (end - self.at.t)).max(16.0 * f64::EPSILON * end.abs());
        while self.at.t < end {
            let Some(piece) = self.piece(&last, shortest, &mut |t| sample(t).ok()) else {
                if last.is_beyond() {
                    return locate(&self.at, last, &mut sample).map(Some);
                }
                self.pass(last);
                return Ok(None);
            };
            if piece.inner.is_beyond() {
                return locate(&self.at, piece.inner, &mut sample).map(Some);
            }
            self.pass(piece.inner);
            if piece.end.is_beyond() {
                return locate(&self.at, piece.end, &mut sample).map(Some);
            }
            self.pass(piece.end);
        }
        Ok(None)
    }

    /// Whether all functions are far below zero up to the end of a step, by what the steps before it tell.
    fn looks_far(&self, last: &Sample) -> bool {
        let [inner, other] = &self.earlier[..] else {
            return false;
        };
        !last.is_beyond() && self.curves(inner, last, other).all(|curve| curve.is_far())
    }

    /// The next piece in which the functions are known; `None` if they have no values there.
    fn piece(
        &mut self,
        last: &Sample,
        shortest: f64,
        sample: &mut impl FnMut(f64) -> Option<Sample>,
    ) -> Option<Piece> {
        let start = self.at.t;
        let wanted = start + self.reach.max(shortest);
        let within = |part: f64, end: f64| start + part * (end - start);
        // No tiny piece remains.
        let end = match wanted + 0.1 * self.reach < last.t {
            true => sample(wanted)?,
            false => last.clone(),
        };
        let inner = sample(within(INNER, end.t))?;
        let mut piece = Piece { inner, end };
        let mut fourth = None;
        let mut halved = false;
        while piece.end.t - start > shortest && !self.is_far(&piece) {
            let other = match fourth.take() {
                Some(other) => other,
                None => sample(within(FOURTH, piece.end.t))?,
            };
            if self.is_known(&piece, &other) {
                break;
            }
            halved = true;
            fourth = Some(std::mem::replace(&mut piece.end, piece.inner));
            piece.inner = sample(within(INNER, piece.end.t))?;
        }
        let length = piece.end.t - start;
        self.reach = match halved {
            true => length,
            false => self.reach.max(2.0 * length),
        };
        Some(piece)
    }

    /// Whether all functions are far below zero, as far as the point before the piece tells.
    fn is_far(&self, piece: &Piece) -> bool {
        let Some(earlier) = self.earlier.first() else {
            return false;
        };
        self.curves(&piece.inner, &piece.end, earlier)
            .all(|curve| curve.is_far())
    }

    /// Whether no condition changes in the piece without being seen at its inner point or at its end.
    fn is_known(&self, piece: &Piece, other: &Sample) -> bool {
        let least = self.sizes.iter().map(|size| self.tolerance * size);
        let curves = self.curves(&piece.inner, &piece.end, other);
        let before = self.earlier.first().unwrap_or(other);
        let doubts = self
            .curves(&piece.inner, &piece.end, before)
            .map(|curve| curve.doubt);
        curves
            .zip(doubts)
            .zip(least)
            .all(|((mut curve, doubt), least)| {
                curve.doubt = curve.doubt.max(doubt);
                curve.is_far() || curve.is_known(least)
            })
    }

    /// What `at`, `inner`, `end` and a fourth point tell between `at` and `end`.
    fn curves<'a>(
        &'a self,
        inner: &'a Sample,
        end: &'a Sample,
        other: &'a Sample,
    ) -> impl Iterator<Item = Curve> + 'a {
        // The length of the piece is one.
        let at = |sample: &Sample| (sample.t - self.at.t) / (end.t - self.at.t);
        let (s, fourth) = (at(inner), at(other));
        // The largest value of `|t (t - s) (t - 1)|` is at most this.
        let cubic = 0.25 * s.abs().max((1.0 - s).abs());
        (0..self.at.excess.len()).map(move |i| {
            let values = [&self.at, inner, end].map(|sample| sample.excess[i]);
            let [a, m, b] = values;
            let rise = b - a;
            let bend = (rise - (m - a) / s) / (1.0 - s);
            let parabola = a + fourth * (rise - bend * (1.0 - fourth));
            let twist = (other.excess[i] - parabola) / (fourth * (fourth - s) * (fourth - 1.0));
            let doubt = CAUTION * cubic * twist.abs();
            Curve {
                values,
                rise,
                bend,
                doubt,
            }
        })
    }

    /// The functions are followed to here.
    fn pass(&mut self, sample: Sample) {
        let before = std::mem::take(&mut self.at);
        self.earlier.truncate(1);
        self.earlier.insert(0, before);
        self.reach_to(sample);
    }

    fn reach_to(&mut self, sample: Sample) {
        for (size, value) in self.sizes.iter_mut().zip(&sample.excess) {
            if value.is_finite() {
                *size = size.max(value.abs());
            }
        }
        self.at = sample;
    }
}

impl Curve {
    fn is_far(&self) -> bool {
        // A value that is no number is not waited for.
        let highest = self.highest(0.0) + FAR * self.doubt;
        highest.is_nan() || highest <= 0.0
    }

    /// Whether it is seen at the points that the function is above zero, but for humps that are lower than `least`.
    fn is_known(&self, least: f64) -> bool {
        let [a, m, b] = self.values;
        let change = a.max(m).max(b) - a.min(m).min(b);
        let seen = m > 0.0 || b > 0.0;
        self.doubt <= (KNOWN * change).max(least) && (seen || self.highest(self.doubt) <= least)
    }

    /// The highest value that the function can have in the piece if it is no farther than `doubt` from the parabola.
    fn highest(&self, doubt: f64) -> f64 {
        // The ends are known: between them the function is not above `start + s slope - s² fall`.
        let fall = 4.0 * doubt - self.bend;
        let slope = self.rise + fall;
        let top = slope / (2.0 * fall);
        let [start, inner, end] = self.values;
        let ends = start.max(inner).max(end);
        if fall > 0.0 && top > 0.0 && top < 1.0 {
            ends.max(start + 0.5 * slope * top)
        } else {
            ends
        }
    }
}

impl Sample {
    fn is_beyond(&self) -> bool {
        self.excess.iter().any(|e| *e > 0.0)
    }
}

/// The first instant after `low` at which some condition is to change, given that none is at `low` and one is at `high`, behind the
/// last one at which none is: regula falsi on the earliest crossing, with bisection where that is slow.
fn locate<E>(
    low: &Sample,
    mut high: Sample,
    sample: &mut impl FnMut(f64) -> Result<Sample, E>,
) -> Result<(f64, f64), E> {
    let mut low = low.clone();
    for round in 0..200 {
        let (a, b) = (low.t, high.t);
        if b - a <= 4.0 * f64::EPSILON * b.abs().max(1e-3) {
            break;
        }
        let crossing = |(low, high): (&f64, &f64)| a + (b - a) * (low / (low - high));
        let guess = (low.excess.iter().zip(&high.excess))
            .filter(|(low, high)| **high > 0.0 && **low <= 0.0)
            .map(crossing)
            .fold(f64::INFINITY, f64::min);
        let t = if round % 3 == 2 || !guess.is_finite() || guess <= a || guess >= b {
            0.5 * (a + b)
        } else {
            // A little beyond, so that the bracket closes from this side, too.
            (guess + 0.01 * (b - a) * f64::from(u8::from(round % 3 == 1))).min(0.5 * (guess + b))
        };
        if t <= a || t >= b {
            break;
        }
        let there = sample(t)?;
        if there.is_beyond() {
            high = there;
        } else {
            low = there;
        }
    }
    Ok((low.t, high.t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a function over steps of one length, from crossing to crossing. How often it rises above zero.
    fn rises(f: &impl Fn(f64) -> f64, until: f64, step: f64) -> usize {
        let mut search = Search::new(1e-6);
        let mut above = f(0.0) > 0.0;
        let (mut t, mut count) = (0.0, 0);
        search.begin(t, vec![-f(0.0).abs()]);
        // As in a run, the first step is short.
        let mut next = 1e-3 * step;
        while t < until {
            let end = until.min(t + next);
            let sign = if above { -1.0 } else { 1.0 };
            let mut excesses = |t: f64| Ok::<_, ()>(vec![sign * f(t)]);
            match search.follow(end, &mut excesses).unwrap() {
                Some((_, at)) => {
                    above = !above;
                    count += usize::from(above);
                    t = at;
                    search.begin(t, vec![-f(t).abs()]);
                }
                None => t = end,
            }
            next = step;
        }
        count
    }

    fn rises_on_a_grid(f: &impl Fn(f64) -> f64, until: f64) -> usize {
        let n = 1_000_000;
        let above: Vec<bool> = (0..=n)
            .map(|k| f(until * f64::from(k) / f64::from(n)) > 0.0)
            .collect();
        above.windows(2).filter(|pair| !pair[0] && pair[1]).count()
    }

    #[test]
    fn no_crossing_is_lost_in_steps_longer_than_a_period() {
        use libm::{exp, sin};
        type Function = fn(f64) -> f64;
        let functions: [Function; 7] = [
            |t| sin(300.0 * t) - 0.95,
            |t| sin(300.0 * t) - 0.99,
            |t| sin(314.0 * t) - 0.9 * exp(-t / 8.0),
            |t| sin(50.0 * t) + sin(71.0 * t) - 1.7,
            |t| sin(20.0 * t * t) - 0.9,
            |t| sin(100.0 * t) * sin(3.0 * t) - 0.95,
            |t| sin(t) - 0.5,
        ];
        for (i, f) in functions.iter().enumerate() {
            for step in [0.05, 0.4, 1.3] {
                assert_eq!(
                    rises(f, 4.0, step),
                    rises_on_a_grid(f, 4.0),
                    "function {i}, steps of {step}"
                );
            }
        }
    }

    #[test]
    fn a_smooth_function_is_looked_at_in_few_points() {
        let mut search = Search::new(1e-6);
        search.begin(0.0, vec![-5.0]);
        let mut points = 0;
        for step in 1..=100 {
            let found = search.follow(f64::from(step), &mut |t: f64| {
                points += 1;
                Ok::<_, ()>(vec![-5.0 + 0.001 * t * t / 100.0])
            });
            assert_eq!(found, Ok(None));
        }
        assert!(points < 160, "{points} points");
    }
}
