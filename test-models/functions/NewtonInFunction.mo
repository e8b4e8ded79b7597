//! run: simulate --class NewtonInFunction.Test --profile --format json
//! json: /completed == true
//! json: /profile/blocks/0/runs != 0
//! json: /profile/functions/0/runs != 0
//! run: simulate --class NewtonInFunction.Test --format json
//! json: /completed == true
//! approx: /final/y == 0.7390851332151607 +- 1e-9
//! approx: /final/z == 2 +- 1e-6
// A loop that runs until it converges; the function is differentiated through its steps: z follows
// der(fixpoint(k, t)) = 0 for the equation c = cos(c).
package NewtonInFunction
  function fixpoint "The solution of x = a*cos(x)"
    input Real a;
    output Real x;
  protected
    Real step;
    Integer n;
  algorithm
    x := 0.5;
    step := 1;
    n := 0;
    while abs(step) > 1e-14 loop
      step := (x - a*cos(x))/(1 + a*sin(x));
      x := x - step;
      n := n + 1;
      if n > 50 then
        assert(false, "no convergence after " + String(n) + " steps");
      end if;
    end while;
  end fixpoint;

  model Test
    Real y = fixpoint(1 + 0*time);
    Real z(start = 1);
  equation
    // The unknown stands inside the function: z solves fixpoint(z) = fixpoint(2).
    fixpoint(z) = fixpoint(2 + 0*time);
    annotation(experiment(StopTime = 0.1));
  end Test;
end NewtonInFunction;
