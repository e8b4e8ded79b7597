//! Laws of the symbolic core, checked against random evaluation.

use super::*;

use proptest::prelude::*;

fn x(i: u32) -> Expr {
    Expr::var(VarId(i))
}

fn limits() -> Limits {
    Limits::default()
}

/// Random expressions over three variables, their derivatives and one parameter.
fn expressions() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0_u32..3, 0_u32..2).prop_map(|(v, m)| Expr::var_ref(VarRef::now(VarId(v), m))),
        (-3_i64..4).prop_map(Expr::int),
        Just(Expr::param(ParamId(0))),
        Just(Expr::time()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::sum),
            prop::collection::vec(inner.clone(), 2..3).prop_map(Expr::product),
            (inner.clone(), 1_i64..4).prop_map(|(e, n)| e.pow(Rational::int(n))),
            inner.clone().prop_map(|e| Expr::call("sin", [e])),
            inner.prop_map(|e| Expr::call("cos", [e])),
        ]
    })
}

struct Point<'a> {
    vars: &'a dyn Fn(VarRef) -> f64,
    time: f64,
}

impl Valuation<f64> for Point<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        Some((self.vars)(occurrence))
    }
    fn param(&self, _: ParamId) -> Option<f64> {
        Some(0.7)
    }
    fn time(&self) -> Option<f64> {
        Some(self.time)
    }
}

proptest! {
    #[test]
    fn products_are_those_of_long_division(a in any::<u64>(), b in any::<u64>()) {
        let expected = u128::from(a % PRIME) * u128::from(b % PRIME) % u128::from(PRIME);
        prop_assert_eq!(Fp::new(a).times(Fp::new(b)), Fp::new(expected as u64));
        prop_assert_eq!(Fp::new(a).minus(Fp::new(b)).plus(Fp::new(b)), Fp::new(a));
    }

    #[test]
    fn the_gradient_has_the_values_of_the_derivatives(e in expressions(), seed in any::<u64>()) {
        let sample = Sample::new(seed);
        let wanted = |v: VarRef| v.order == 0;
        let mut found = Vec::new();
        let whole = gradient(&e, Fp::ONE, &sample, &wanted, &mut found);
        for i in 0..3 {
            let by = VarRef::now(VarId(i), 0);
            let Ok(expected) = evaluate::<Fp, _>(&partial(&e, by), &sample) else { return Ok(()) };
            prop_assert_eq!(&whole, &Ok(()));
            let own = found.iter().filter(|(v, _)| *v == by);
            let sum = own.fold(Fp::ZERO, |sum, (_, value)| sum.plus(*value));
            prop_assert_eq!(sum, expected);
        }
    }

    #[test]
    fn the_normal_form_has_the_value_of_the_expression(e in expressions(), seed in any::<u64>()) {
        let Ok(normal) = normal_form(&e, limits()) else { return Ok(()) };
        let sample = Sample::new(seed);
        let value: Result<Fp, _> = evaluate(&e, &sample);
        prop_assert_eq!(value, evaluate(&normal.to_expr(), &sample));
    }

    #[test]
    fn a_difference_of_equal_expressions_has_the_empty_normal_form(e in expressions()) {
        let Ok(normal) = normal_form(&e, limits()) else { return Ok(()) };
        let difference = normal.to_expr().sub(&e);
        prop_assert!(normal_form(&difference, limits()).is_ok_and(|p| p.is_zero()));
    }

    /// Along x_i(t) = polynomials in t the symbolic derivative is the difference quotient.
    #[test]
    fn the_time_derivative_is_the_limit_of_difference_quotients(e in expressions()) {
        let at = |t: f64, v: VarRef| {
            let a = 0.3 + 0.1 * f64::from(v.var.0);
            let jets = [a + 0.2 * t - a * t * t, 0.2 - 2.0 * a * t, -2.0 * a, 0.0];
            jets[(v.order as usize).min(3)]
        };
        let value = |e: &Expr, t: f64| -> f64 {
            evaluate(e, &Point { vars: &|v| at(t, v), time: t }).unwrap_or(f64::NAN)
        };
        let derivative = time_derivative(&e, &mut |_| false);
        let h = 1e-5;
        let quotient = (value(&e, 0.4 + h) - value(&e, 0.4 - h)) / (2.0 * h);
        let exact = value(&derivative, 0.4);
        let scale = 1.0 + exact.abs() + value(&e, 0.4).abs();
        prop_assert!((quotient - exact).abs() <= 1e-4 * scale, "{quotient} {exact}");
    }

    #[test]
    fn the_total_derivative_is_the_sum_of_the_partial_ones(e in expressions(), seed in any::<u64>()) {
        let mut terms = vec![];
        for v in variables(&e) {
            let rate = Expr::var_ref(VarRef { order: v.order + 1, ..v });
            terms.push(partial(&e, v).mul(&rate));
        }
        let without_time = map_leaves(&e, &mut |k| matches!(k, Kind::Time).then(|| Expr::int(5)));
        let total = time_derivative(&without_time, &mut |_| false);
        let sum = Expr::sum(terms);
        let sum = map_leaves(&sum, &mut |k| matches!(k, Kind::Time).then(|| Expr::int(5)));
        let sample = Sample::new(seed);
        let total: Result<Fp, _> = evaluate(&total, &sample);
        prop_assert_eq!(total, evaluate(&sum, &sample));
    }
}

