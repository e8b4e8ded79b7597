//! run: simulate --format json --class SolverMethods.Explicit --stop-time 0.35
//! json: /completed == true
//! approx: /final/x == 0.54 +- 1e-9
//! approx: /final/rate == -0.78 +- 1e-9
//! run: simulate --format json --class SolverMethods.Midpoint --stop-time 0.35
//! json: /completed == true
//! approx: /final/x == 0.58921 +- 1e-9
//! approx: /final/rate == -0.87842 +- 1e-9
//! run: simulate --format json --class SolverMethods.RungeKutta --stop-time 0.35
//! json: /completed == true
//! approx: /final/x == 0.5860210311262963 +- 1e-9
//! approx: /final/rate == -0.8720420622525926 +- 1e-9
//! run: simulate --format json --class SolverMethods.Implicit --stop-time 0.35
//! json: /completed == true
//! approx: /final/x == 0.6233796296296297 +- 1e-9
//! approx: /final/rate == -0.9467592592592593 +- 1e-9
//! run: simulate --format json --class SolverMethods.Trapezoid --stop-time 0.35
//! json: /completed == true
//! approx: /final/x == 0.5846356123215626 +- 1e-9
//! approx: /final/rate == -0.8692712246431251 +- 1e-9
// Three steps of 0.1 of der(x) = -2 x + u with u = t, by each method, computed by hand.
package SolverMethods
  model Decay
    parameter String method = "ExplicitEuler";
    Clock c = Clock(Clock(1, 10), method);
    Real x(start = 1), u, rate;
  equation
    u = sample(time, c);
    der(x) = -2*x + u;
    rate = der(x);
  end Decay;
  model Explicit = Decay(method = "ExplicitEuler");
  model Midpoint = Decay(method = "ExplicitMidPoint2");
  model RungeKutta = Decay(method = "ExplicitRungeKutta4");
  model Implicit = Decay(method = "ImplicitEuler");
  model Trapezoid = Decay(method = "ImplicitTrapezoid");
end SolverMethods;
