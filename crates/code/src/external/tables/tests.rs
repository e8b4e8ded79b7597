//! Tables at their ends, in one row, and between points, against values worked out by hand.

use super::{Extrapolation, Smoothness, Table1, Table2, TimeEvents, TimeTable};
use crate::array::{Array, Dims};

fn matrix(width: usize, data: &[f64]) -> Array<f64> {
    Array {
        dims: Dims::from_slice(&[data.len() / width, width]),
        data: data.to_vec(),
    }
}

fn close(found: f64, wanted: f64) {
    assert!(
        (found - wanted).abs() < 1e-12,
        "{found} instead of {wanted}"
    );
}

#[test]
fn steps_in_two_dimensions_are_lines_outside() {
    let data = matrix(3, &[0.0, 0.0, 1.0, 0.0, 10.0, 20.0, 2.0, 30.0, 50.0]);
    let table =
        |extrapolation| Table2::new(&data, Smoothness::Constant, extrapolation).expect("a table");
    let lines = table(Extrapolation::LastTwoPoints);
    close(lines.value(1.9, 0.9, (0, 0)), 10.0);
    close(lines.value(1.9, 0.9, (1, 0)), 0.0);
    // Both directions, then only one of them: there the other one is interpolated.
    close(lines.value(3.0, 2.0, (0, 0)), 90.0);
    close(lines.value(1.0, 2.0, (0, 0)), 50.0);
    close(lines.value(1.0, 2.0, (0, 1)), 15.0);
    close(table(Extrapolation::Hold).value(5.0, 5.0, (0, 0)), 50.0);
}

#[test]
fn a_single_row_is_a_curve() {
    let data = matrix(4, &[0.0, 0.0, 0.5, 1.0, 7.0, 1.0, 2.0, 1.0]);
    let table = Table2::new(&data, Smoothness::Akima, Extrapolation::Hold).expect("a table");
    // The parabola through the three points.
    for v in [0.0, 0.2, 0.7] {
        close(table.value(3.0, v, (0, 0)), 1.0 + 4.0 * v - 4.0 * v * v);
        close(table.value(3.0, v, (0, 2)), -8.0);
    }
}

#[test]
fn the_last_point_belongs_to_its_segment() {
    let data = matrix(2, &[0.0, 0.0, 1.0, 1.0, 2.0, 4.0]);
    let table = Table1::new(
        &data,
        &[2],
        Smoothness::Akima,
        Extrapolation::LastTwoPoints,
        true,
    )
    .expect("a table");
    close(table.value(0, 2.0, 1, false), 4.0);
    close(table.value(0, 2.0, 2, false), 2.0);
    close(table.value(0, 2.5, 2, false), 0.0);
}

#[test]
fn a_period_ends_with_its_last_point_and_starts_with_its_first() {
    let data = matrix(2, &[0.6, -2.0, 0.6, -3.0, 0.7, -2.0, 1.0, -5.0, 1.0, -6.0]);
    let table = Table1::new(
        &data,
        &[2],
        Smoothness::Linear,
        Extrapolation::Periodic,
        false,
    );
    let table = TimeTable::new(table.expect("a table"), 0.0, 0.0, TimeEvents::Always);
    let mut time = 0.0;
    for _ in 0..6 {
        let next = table.next_event(time);
        assert!(next > time);
        let (before, after) = (
            table.value(0, next, 0, next),
            table.value(0, next, 0, next + 1.0),
        );
        let at_end = (before + 5.0).abs() < 1e-9 && (after + 3.0).abs() < 1e-9;
        let inside = (before + 2.0).abs() < 1e-9 && (after + 2.0).abs() < 1e-9;
        assert!(at_end || inside, "{before} and {after} at {next}");
        time = next;
    }
}

#[test]
fn nothing_comes_before_the_event_at_the_start() {
    let data = matrix(2, &[0.5, 1.0]);
    let table = Table1::new(&data, &[2], Smoothness::Linear, Extrapolation::Hold, false);
    let table = TimeTable::new(table.expect("a table"), 1.0, 0.0, TimeEvents::Always);
    assert_eq!(table.value(0, 1.0, 0, 1.0), 0.0);
    assert_eq!(table.value(0, 1.0, 0, f64::MAX), 1.0);
}

#[test]
fn a_plane_with_one_line_steps_along_it_and_has_no_end_across() {
    let data = matrix(2, &[1.0, 1.0, 2.0, 4.0, 3.0, 9.0, 4.0, 16.0]);
    let along = |extrapolation| Table2::new(&data, Smoothness::Constant, extrapolation);
    let table = along(Extrapolation::LastTwoPoints).expect("a table");
    for across in [-5.0, 1.0, 7.0] {
        close(table.value(2.5, across, (0, 0)), 4.0);
        close(table.value(3.5, across, (0, 0)), 9.0);
        // Outside the last two points continue.
        close(table.value(1.0, across, (0, 0)), -1.0);
        close(table.value(5.0, across, (0, 0)), 23.0);
    }
    let table = along(Extrapolation::None).expect("a table");
    assert!(table.check(2.5, 7.0).is_ok());
    assert!(table.check(1.5, 1.0).is_err());
}
