//! Loops worked by hand, and random ones against brute force.

use super::Status;
use crate::analysis::{Analysis, Options};
use crate::sym::Rational;
use crate::testing::mdae;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::cell::Cell;

fn decided(text: &str) -> Analysis {
    Analysis::new(mdae(text), &Options::default())
}

fn status(text: &str) -> Status {
    let analysis = decided(text);
    assert_eq!(analysis.loops.len(), 1, "{text}");
    eprintln!("{:?}", analysis.loops[0]);
    analysis.loops[0].status
}

/// The table of loops whose status is known by hand.
#[test]
fn loops_that_were_worked_by_hand() {
    let relay = |sign: &str| {
        format!(
            "model M input Real u; Real y, z; Boolean g; equation
               g = y > 0; y = u {sign} z; z = if g then 1 else -1; end M;"
        )
    };
    assert_eq!(status(&relay("+")), Status::Hysteresis);
    assert_eq!(status(&relay("-")), Status::None);
    let resistance = |r: &str| {
        format!(
            "model M parameter Real R = {r}; input Real u; Real s; Boolean g; equation
               g = s > 0; (if g then 1 else R)*s = u; end M;"
        )
    };
    assert_eq!(status(&resistance("0.5")), Status::Unique);
    assert_eq!(status(&resistance("-0.5")), Status::None);
    let saturation = |k: &str| {
        format!(
            "model M parameter Real k = {k}; input Real u; Real x, y; equation
               x = u - k*y; y = if x > 1 then 1 else if x < -1 then -1 else x; end M;"
        )
    };
    assert_eq!(status(&saturation("2")), Status::Unique);
    assert_eq!(status(&saturation("-0.5")), Status::Unique);
    assert_eq!(status(&saturation("-2")), Status::Hysteresis);
    let complementarity = |a: &str, b: &str| {
        format!(
            "model M input Real q1, q2; Real s1, s2, z1, z2, w1, w2; equation
               z1 = if s1 > 0 then s1 else 0; w1 = if s1 > 0 then 0 else -s1;
               z2 = if s2 > 0 then s2 else 0; w2 = if s2 > 0 then 0 else -s2;
               w1 = {a}*z1 + {b}*z2 + q1; w2 = {b}*z1 + {a}*z2 + q2; end M;"
        )
    };
    assert_eq!(status(&complementarity("2", "1")), Status::Unique);
    assert_ne!(status(&complementarity("1", "2")), Status::Unique);
    let diodes = status(
        "model M parameter Real Ron = 1e-5, Goff = 1e-5; input Real u1, u2, i0;
           Real s1, s2, v, i1, i2; equation
           u1 - v = s1*(if s1 < 0 then 1 else Ron); i1 = s1*(if s1 < 0 then Goff else 1);
           u2 - v = s2*(if s2 < 0 then 1 else Ron); i2 = s2*(if s2 < 0 then Goff else 1);
           i1 + i2 = i0; end M;",
    );
    assert_eq!(diodes, Status::Unique);
}

#[test]
fn a_clutch_that_breaks_away_above_its_sliding_torque_remembers() {
    let clutch = |peak: &str| {
        format!(
            "model M parameter Real J1 = 1, J2 = 2, tau0 = 3, peak = {peak};
               input Real t1, t2; Real w1(start = 0), w2(start = 0), tau, sa, a;
               Boolean forward, backward; equation
               J1*der(w1) = t1 - tau; J2*der(w2) = tau + t2; a = der(w1) - der(w2);
               forward = sa > peak*tau0; backward = sa < -peak*tau0;
               a = if forward then sa - peak*tau0 else if backward then sa + peak*tau0 else 0;
               tau = if forward then tau0 else if backward then -tau0 else sa; end M;"
        )
    };
    assert_eq!(status(&clutch("1")), Status::Unique);
    assert_eq!(status(&clutch("1.5")), Status::Hysteresis);
}