#[test]
fn products_modulo_the_prime_are_those_of_wide_numbers() {
    let mut state = 1_u64;
    let edges = [0, 1, 2, PRIME - 1, PRIME - 2, PRIME / 2];
    for round in 0..10_000_usize {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let a = edges.get(round / 6 % 7).copied().unwrap_or(state % PRIME);
        let b = edges
            .get(round % 7)
            .copied()
            .unwrap_or(state.rotate_left(31) % PRIME);
        let wide = (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
        assert_eq!(Fp::new(a).times(Fp::new(b)), Fp::new(wide), "{a} {b}");
        let sum = ((u128::from(a) + u128::from(b)) % u128::from(PRIME)) as u64;
        assert_eq!(Fp::new(a).plus(Fp::new(b)), Fp::new(sum));
    }
}

#[test]
fn equality_up_to_a_factor_sees_through_expansion_and_sign() {
    let length = Expr::param(ParamId(0)).pow(Rational::int(2));
    let squares = |a: &Expr, b: &Expr| a.pow(Rational::int(2)).add(&b.pow(Rational::int(2)));
    let a = length.sub(&squares(&x(0), &x(1)));
    let b = squares(&x(1), &x(0)).sub(&length).scale(&Rational::int(3));
    assert_eq!(equal_up_to_factor(&a, &b, limits()), Ok(true));
    assert_eq!(equal_up_to_factor(&a, &a.mul(&x(0)), limits()), Ok(false));
}

#[test]
fn expansion_stops_at_its_limit() {
    let sum = Expr::sum((0..40).map(x));
    assert_eq!(
        normal_form(&sum.pow(Rational::int(12)), limits()),
        Err(TooLarge)
    );
}

#[test]
fn a_mode_resolves_conditions_and_shrinks_the_incidence() {
    let choice = Expr::if_else(CondId(0), &x(0).sub(&x(1)), &x(2));
    let engaged = resolve(&choice, &mut |_| Some(true));
    assert_eq!(engaged, x(0).sub(&x(1)));
    let sigma = incidence(&time_derivative(&engaged, &mut |_| false));
    assert_eq!(
        sigma.into_iter().collect::<Vec<_>>(),
        [(VarId(0), 1), (VarId(1), 1)]
    );
    assert_eq!(incidence(&choice).len(), 3);
}

#[test]
fn occurrences_tell_linear_from_powers_from_functions() {
    let e = Expr::sum([
        x(0).mul(&x(1)),
        x(1).pow(Rational::int(3)),
        Expr::call("sin", [x(2)]),
        x(3).div(&Expr::param(ParamId(0))),
    ]);
    let found = occurrences(&e);
    let of = |i| &found[&VarRef::now(VarId(i), 0)];
    assert_eq!(*of(0), Occurrence::Linear);
    assert!(matches!(of(1), Occurrence::Powers(set) if set.contains(&Rational::int(3))));
    assert_eq!(*of(2), Occurrence::Nonlinear);
    assert_eq!(*of(3), Occurrence::Linear);
}

#[test]
fn printing_is_readable_in_every_style() {
    struct Two;
    impl Names for Two {
        fn var(&self, v: VarRef) -> String {
            ["x", "y"][v.var.0 as usize % 2].to_owned()
        }
        fn param(&self, _: ParamId) -> String {
            "J_1".to_owned()
        }
        fn cond(&self, _: CondId) -> String {
            "engaged".to_owned()
        }
    }
    let e = Expr::sum([
        Expr::param(ParamId(0)).mul(&Expr::der(VarId(0))),
        Expr::pre(VarId(1)).scale(&Rational::int(-2)),
        x(0).sub(&x(1)).mul(&x(0)).div(&x(1)).neg(),
        x(0).pow(Rational::int(2)),
    ]);
    let text = |style| print(&e, &Two, style);
    assert_eq!(text(Style::Math), "J_1*x′ - 2*y⁻ - (x - y)*x/y + x²");
    assert_eq!(
        text(Style::Modelica),
        "J_1*der(x) - 2*pre(y) - (x - y)*x/y + x^2"
    );
    assert!(text(Style::Latex).contains("\\dot{x}"));
}

#[test]
fn roots_and_circles_keep_their_identities_modulo_the_prime() {
    let seeds = 0..20_u64;
    let circle = Expr::sum([
        Expr::call("sin", [x(0)]).pow(Rational::int(2)),
        Expr::call("cos", [x(0)]).pow(Rational::int(2)),
    ]);
    let cube = x(0).pow(Rational::new(1, 3).unwrap()).pow(Rational::int(3));
    for seed in seeds {
        let sample = Sample::new(seed);
        assert_eq!(evaluate(&circle, &sample), Ok(Fp::ONE));
        assert_eq!(evaluate::<Fp, _>(&cube, &sample), evaluate(&x(0), &sample));
    }
}
