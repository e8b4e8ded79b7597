//! What the mode before says, in parts that are too large to put their equations into each other.

use modeshift_mdae::sym::{At, Expr, VarId, VarRef, substitute};
use modeshift_restart::facts::{Past, Reason};
use modeshift_restart::sigma::mode_offsets;
use modeshift_restart::{Change, ModeEquation, Role};

fn equations(residuals: &[Expr]) -> Vec<ModeEquation> {
    let equation = |(source, residual): (usize, &Expr)| ModeEquation {
        source,
        residual: residual.clone(),
    };
    residuals.iter().enumerate().map(equation).collect()
}

fn at_left(residual: &Expr) -> Expr {
    substitute(residual, &mut |o| {
        Some(Expr::var_ref(VarRef { at: At::Left, ..o }))
    })
}

/// `k = 3` and `x = k*y + f(z)`, beside 300 equations that nobody puts into others: afterwards the second is `x = 3*y + f(z)`.
#[test]
fn an_equation_stays_the_same_when_a_value_is_put_into_it() {
    let [k, x, y, z] = [0, 1, 2, 3].map(|i| Expr::var(VarId(i)));
    let own = k.sub(&Expr::int(3));
    let tie = |factor: &Expr| {
        let right = factor.mul(&y).add(&Expr::call("f", [z.clone()]));
        x.sub(&right)
    };
    let mut before = vec![own, tie(&k), y.sub(&Expr::call("f", [x.clone()]))];
    before.push(z.sub(&Expr::call("f", [y.clone()])));
    for i in 4..304 {
        before.push(Expr::var(VarId(i)).sub(&Expr::call("f", [Expr::var(VarId(i - 1))])));
    }
    let mut restated = before.clone();
    restated[1] = tie(&Expr::int(3));
    let change = Change {
        roles: vec![Role::Unknown; 304],
        before: equations(&before),
        after: equations(&restated),
        restated,
        ..Change::default()
    };
    let offsets = mode_offsets(&change, &change.before).unwrap();
    let past = Past::new(&change, &offsets);
    let said = past.reason(&at_left(&tie(&Expr::int(3))));
    assert_eq!(said, Some(Reason::PreviousMode));
    assert_eq!(past.reason(&at_left(&tie(&Expr::int(4)))), None);
}