/// `y_i = a_i u + b_i + Σ m_ij φ_j` with `φ_j = if y_j > 0 then p_j y_j + q_j else r_j y_j + s_j`.
#[derive(Clone, Debug)]
struct Random {
    k: usize,
    inputs: Vec<(i64, i64)>,
    gains: Vec<Vec<i64>>,
    pieces: Vec<[i64; 4]>,
    /// Those that are written with `abs` if they can be: their comparison is no condition then.
    inner: Vec<bool>,
}

impl Random {
    fn is_inner(&self, i: usize) -> bool {
        let [_, q, _, s] = self.pieces[i];
        self.inner[i] && q == 0 && s == 0
    }

    /// Of the bits of a valuation those that are conditions.
    fn conditions(&self) -> usize {
        (0..self.k)
            .map(|i| usize::from(!self.is_inner(i)) << i)
            .sum()
    }
}

fn random() -> impl Strategy<Value = Random> {
    (1usize..=6, any::<bool>()).prop_flat_map(|(k, continuous)| {
        let number = -3i64..=3;
        let nonzero = prop_oneof![-3i64..=-1, 1i64..=3];
        let jump = match continuous {
            true => 0i64..=0,
            false => -2i64..=2,
        };
        let piece = (number.clone(), jump.clone(), number.clone(), jump)
            .prop_map(|(p, q, r, s)| [p, q, r, s])
            .prop_filter("the branches differ", |[p, q, r, s]| p != r || q != s);
        (
            prop::collection::vec((number.clone(), number), k),
            prop::collection::vec(prop::collection::vec(nonzero, k), k),
            prop::collection::vec(piece, k),
            prop::collection::vec(any::<bool>(), k),
        )
            .prop_map(move |(inputs, gains, pieces, inner)| Random {
                k,
                inputs,
                gains,
                pieces,
                inner,
            })
    })
}

fn text(random: &Random) -> String {
    let mut declared = String::from("input Real u; ");
    let mut equations = String::new();
    for i in 0..random.k {
        let [p, q, r, s] = random.pieces[i];
        declared += &format!("Real y{i}; Real f{i}; ");
        let sum: Vec<String> = (0..random.k)
            .map(|j| format!("({})*f{j}", random.gains[i][j]))
            .collect();
        let (a, b) = random.inputs[i];
        equations += &format!("y{i} = ({a})*u + ({b}) + ({})/4; ", sum.join(" + "));
        equations += &if random.is_inner(i) {
            format!("f{i} = ({})/2*y{i} + ({})/2*abs(y{i}); ", p + r, p - r)
        } else {
            format!("f{i} = if y{i} > 0 then ({p})*y{i} + ({q}) else ({r})*y{i} + ({s}); ")
        };
    }
    format!("model M {declared} equation {equations} end M;")
}

/// `y = c + d u` for one valuation, by Gauss; `None` if singular.
fn solution(random: &Random, bits: usize) -> Option<Vec<[Rational; 2]>> {
    let k = random.k;
    let quarter = Rational::new(1, 4)?;
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for i in 0..k {
        let (a, b) = random.inputs[i];
        let mut row = vec![Rational::zero(); k + 2];
        row[i] = Rational::one();
        row[k] = Rational::int(b);
        row[k + 1] = Rational::int(a);
        for j in 0..k {
            let [p, q, r, s] = random.pieces[j];
            let (slope, offset) = if bits >> j & 1 == 1 { (p, q) } else { (r, s) };
            let gain = &Rational::int(random.gains[i][j]) * &quarter;
            row[j] = &row[j] - &(&gain * &Rational::int(slope));
            row[k] = &row[k] + &(&gain * &Rational::int(offset));
        }
        rows.push(row);
    }
    for at in 0..k {
        let pivot = (at..k).find(|&row| !rows[row][at].is_zero())?;
        rows.swap(at, pivot);
        let inverse = rows[at][at].recip()?;
        let line: Vec<Rational> = rows[at].iter().map(|value| value * &inverse).collect();
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at {
                let factor = row[at].clone();
                for (entry, value) in row.iter_mut().zip(&line) {
                    *entry = &*entry - &(&factor * value);
                }
            }
        }
        rows[at] = line;
    }
    Some(
        rows.into_iter()
            .map(|row| [row[k].clone(), row[k + 1].clone()])
            .collect(),
    )
}

