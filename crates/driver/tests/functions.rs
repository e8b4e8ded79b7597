//! Functions of a model, executed: each feature of the language, derivatives, limits.

use modeshift_code::{Argument, LANES, Machines, Runtime, Shape, Site};
use modeshift_driver::{MemorySystem, Session, Settings};
use std::sync::Arc;

fn runtime(functions: &str, used: &str) -> Runtime {
    let system = Arc::new(MemorySystem::new());
    let text = format!("{functions}\nmodel M\n{used}\nend M;");
    system.write("/project/a.mo", &*text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("a.mo");
    let class = session.default_class().expect("a class");
    let report = session.report(session.check_files());
    let errors: Vec<&str> = (report.diagnostics.iter())
        .filter(|it| {
            it.code.to_string().starts_with("MS2") || it.code.to_string().starts_with("MS0")
        })
        .map(|it| &*it.message)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    Runtime::new(&session.flat(class).model.functions)
}

fn vector(n: usize) -> Argument {
    Argument::Value(Shape::Leaf(vec![n]))
}

fn scalar() -> Argument {
    Argument::Value(Shape::SCALAR)
}

/// The outputs of `f` for arguments of these shapes.
fn call(
    runtime: &Runtime,
    args: &[Argument],
    values: &[f64],
    results: &[Shape],
) -> Result<Vec<f64>, String> {
    let site = Site::new(&runtime.library, "f", args, results).map_err(|why| why.to_string())?;
    let mut out = vec![0.0; site.n_results()];
    let mut machines = Machines::default();
    match machines.call(runtime, &site, 0, values, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err(error.to_string()),
    }
}

/// `f` of numbers.
fn scalars(functions: &str, values: &[f64]) -> Result<f64, String> {
    let names: Vec<String> = values.iter().map(|_| "time".to_owned()).collect();
    let runtime = runtime(functions, &format!("Real y = f({});", names.join(", ")));
    let args = vec![scalar(); values.len()];
    call(&runtime, &args, values, &[Shape::SCALAR]).map(|out| out[0])
}

#[test]
fn loops_branches_and_early_exits() {
    let text = "function f input Real x; output Real y; protected Integer n; algorithm
        y := 0; n := 0;
        while true loop
          n := n + 1;
          if n > 10 then break; end if;
          for i in 1:n loop
            if i > 3 then break; end if;
            y := y + x * i;
          end for;
        end while;
        for k in 9:-2:1 loop y := y + k; end for;
        if y > 1000 then return; elseif y > 10 then y := y + 0.5; else y := -1; end if;
        end f;";
    // 1 + 3 + 8 * 6 = 52, then 9 + 7 + 5 + 3 + 1 = 25.
    assert_eq!(scalars(text, &[1.0]), Ok(77.5));
    assert_eq!(scalars(text, &[100.0]), Ok(5225.0));
}

#[test]
fn arrays_whose_sizes_come_from_the_arguments() {
    let text = "function f input Real x[:]; output Real y[2*size(x, 1)]; output Real s;
        protected Real m[size(x,1), 2]; Real w[:]; Real z[2, size(x,1)];
        algorithm
        m[:, 1] := x; m[:, 2] := 2*x;
        z := transpose(m);
        y := cat(1, z[1, :], z[2, :]);
        w := {v^2 for v in x};
        s := sum(w) + m[end, 2] + max(x) + z[1, :]*z[2, :] + sum(i*x[i] for i in 1:size(x, 1));
        y[{1, 2}] := y[{2, 1}];
        end f;";
    let runtime = runtime(text, "Real y[6], s; equation (y, s) = f({1, 2, time});");
    let shapes = [Shape::Leaf(vec![6]), Shape::SCALAR];
    let out = call(&runtime, &[vector(3)], &[1.0, 2.0, 3.0], &shapes);
    assert_eq!(
        out,
        Ok(vec![
            2.0,
            1.0,
            3.0,
            2.0,
            4.0,
            6.0,
            14.0 + 6.0 + 3.0 + 28.0 + 14.0
        ])
    );
}

#[test]
fn records_and_arrays_of_records() {
    let text = "record R Real x; Real v[2]; Integer k; end R;
        function f input R r; output R q[2]; output Real s; algorithm
        q[1] := r; q[2] := R(7, {8, 9}, 10);
        q[1].v[2] := 3 * r.k;
        q.x := q.x .+ 1;
        s := sum(q.v[1]) + q[2].k;
        end f;";
    let runtime = runtime(
        text,
        "R q[2]; Real s; equation (q, s) = f(R(time, {1, 2}, 3));",
    );
    let record = || {
        let fields = vec![
            ("x".into(), Shape::SCALAR),
            ("v".into(), Shape::Leaf(vec![2])),
            ("k".into(), Shape::SCALAR),
        ];
        fields
    };
    let arg = Argument::Value(Shape::Record(Vec::new(), record()));
    let shapes = [Shape::Record(vec![2], record()), Shape::SCALAR];
    let out = call(&runtime, &[arg], &[1.0, 2.0, 3.0, 4.0], &shapes);
    assert_eq!(
        out,
        Ok(vec![2.0, 2.0, 12.0, 4.0, 8.0, 8.0, 9.0, 10.0, 20.0])
    );
}

#[test]
fn functions_as_arguments_with_some_of_their_own_given() {
    let text = "partial function P input Real u; output Real y; end P;
        function g input Real u; input Real a = 1; output Real y; algorithm y := a*u^2; end g;
        function apply input P p; input Real x; output Real y; algorithm y := p(x) + p(2*x); end apply;
        function f input Real x; output Real y; algorithm y := apply(function g(a = x), 3); end f;";
    assert_eq!(scalars(text, &[2.0]), Ok(2.0 * 9.0 + 2.0 * 36.0));
}

#[test]
fn recursion() {
    let text = "function f input Real n; output Real y; algorithm
        y := if n < 2 then n else f(n - 1) + f(n - 2); end f;";
    assert_eq!(scalars(text, &[15.0]), Ok(610.0));
}

#[test]
fn strings() {
    let text = "type E = enumeration(red, green);
        function f input Real x; output Real y; protected String s; E e = E.green; algorithm
        s := \"a\" + String(x, significantDigits = 3) + String(12, minimumLength = 5, leftJustified = false)
          + String(true) + String(e) + String(1e-7) + String(x, format = \"8.2f\");
        y := if s == \"a1.23   12truegreen1e-07    1.23\" then 1 else 0;
        assert(y > 0, s);
        end f;";
    assert_eq!(scalars(text, &[1.2345]), Ok(1.0));
}

#[test]
fn integers_divide_as_the_specification_says() {
    let text = "function f input Real a; input Real b; output Real y; protected Integer i; Integer j; algorithm
        i := integer(a); j := integer(b);
        y := 100*mod(i, j) + 10*rem(i, j) + div(i, j); end f;";
    assert_eq!(scalars(text, &[-7.0, 3.0]), Ok(200.0 - 10.0 - 2.0));
    assert_eq!(scalars(text, &[7.0, -3.0]), Ok(-200.0 + 10.0 - 2.0));
    assert_eq!(
        scalars(text, &[7.0, 0.0]),
        Err("`mod` divides by zero, in `f`".into())
    );
    let real = "function f input Real a; output Real y; algorithm y := mod(a, 0.0); end f;";
    assert_eq!(
        scalars(real, &[7.0]),
        Err("`mod` divides by zero, in `f`".into())
    );
    let large = "function f input Real a; output Real y; protected Integer n = 1; algorithm
        for i in 1:100 loop n := n * 3; end for; y := n; end f;";
    assert_eq!(
        scalars(large, &[7.0]),
        Err("an Integer is too large, in `f`".into())
    );
}

#[test]
fn subscripts_out_of_range_are_told() {
    let text =
        "function g input Real x[:]; input Integer i; output Real y; algorithm y := x[i]; end g;
        function f input Real i; output Real y; algorithm y := g({1, 2, 3}, integer(i)); end f;";
    let message = "subscript 1 is 4, and the array has size 3 there, in `g` called by `f`";
    assert_eq!(scalars(text, &[3.0]), Ok(3.0));
    assert_eq!(scalars(text, &[4.0]), Err(message.into()));
}

#[test]
fn functions_without_end_end() {
    let forever = "function f input Real x; output Real y; algorithm y := x; while y < 10 loop y := y - 1; end while; end f;";
    assert_eq!(
        scalars(forever, &[1.0]),
        Err("it takes too many steps, in `f`".into())
    );
    let deep = "function f input Real x; output Real y; algorithm y := f(x + 1); end f;";
    let error = scalars(deep, &[1.0]).unwrap_err();
    assert!(
        error.starts_with("its calls are nested too deep, in `f` called by `f`"),
        "{error}"
    );
    let large = "function f input Real x; output Real y; protected Real a[integer(x)] = zeros(integer(x)); algorithm y := sum(a); end f;";
    assert_eq!(scalars(large, &[1e3]), Ok(0.0));
    assert_eq!(
        scalars(large, &[1e9]),
        Err("its arrays take too much memory, in `f`".into())
    );
}

#[test]
fn derivatives_of_any_order() {
    let text = "function f input Real x; input Real n; output Real y; algorithm
        y := 1; for i in 1:integer(n) loop y := y * sin(x) ; end for; y := y + exp(2*x); end f;";
    let runtime = runtime(text, "Real y = f(time, time);");
    let site = Site::new(
        &runtime.library,
        "f",
        &[scalar(), scalar()],
        &[Shape::SCALAR],
    )
    .unwrap();
    let x = 0.7_f64;
    let value = x.sin().powi(3) + (2.0 * x).exp();
    let first = 3.0 * x.sin().powi(2) * x.cos() + 2.0 * (2.0 * x).exp();
    let second = 6.0 * x.sin() * x.cos().powi(2) - 3.0 * x.sin().powi(3) + 4.0 * (2.0 * x).exp();
    let mut machines = Machines::default();
    let mut out = [0.0; 4];
    // Values, first derivatives, then the derivatives of both.
    let args = [x, 3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    machines.call(&runtime, &site, 2, &args, &mut out).unwrap();
    for (found, wanted) in out.iter().zip([value, first, first, second]) {
        assert!((found - wanted).abs() < 1e-12, "{out:?}");
    }
    let mut out = [0.0; 1 + LANES];
    let mut args = vec![x, 3.0];
    for lane in 0..LANES {
        args.extend([lane as f64, 0.0]);
    }
    machines
        .tangents(&runtime, &site, 0, &args, &mut out)
        .unwrap();
    for lane in 0..LANES {
        assert!((out[1 + lane] - lane as f64 * first).abs() < 1e-12);
    }
}

#[test]
fn several_outputs_defaults_and_enumerations() {
    let text = "type E = enumeration(a, b, c);
        function g input Real x; input Real y = 2*x; output Real p; output E e; output Boolean b; algorithm
          p := x + y; e := if p > 5 then E.c else E.b; b := p > 5 and not p > 7; end g;
        function f input Real x; output Real y; protected E e; Boolean b; Real t[E]; algorithm
          (y, e, b) := g(x);
          for k in E loop t[k] := Integer(k); end for;
          y := y + 10*t[e] + (if b then 100 else 0);
        end f;";
    assert_eq!(scalars(text, &[2.0]), Ok(6.0 + 30.0 + 100.0));
    assert_eq!(scalars(text, &[1.0]), Ok(3.0 + 20.0));
}

#[test]
fn assertions_carry_their_message() {
    let text = "function f input Real x; output Real y; algorithm
        assert(x > 0, \"x is \" + String(x)); assert(x > 1, \"small\", AssertionLevel.warning); y := x; end f;";
    assert_eq!(scalars(text, &[0.5]), Ok(0.5));
    assert_eq!(scalars(text, &[-1.0]), Err("x is -1, in `f`".into()));
}
