//! Laws of the formulas themselves: orders, grids, the polynomial between points.

use super::super::tests::{Problem, settings};
use super::super::{Method, System};
use super::{Bdf, MAX_ORDER, rescale};
use proptest::prelude::*;

/// `y' = −y² ` has the solution `1/(1 + t)`.
fn exact(t: f64) -> f64 {
    1.0 / (1.0 + t)
}

fn slope(_: f64, y: &[f64], out: &mut [f64]) {
    out[0] = -y[0] * y[0];
}

/// Backward differences of a function at `t`.
fn differences(f: impl Fn(f64) -> f64, t: f64, h: f64, order: usize) -> Vec<f64> {
    let mut values: Vec<f64> = (0..=order).map(|i| f(t - i as f64 * h)).collect();
    let mut result = Vec::new();
    while !values.is_empty() {
        result.push(values[0]);
        values = values.windows(2).map(|w| w[0] - w[1]).collect();
    }
    result
}

/// The error after a second of steps of one size and order that begin with an exact past.
fn error_of(order: usize, steps: usize) -> f64 {
    let h = 1.0 / steps as f64;
    let mut system = Problem(1, slope);
    let mut method = Bdf::new(settings(1e-12), 1.0, &[exact(1.0)], Some(h));
    method.start(&mut system).unwrap();
    for (j, difference) in differences(exact, 1.0, h, order).into_iter().enumerate() {
        method.differences[j][0] = difference;
    }
    (method.grid, method.order, method.next_order) = (h, order, order);
    for step in 1..=steps {
        let end = 1.0 + step as f64 * h;
        let mut tries = 0;
        while method.attempt(&mut system, h, end).is_none() {
            method.try_otherwise(&mut system, h, end);
            tries += 1;
            assert!(tries < 5);
        }
        method.accept(end);
    }
    (method.state()[0] - exact(2.0)).abs()
}

#[test]
fn the_formula_of_order_k_is_of_order_k() {
    for order in 1..=MAX_ORDER {
        let (coarse, fine) = (error_of(order, 20), error_of(order, 40));
        let measured = (coarse / fine).log2();
        assert!(
            (measured - order as f64).abs() < 0.35,
            "order {order}: {measured} from {coarse} and {fine}"
        );
    }
}

#[test]
fn the_polynomial_goes_through_the_points_of_the_past() {
    let mut system = Problem(1, slope);
    let mut method = Bdf::new(settings(1e-7), 0.0, &[1.0], None);
    let mut points = vec![(0.0, 1.0)];
    for _ in 0..60 {
        method.step(&mut system, f64::INFINITY).unwrap();
        points.push((method.interval().1, method.state()[0]));
        let (t, y) = points[points.len() - 2];
        let mut there = [0.0];
        method.interpolate(t, &mut there);
        assert!((there[0] - y).abs() < 1e-10, "{} and {y}", there[0]);
    }
    assert!(method.order >= 3, "{}", method.order);
}

proptest! {
    /// Differences of a polynomial on one grid give its differences on another.
    #[test]
    fn differences_follow_the_grid(
        coefficients in prop::collection::vec(-1.0..1.0_f64, 1..=MAX_ORDER + 1),
        factor in 0.1..10.0_f64,
    ) {
        let order = coefficients.len() - 1;
        let f = |t: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c);
        let mut before: Vec<Vec<f64>> =
            differences(f, 0.3, 0.1, order).into_iter().map(|d| vec![d]).collect();
        rescale(&mut before, factor);
        let after = differences(f, 0.3, 0.1 * factor, order);
        let scale: f64 = 1e-11 * factor.max(1.0).powi(order as i32);
        for (a, b) in before.iter().zip(after) {
            prop_assert!((a[0] - b).abs() < scale, "{} and {b}", a[0]);
        }
    }

    /// The slope of the polynomial is that of its values.
    #[test]
    fn the_slope_belongs_to_the_polynomial(seed in 0.1..2.0_f64, part in 0.0..1.0_f64) {
        let mut system = Problem(1, move |t: f64, y: &[f64], out: &mut [f64]| out[0] = libm::cos(seed * t) - y[0]);
        prop_assert_eq!(system.dimension(), 1);
        let mut method = Bdf::new(settings(1e-6), 0.0, &[1.0], None);
        for _ in 0..30 {
            method.step(&mut system, f64::INFINITY).unwrap();
        }
        let (a, b) = method.interval();
        let (t, h) = (a + part * (b - a), 1e-4 * (b - a));
        let (mut low, mut high, mut y, mut slope) = ([0.0], [0.0], [0.0], [0.0]);
        method.interpolate(t - h, &mut low);
        method.interpolate(t + h, &mut high);
        method.polynomial(t, &mut y, Some(&mut slope));
        let measured = (high[0] - low[0]) / (2.0 * h);
        prop_assert!((measured - slope[0]).abs() < 1e-6 * (1.0 + slope[0].abs()));
    }
}