/// Along the line of the one input: the values of every valuation between all values at which one begins or ends to fit.
fn brute_force(random: &Random) -> Option<Status> {
    let k = random.k;
    let mut cuts: Vec<Rational> = Vec::new();
    let mut solutions = Vec::new();
    for bits in 0..1usize << k {
        let solution = solution(random, bits)?;
        for [c, d] in &solution {
            cuts.extend((-c).checked_div(d));
        }
        solutions.push(solution);
    }
    cuts.sort();
    cuts.dedup();
    let half = Rational::new(1, 2)?;
    let mut samples = Vec::new();
    match (cuts.first(), cuts.last()) {
        (Some(first), Some(last)) => {
            samples.push(first - &Rational::one());
            samples.extend(cuts.windows(2).map(|pair| &(&pair[0] + &pair[1]) * &half));
            samples.push(last + &Rational::one());
        }
        _ => samples.push(Rational::zero()),
    }
    let fits = |u: &Rational| -> Vec<usize> {
        (0..1usize << k)
            .filter(|&bits| {
                solutions[bits].iter().enumerate().all(|(j, [c, d])| {
                    let y = c + &(d * u);
                    let above = !y.is_negative() && !y.is_zero();
                    above == (bits >> j & 1 == 1)
                })
            })
            .collect()
    };
    let table: Vec<Vec<usize>> = samples.iter().map(fits).collect();
    if table.iter().any(Vec::is_empty) {
        return Some(Status::None);
    }
    if table.iter().all(|fits| fits.len() == 1) {
        return Some(Status::Unique);
    }
    let shown = |fits: &[usize]| -> Vec<usize> {
        fits.iter().map(|bits| bits & random.conditions()).collect()
    };
    let leaves = |here: &[usize], there: &[usize]| {
        let (here, there) = (shown(here), shown(there));
        here.iter()
            .any(|held| !there.contains(held) && there.len() > 1)
    };
    // Solutions with the same conditions: nothing chooses between them.
    let alike = |fits: &Vec<usize>| {
        let mut shown = shown(fits);
        shown.sort_unstable();
        shown.windows(2).any(|pair| pair[0] == pair[1])
    };
    let several = table.iter().any(alike)
        || table
            .windows(2)
            .any(|pair| leaves(&pair[0], &pair[1]) || leaves(&pair[1], &pair[0]));
    Some(if several {
        Status::Several
    } else {
        Status::Hysteresis
    })
}

/// Compares the status with brute force; `None` if some valuation is singular, else whether it was decided.
fn compared(random: &Random) -> Result<Option<bool>, TestCaseError> {
    let Some(expected) = brute_force(random) else {
        return Ok(None);
    };
    let text = text(random);
    let analysis = decided(&text);
    prop_assert_eq!(analysis.loops.len(), 1, "{}", text);
    let found = &analysis.loops[0];
    if found.status == Status::Undecided {
        eprintln!("undecided, {expected:?}: {}: {text}", found.procedure);
        return Ok(Some(false));
    }
    prop_assert_eq!(found.status, expected, "{}: {}", found.procedure, text);
    // A witness is put to the test.
    if let Some(witness) = &found.witness
        && witness.solutions.is_empty()
    {
        let u = witness
            .known
            .first()
            .map_or_else(Rational::zero, |known| known.1.clone());
        let mut fits: Vec<usize> = Vec::new();
        for bits in 0..1usize << random.k {
            let Some(solution) = solution(random, bits) else {
                continue;
            };
            let holds = solution.iter().enumerate().all(|(j, [c, d])| {
                let y = c + &(d * &u);
                (!y.is_negative() && !y.is_zero()) == (bits >> j & 1 == 1)
            });
            let shown = bits & random.conditions();
            if holds && !fits.contains(&shown) {
                fits.push(shown);
            }
        }
        prop_assert_eq!(fits.len(), witness.fits.len(), "{:?} {}", witness, text);
    }
    Ok(Some(true))
}

