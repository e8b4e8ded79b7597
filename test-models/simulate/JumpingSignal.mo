//! run: simulate --class JumpingSignal.Shown --format json
//! json: /completed == true
//! approx: /final/d == 2 +- 1e-9
//! approx: /final/y == 5 +- 1e-9
//! run: simulate --class JumpingSignal.Integrated --format json
//! json: /completed == true
//! approx: /final/x == 5 +- 1e-6
// A signal jumps, and its derivative is shown only: the impulse of the derivative moves nothing. What is integrated from the
// derivative jumps with the signal.
package JumpingSignal
  function signal
    input Real t;
    input Boolean late;
    output Real y;
  algorithm
    y := if late then 2*t + 1 else t;
    annotation(Inline = false, derivative(noDerivative = late) = slope);
  end signal;

  function slope
    input Real t;
    input Boolean late;
    input Real dt;
    output Real dy;
  algorithm
    dy := if late then 2*dt else dt;
  end slope;

  model Shown
    Real y = signal(time, time >= 1);
    Real d = der(y);
    annotation(experiment(StopTime = 2));
  end Shown;

  model Integrated
    Real y = if time >= 1 then 2*time + 1 else time;
    Real d = der(y);
    Real x(start = 0, fixed = true);
  equation
    der(x) = d;
    annotation(experiment(StopTime = 2));
  end Integrated;
end JumpingSignal;
