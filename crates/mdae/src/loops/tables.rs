//! Values that are looked up in tables of the standard library, where they are numbers: for a known argument, or
//! because the table has only one row.

use crate::model::{MDae, Table};
use crate::numbers::Trace;
use crate::sym::{Expr, Kind, Rational, for_each_node};

/// `LinearSegments` and the ways to extrapolate, by their place in the enumerations of the standard library.
const LINEAR: i64 = 1;
const HOLD_LAST_POINT: i64 = 1;
const LAST_TWO_POINTS: i64 = 2;

/// The expression with numbers in the place of lookups that are numbers.
pub(super) fn folded(mdae: &MDae, trace: &Trace, expr: &Expr) -> Expr {
    if mdae.lookups.is_empty() {
        return expr.clone();
    }
    let mut any = false;
    for_each_node(expr, &mut |node| {
        any |= is_lookup(mdae, node);
        !any
    });
    if !any {
        return expr.clone();
    }
    super::calls::replaced(expr, &mut |call, args| {
        let value = is_lookup(mdae, call).then(|| looked_up(mdae, trace, args));
        value.flatten().map(Expr::constant)
    })
}

fn is_lookup(mdae: &MDae, expr: &Expr) -> bool {
    matches!(expr.kind(), Kind::Call(function, _)
        if function.partials.is_empty() && mdae.lookups.contains(&function.name))
}

/// `getValue(table, column, u)`
fn looked_up(mdae: &MDae, trace: &Trace, args: &[Expr]) -> Option<Rational> {
    let [object, column, u] = args else {
        return None;
    };
    let Kind::Text(name) = object.kind() else {
        return None;
    };
    let table = mdae.tables.get(name)?;
    let number = |expr: &Expr| number(mdae, trace, expr);
    let column = whole(&number(column)?)?;
    let column = whole(&number(
        table.columns.get(usize::try_from(column - 1).ok()?)?,
    )?)?;
    let column = usize::try_from(column - 1).ok()?;
    let points: Option<Vec<(Rational, Rational)>> = table
        .rows
        .iter()
        .map(|row| Some((number(row.first()?)?, number(row.get(column)?)?)))
        .collect();
    let points = points?;
    match &points[..] {
        [] => None,
        [(_, only)] => Some(only.clone()),
        _ => interpolated(mdae, trace, table, &points, &number(u)?),
    }
}

fn interpolated(
    mdae: &MDae,
    trace: &Trace,
    table: &Table,
    points: &[(Rational, Rational)],
    u: &Rational,
) -> Option<Rational> {
    if whole(&number(mdae, trace, &table.smoothness)?)? != LINEAR {
        return None;
    }
    let (first, last) = (points.first()?, points.last()?);
    if *u < first.0 || *u > last.0 {
        match whole(&number(mdae, trace, &table.extrapolation)?)? {
            HOLD_LAST_POINT if *u < first.0 => return Some(first.1.clone()),
            HOLD_LAST_POINT => return Some(last.1.clone()),
            LAST_TWO_POINTS => {}
            _ => return None,
        }
    }
    let after = points[1..].iter().position(|point| *u < point.0);
    let at = after.unwrap_or(points.len() - 2);
    let (a, b) = (&points[at], &points[at + 1]);
    let slope = (&b.1 - &a.1).checked_div(&(&b.0 - &a.0))?;
    Some(&a.1 + &(&slope * &(u - &a.0)))
}

/// The number that an expression over parameters is.
fn number(mdae: &MDae, trace: &Trace, expr: &Expr) -> Option<Rational> {
    match expr.kind() {
        Kind::Const(value) => Some(value.clone()),
        Kind::Param(id) => {
            trace.parameter(*id);
            Rational::from_decimal(mdae.parameter(*id).value?)
        }
        _ => None,
    }
}

fn whole(value: &Rational) -> Option<i64> {
    let number = value.to_f64();
    (number.fract() == 0.0 && number.abs() < 1e9).then_some(number as i64)
}
