//! A Runge–Kutta loop in a Modelica function beside the same in Rust.
//!
//! `cargo bench -p modeshift-driver --bench functions` prints both times and their ratio.

use modeshift_code::{Argument, Machines, Runtime, Shape, Site};
use modeshift_driver::{MemorySystem, Session, Settings};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const STEPS: u32 = 10_000_000;

const MODEL: &str = "
function slope
  input Real t; input Real x; input Real v; output Real a;
algorithm
  a := -x - 0.1*v*v*v + 0.5*t/(1 + t*t);
end slope;
function rk4
  input Real x0; input Integer n; output Real x;
protected
  Real h = 1.0/n; Real t; Real v;
  Real k1x; Real k1v; Real k2x; Real k2v; Real k3x; Real k3v; Real k4x; Real k4v;
algorithm
  x := x0; v := 0; t := 0;
  for i in 1:n loop
    k1x := v; k1v := slope(t, x, v);
    k2x := v + h/2*k1v; k2v := slope(t + h/2, x + h/2*k1x, k2x);
    k3x := v + h/2*k2v; k3v := slope(t + h/2, x + h/2*k2x, k3x);
    k4x := v + h*k3v; k4v := slope(t + h, x + h*k3x, k4x);
    x := x + h/6*(k1x + 2*k2x + 2*k3x + k4x);
    v := v + h/6*(k1v + 2*k2v + 2*k3v + k4v);
    t := t + h;
  end for;
end rk4;
model M
  Real y = rk4(time, 10);
end M;
";

fn slope(t: f64, x: f64, v: f64) -> f64 {
    -x - 0.1 * v * v * v + 0.5 * t / (1.0 + t * t)
}

fn rk4(x0: f64, n: u32) -> f64 {
    let h = 1.0 / f64::from(n);
    let (mut x, mut v, mut t) = (x0, 0.0, 0.0);
    for _ in 0..n {
        let (k1x, k1v) = (v, slope(t, x, v));
        let k2x = v + h / 2.0 * k1v;
        let k2v = slope(t + h / 2.0, x + h / 2.0 * k1x, k2x);
        let k3x = v + h / 2.0 * k2v;
        let k3v = slope(t + h / 2.0, x + h / 2.0 * k2x, k3x);
        let k4x = v + h * k3v;
        let k4v = slope(t + h, x + h * k3x, k4x);
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
        t += h;
    }
    x
}

fn main() {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/a.mo", MODEL);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("a.mo");
    let class = session.default_class().expect("a class");
    let runtime = Runtime::new(&session.flat(class).model.functions);
    let scalar = || Argument::Value(Shape::SCALAR);
    let site = Site::new(
        &runtime.library,
        "rk4",
        &[scalar(), scalar()],
        &[Shape::SCALAR],
    );
    let site = site.expect("it can be called");
    let mut machines = Machines::default();
    for _ in 0..3 {
        let start = Instant::now();
        let mut out = [0.0];
        let args = [1.0, f64::from(STEPS)];
        machines
            .call(&runtime, &site, 0, &args, &mut out)
            .expect("it ends");
        let ours = start.elapsed();
        let start = Instant::now();
        let theirs = rk4(black_box(1.0), black_box(STEPS));
        let rust = start.elapsed();
        assert_eq!(out[0].to_bits(), theirs.to_bits());
        let ratio = ours.as_secs_f64() / rust.as_secs_f64();
        println!("Modelica {ours:?}, Rust {rust:?}, ratio {ratio:.2}");
    }
}
