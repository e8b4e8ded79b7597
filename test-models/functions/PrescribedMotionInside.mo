//! run: simulate --class PrescribedMotionInside.Called --stop-time 1 --format json
//! json: /completed == true
//! approx: /final/w == 6 +- 1e-9
//! approx: /final/force == 20 +- 1e-9
//! run: simulate --class PrescribedMotionInside.Coupled --stop-time 1 --format json
//! json: /completed == true
//! approx: /final/phi == 0.8414709848 +- 1e-5
//! approx: /final/other.phi == 0.8414709848 +- 1e-5
//! approx: /final/tau == -1.6829419696 +- 1e-5
// An annotation that leaves out inputs counts along time alone: within functions that call such a function as well, and not
// for the derivatives by which equations are solved. `Coupled`: two inertias (1 and 2) that move as one, where the second one
// tells the first how it moves. Together they are a pendulum with the frequency 1 (spring 3) that starts with the speed 1:
// `phi = sin(time)`, and the torque between them is that of the second inertia, `tau = 2*der(w) = -2*sin(time)`; the
// spring is at the first one.
package PrescribedMotionInside
  function position
    input Real q[3];
    input Real t;
    output Real s = q[1];
  algorithm
    annotation(derivative(noDerivative = q) = speed, InlineAfterIndexReduction = true);
  end position;

  function speed
    input Real q[3];
    input Real t;
    input Real dt;
    output Real v = q[2];
  algorithm
    annotation(derivative(order = 2, noDerivative = q) = acceleration, InlineAfterIndexReduction = true);
  end speed;

  function acceleration
    input Real q[3];
    input Real t;
    input Real dt;
    input Real ddt;
    output Real a = q[3];
  algorithm
  end acceleration;

  function twice
    input Real q[3];
    input Real t;
    output Real s;
  algorithm
    s := 0;
    for i in 1:2 loop
      s := s + position(q, t);
    end for;
  end twice;

  model Called
    Real q[3] = {1, 3, if time >= 0 then 5 else 4};
    Real s = twice(q, time);
    Real w = der(s);
    Real force = 2*der(w);
  end Called;

  model Inertia
    Real phi;
    Real w = der(phi);
    Real a = der(w);
    parameter Real J = 1;
    Real tau;
  equation
    J*a = tau;
  end Inertia;

  model Coupled
    Inertia one(J = 1);
    Inertia other(J = 2, phi(start = 0, fixed = true), w(start = 1, fixed = true));
    Real tau;
    Real phi = one.phi;
  equation
    one.phi = position({other.phi, other.w, other.a}, time);
    one.tau = -3*one.phi - tau;
    other.tau = tau;
  end Coupled;
end PrescribedMotionInside;
