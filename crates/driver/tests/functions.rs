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
        error.starts_with("its calls are nested too deeply, in `f` called by `f`"),
        "{error}"
    );
    let large = "function f input Real x; output Real y; protected Real a[integer(x)] = zeros(integer(x)); algorithm y := sum(a); end f;";
    assert_eq!(scalars(large, &[1e3]), Ok(0.0));
    assert_eq!(
        scalars(large, &[1e9]),
        Err("its arrays or strings take too much memory, in `f`".into())
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
        .tangents(&runtime, &site, (0, 0), &args, &mut out)
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

// ---- external functions ----

const TABLES: &str = "class Tab extends ExternalObject;
    function constructor
      input String tableName; input String fileName; input Real table[:, :]; input Integer columns[:];
      input Integer smoothness; input Integer extrapolation;
      output Tab tab;
      external \"C\" tab = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table, size(table, 1),
        size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false, \",\", 0);
    end constructor;
    function destructor input Tab tab; external \"C\" ModelicaStandardTables_CombiTable1D_close(tab); end destructor;
    end Tab;
    function make
      input Real table[:, :]; input Integer columns[:]; input Integer smoothness; input Integer extrapolation; output Tab tab;
      external \"C\" tab = ModelicaStandardTables_CombiTable1D_init3(\"NoName\", \"NoName\", table, size(table, 1),
        size(table, 2), columns, 1, smoothness, extrapolation, false, \",\", 0);
    end make;
    function get input Tab tab; input Real u; output Real y;
      external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(tab, 1, u); end get;
    function f input Real u; input Real smoothness; input Real extrapolation; output Real y;
    protected Tab tab = make([0, 0; 1, 1; 2, 4; 4, 2], {2}, integer(smoothness), integer(extrapolation));
    algorithm y := get(tab, u); end f;";

fn table(u: f64, smoothness: f64, extrapolation: f64) -> Result<f64, String> {
    scalars(TABLES, &[u, smoothness, extrapolation])
}

#[track_caller]
fn near(found: Result<f64, String>, wanted: f64) {
    let found = found.expect("a value");
    assert!(
        (found - wanted).abs() < 1e-12,
        "{found} instead of {wanted}"
    );
}

#[test]
fn tables_interpolate_by_their_definition() {
    // Linear segments and what comes outside: held, continued, repeated, refused.
    near(table(1.5, 1.0, 1.0), 2.5);
    near(table(-1.0, 1.0, 1.0), 0.0);
    near(table(5.0, 1.0, 1.0), 2.0);
    near(table(-1.0, 1.0, 2.0), -1.0);
    near(table(5.0, 1.0, 2.0), 1.0);
    near(table(5.5, 1.0, 3.0), 2.5);
    near(table(-2.5, 1.0, 3.0), 2.5);
    assert!(
        table(5.0, 1.0, 4.0)
            .unwrap_err()
            .contains("extrapolation is not allowed")
    );
    // Constant segments.
    near(table(1.99, 3.0, 1.0), 1.0);
    near(table(2.0, 3.0, 1.0), 4.0);
    near(table(9.0, 3.0, 1.0), 2.0);
    // Hermite's cubics with slopes by each method: secants are 1, 3, -1.
    let hermite = |y0: f64, y1: f64, s0: f64, s1: f64, h: f64, t: f64| {
        let (a, b) = ((1.0 + 2.0 * t) * (1.0 - t).powi(2), t * (1.0 - t).powi(2));
        let (c, d) = (t * t * (3.0 - 2.0 * t), t * t * (t - 1.0));
        a * y0 + b * h * s0 + c * y1 + d * h * s1
    };
    // Akima: secants continued to -3, -1, 1, 3, -1, -5, -9; the slope at 1 by weights |-1-3| and |1--1|.
    let at_one = (4.0 * 1.0 + 2.0 * 3.0) / 6.0;
    let at_two = (4.0 * 3.0 + -2.0) / 6.0;
    near(
        table(1.3, 2.0, 1.0),
        hermite(1.0, 4.0, at_one, at_two, 1.0, 0.3),
    );
    // Fritsch and Butland: a harmonic mean; zero at the summit.
    let at_one = 3.0 * 2.0 / (3.0 / 1.0 + 3.0 / 3.0);
    near(
        table(1.3, 4.0, 1.0),
        hermite(1.0, 4.0, at_one, 0.0, 1.0, 0.3),
    );
    near(
        table(0.5, 4.0, 1.0),
        hermite(0.0, 1.0, 1.0, at_one, 1.0, 0.5),
    );
    // Steffen: twice the smallest of both secants and half the parabola's slope.
    near(table(1.3, 5.0, 1.0), hermite(1.0, 4.0, 2.0, 0.0, 1.0, 0.3));
    // Modified Akima: weights grow with the slopes themselves.
    let (left, right) = (2.0 + 0.0, 4.0 + 1.0);
    let at_one = (right * 1.0 + left * 3.0) / (left + right);
    let (left, right) = (2.0 + 2.0, 4.0 + 3.0);
    let at_two = (right * 3.0 + -left) / (left + right);
    near(
        table(1.3, 6.0, 1.0),
        hermite(1.0, 4.0, at_one, at_two, 1.0, 0.3),
    );
}

#[test]
fn derivatives_go_through_tables() {
    let runtime = runtime(TABLES, "Real y = f(time, 2, 1);");
    let site = Site::new(&runtime.library, "f", &vec![scalar(); 3], &[Shape::SCALAR]).unwrap();
    let mut machines = Machines::default();
    let mut at = |u: f64| {
        let mut out = [0.0; 2];
        let args = [u, 2.0, 1.0, 1.0, 0.0, 0.0];
        machines.call(&runtime, &site, 1, &args, &mut out).unwrap();
        out
    };
    for u in [0.2, 1.4, 3.3] {
        let quotient = (at(u + 1e-6)[0] - at(u - 1e-6)[0]) / 2e-6;
        assert!((at(u)[1] - quotient).abs() < 1e-6);
    }
    assert_eq!(at(7.0)[1], 0.0);
}

#[test]
fn random_numbers_follow_the_published_generators() {
    let text = "function next input Integer s[2]; output Integer t[2]; output Real y;
          external \"C\" ModelicaRandom_xorshift64star(s, t, y); end next;
        function f input Real a; output Real y; protected Integer s[2] = {integer(a), 0}; algorithm
          for i in 1:3 loop (s, y) := next(s); end for; end f;";
    let mut x: u64 = 12_345;
    for _ in 0..3 {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x = x.wrapping_mul(2_685_821_657_736_338_717);
    }
    let wanted = (x as i64) as f64 / 18_446_744_073_709_551_616.0 + 0.5;
    assert_eq!(scalars(text, &[12_345.0]), Ok(wanted));
    let text = "function next input Integer s[4]; output Integer t[4]; output Real y;
          external \"C\" ModelicaRandom_xorshift128plus(s, t, y); end next;
        function f input Real a; output Real y; protected Integer s[4] = {integer(a), 1, 2, 3}; algorithm
          for i in 1:2 loop (s, y) := next(s); end for; end f;";
    let (mut a, mut b) = (7 | 1 << 32, 2_u64 | 3 << 32);
    for _ in 0..2 {
        let mut x = a;
        a = b;
        x ^= x << 23;
        b = (x ^ b ^ (x >> 17) ^ (b >> 26)).wrapping_add(b);
    }
    let wanted = (b as i64) as f64 / 18_446_744_073_709_551_616.0 + 0.5;
    assert_eq!(scalars(text, &[7.0]), Ok(wanted));
}

#[test]
fn systems_of_linear_equations_are_solved_and_differentiated() {
    let text = "function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b;
          output Integer info; protected Real W[size(A,1), size(A,1)] = A; Integer p[size(A, 1)];
          external \"FORTRAN 77\" dgesv(size(A, 1), 1, W, size(A, 1), p, x, size(A, 1), info); end solve;
        function f input Real a; output Real y; protected Real x[2]; Integer info; algorithm
          (x, info) := solve([a, 1; 1, 3], {1, 2}); assert(info == 0, \"singular\"); y := x[1]; end f;";
    // x[1] = (3 - 2) / (3 a - 1)
    near(scalars(text, &[2.0]), 0.2);
    assert_eq!(scalars(text, &[1.0 / 3.0]), Err("singular, in `f`".into()));
    let runtime = runtime(text, "Real y = f(time);");
    let site = Site::new(&runtime.library, "f", &[scalar()], &[Shape::SCALAR]).unwrap();
    let mut out = [0.0; 2];
    Machines::default()
        .call(&runtime, &site, 1, &[2.0, 1.0], &mut out)
        .unwrap();
    assert!((out[1] + 3.0 / 25.0).abs() < 1e-12);
}

#[test]
fn eigenvalues_and_singular_values() {
    let text = "function ev input Real A[:, size(A, 1)]; output Real re[size(A, 1)]; output Real im[size(A, 1)];
          protected Integer n = size(A, 1); Integer info; Real W[n, n] = A; Real l[n, n]; Real v[n, n]; Real work[12*n];
          external \"FORTRAN 77\" dgeev(\"N\", \"N\", n, W, n, re, im, l, n, v, n, work, size(work, 1), info); end ev;
        function sv input Real A[:, :]; output Real s[min(size(A, 1), size(A, 2))];
          protected Integer m = size(A, 1); Integer n = size(A, 2); Integer info; Real W[m, n] = A; Real u[m, m]; Real vt[n, n];
          Real work[100];
          external \"FORTRAN 77\" dgesvd(\"N\", \"N\", m, n, W, m, s, u, m, vt, n, work, size(work, 1), info); end sv;
        function f input Real a; output Real y; protected Real re[3]; Real im[3]; Real s[2]; algorithm
          (re, im) := ev([0, 1, 0; 0, 0, 1; 4, -6, 4]);
          s := sv([3, 0; 4, 5]);
          y := 1000*sum(re) + 100*max(im) + s[1]*s[2] + a*(s[1]^2 + s[2]^2); end f;";
    // x^3 - 4 x^2 + 6 x - 4 = (x - 2)(x^2 - 2 x + 2); the product of the singular values is |det|.
    let found = scalars(text, &[1.0]).unwrap();
    assert!(
        (found - (4000.0 + 100.0 + 15.0 + 50.0)).abs() < 1e-8,
        "{found}"
    );
}

#[test]
fn files_outside_are_neither_read_nor_written() {
    let text = "function lines input String name; output Integer n;
          external \"C\" n = ModelicaInternal_countLines(name); end lines;
        impure function print input String text; input String file;
          external \"C\" ModelicaInternal_print(text, file); end print;
        function f input Real x; output Real y; algorithm
          if x > 0 then y := lines(\"/etc/passwd\"); else print(\"x\", \"/tmp/modeshift-test\"); y := 1; end if; end f;";
    let read = scalars(text, &[1.0]).unwrap_err();
    assert!(
        read.starts_with("`/etc/passwd` lies outside the model and its libraries"),
        "{read}"
    );
    let written = scalars(text, &[-1.0]).unwrap_err();
    assert!(
        written.contains("functions write files beside that of `--output` only"),
        "{written}"
    );
}

#[test]
fn modifiers_of_a_record_that_is_an_output_count() {
    let text = "record C Real re; Real im = 3; Real sum = re + im; end C;
        function make input Real re; input Real im; output C c(re = re, im = im + 1); algorithm end make;
        function f input Real x; output Real y; protected C d; C e[2](each im = 2*x); algorithm
          d.re := x; y := make(x, 10).re + 10*make(x, 20).im + 1000*d.im + 10000*sum(e.im); end f;";
    assert_eq!(scalars(text, &[2.0]), Ok(2.0 + 210.0 + 3000.0 + 80000.0));
}
