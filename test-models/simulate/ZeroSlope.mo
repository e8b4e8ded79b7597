//! run: simulate --class ZeroSlope.Square --format json
//! json: /completed == true
//! approx: /initial/rate == 0 +- 1e-6
//! approx: /final/rate == 1 +- 1e-9
//! run: simulate --class ZeroSlope.Corner --format json
//! json: /completed == true
//! approx: /final/rate == 0.5 +- 1e-9
//! run: simulate --class ZeroSlope.Small --format json
//! json: /completed == true
//! approx: /final/x == 1e-9 +- 1e-15
// One equation for one unknown whose slope vanishes at the solution, or jumps there, and one whose solution is small.
package ZeroSlope
  model Square "Pressure loss of a turbulent flow that starts from rest"
    Real rate(start = 1);
  equation
    rate*abs(rate) = time;
  end Square;

  model Corner
    Real rate(start = 1);
  equation
    2*abs(rate) + 0*sin(rate) = time;
  end Corner;

  model Small
    Real x(start = 0.001);
  equation
    sin(x) + 1e3*x^2 = sin(1e-9*time) + 1e3*(1e-9*time)^2;
  end Small;
end ZeroSlope;