/// Runs the comparison; at most one loop of a hundred may be left undecided: where the linear programmes of six conditions need more
/// steps than a loop may take.
fn compare_many(cases: u32) {
    let config = ProptestConfig {
        cases,
        ..ProptestConfig::default()
    };
    let (open, all) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new(config).run(&random(), |random| {
        if let Some(decided) = compared(&random)? {
            all.set(all.get() + 1);
            open.set(open.get() + u32::from(!decided));
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    eprintln!("{} of {} undecided", open.get(), all.get());
    assert!(100 * open.get() <= all.get(), "{} undecided", open.get());
}

#[test]
fn random_loops_are_what_brute_force_says() {
    compare_many(500);
}

/// `cargo test --release -p modeshift-mdae many_random_loops -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn many_random_loops_are_what_brute_force_says() {
    compare_many(20_000);
}

/// What is chosen inside an expression counts like a condition, but has no name.
#[test]
fn choices_inside_expressions_are_decided() {
    let rectified = |slope: &str| {
        format!(
            "model M input Real u; Real i; Boolean high; equation
               high = i > 1; i + ({slope})*abs(i) = u + (if high then i - 1 else 0)*0.1; end M;"
        )
    };
    assert_eq!(status(&rectified("0.5")), Status::Unique);
    assert_eq!(status(&rectified("-0.5")), Status::Unique);
    assert_eq!(status(&rectified("2")), Status::None);
    let limited = |gain: &str| {
        format!(
            "model M input Real u; Real e, y; Boolean on; equation
               e = u + ({gain})*y; y = min(1, max(-1, e)) + (if on then 0.1 else 0); on = e > 0; end M;"
        )
    };
    assert_eq!(status(&limited("-0.5")), Status::None);
    assert_eq!(status(&limited("0.5")), Status::Hysteresis);
    let fuse = |blown: &str| {
        format!(
            "model M input Real u; Real i; Boolean blown; equation
               blown = abs(i) > 10; i*(if blown then {blown} else 1) = u; end M;"
        )
    };
    assert_eq!(status(&fuse("2")), Status::None);
    assert_eq!(status(&fuse("0.5")), Status::Hysteresis);
    let smooth = "model M input Real u; Real i; Boolean g; equation
        g = i > 0; i + noEvent(if i > 2 then i - 2 else 0) = u + (if g then 0 else 2*i); end M;";
    assert_eq!(status(smooth), Status::None);
}

/// Loops without any condition.
#[test]
fn choices_alone_are_decided() {
    let amount = |slope: &str| {
        format!("model M input Real u; Real x; equation x + ({slope})*abs(x) = u; end M;")
    };
    assert_eq!(status(&amount("0.5")), Status::Unique);
    assert_eq!(status(&amount("2")), Status::None);
    let limiter = |gain: &str| {
        format!("model M input Real u; Real y; equation y = min(1, max(-1, {gain}*y + u)); end M;")
    };
    assert_eq!(status(&limiter("0.5")), Status::Unique);
    assert_eq!(status(&limiter("2")), Status::Several);
    let found = decided(&limiter("2"));
    let witness = found.loops[0].witness.clone().unwrap();
    assert_eq!(witness.solutions.len(), 3, "{witness:?}");
    let sign =
        |op: &str| format!("model M input Real u; Real x; equation x = u {op} 2*sign(x); end M;");
    assert_eq!(status(&sign("-")), Status::None);
    assert_eq!(status(&sign("+")), Status::Several);
    let quadratic = "model M input Real u; Real q; equation q*abs(q) + 0.1*q = u; end M;";
    assert_eq!(status(quadratic), Status::Unique);
    let other_modes = "model M input Real u; input Boolean k; Real y, z; equation
        y = if k then u else abs(z); z = if k then abs(y) else u; end M;";
    assert!(decided(other_modes).loops.is_empty());
}

/// Coefficients and functions of which nothing but bounds is known.
#[test]
fn slopes_between_bounds_are_enough() {
    let diode = |r: &str| {
        format!(
            "model M input Real u; Real slide, r, i, s; Boolean off; equation
               slide = if time < 1 then 10 else if time < 2 then 10 - 20*(time - 1) else -10;
               r = {r}; off = s < 0; u - r*i = s*(if off then 1 else 1e-5);
               i = s*(if off then 1e-5 else 1); end M;"
        )
    };
    let limited = "if slide > 10 then 10 else if slide < 0.1 then 0.1 else slide";
    assert_eq!(status(&diode(limited)), Status::Unique);
    assert_eq!(status(&diode("max(0.1, slide)")), Status::Unique);
    assert_eq!(status(&diode("exp(slide)")), Status::Unique);
    assert_eq!(status(&diode("slide")), Status::Undecided);
    let exponential = |sign: &str| {
        format!(
            "model M parameter Real vb = -5; input Real u; Real v, i; equation u = v + 10*i;
               i = if v > vb then {sign}1e-6*(exp(v/0.03) - exp(vb/0.03)) + 1e-3*v
                 else 1e-3*vb + 0.5*(v - vb); end M;"
        )
    };
    assert_eq!(status(&exponential("")), Status::Unique);
    assert_eq!(status(&exponential("-")), Status::Undecided);
    let pipe = |at: &str| {
        format!(
            "model M parameter Real l = 0.1; input Real p; Real q; equation
               p = if q > l then q + 3*(q - {at})^2 else if q < -l then q - 3*(q + l)^2 else q; end M;"
        )
    };
    assert_eq!(status(&pipe("l")), Status::Unique);
    assert_eq!(status(&pipe("2*l")), Status::Undecided);
}

/// A slope says nothing across a pole, and nothing of values that a root does not have.
#[test]
fn slopes_end_where_a_power_has_no_value() {
    let loops = |term: &str| {
        format!(
            "model M input Real u; Real y; Boolean g; equation g = y > 0; y = u - ({term}); end M;"
        )
    };
    // For u = 0 both y = 0.618 and y = -1.22 fit.
    let pole = loops("if g then -1/(1 + y) else -1/(1 + y^3)");
    assert_eq!(status(&pole), Status::Undecided);
    let hyperbola = "model M input Real u; Real y; equation y = u + 1/y - 0.5*abs(y); end M;";
    assert_ne!(status(hyperbola), Status::Unique);
    // For u < 0 nothing fits.
    let root = "model M input Real u; Real y; equation y = u - sqrt(y) - 0.5*abs(y); end M;";
    assert_ne!(status(root), Status::Unique);
    let both = loops("if g then sqrt(y + 1) - 1 else 1/(1 - y) - 1");
    assert_eq!(status(&both), Status::Unique);
}

/// What is declared or known before the loop counts.
#[test]
fn what_is_known_counts() {
    let level = |min: &str| {
        format!(
            "model M Real h(start = 1{min}); Real q; equation
               der(h) = -0.1*q; q = h + (if q >= 0 then 0 else 1); end M;"
        )
    };
    assert_eq!(status(&level("")), Status::None);
    assert_eq!(status(&level(", min = 0")), Status::Unique);
    let arc = "model M parameter Real g = 1e-3; input Real arc(min = 0); Real i(start = 1), v;
        Boolean out(start = false); equation der(i) = -v; out = abs(i) <= abs(v)*g or pre(out);
        v = if out then i/g else arc*sign(i); end M;";
    assert_ne!(status(arc), Status::Undecided);
    assert_ne!(status(arc), Status::None);
}
