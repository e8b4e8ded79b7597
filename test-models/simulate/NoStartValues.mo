//! run: simulate --format json
//! json: /completed == true
//! approx: /final/g == 0.25 +- 1e-12
//! approx: /final/x == 0.2928932188134524 +- 1e-9
// Solved from zero, where a reciprocal has no value and a distance no slope.
model NoStartValues
  Real r;
  Real g "1/4";
  Real x "1/(2 + sqrt(2))";
  Real y;
equation
  r = 3 + time;
  r = 1/g;
  sqrt(x^2 + y^2) + x + y = 1;
  y = x;
end NoStartValues;
