//! run: simulate --start-time 1 --stop-time 2 --format json
//! json: /completed == true
//! approx: /final/x == 22 +- 1e-9
//! approx: /final/y == 4 +- 1e-9
// Parameters that calls of functions and initial equations determine.
function squares
  input Integer n;
  output Real y[n];
protected
  Real sum = 0;
algorithm
  for i in 1:n loop
    sum := sum + i^2;
    y[i] := sum;
  end for;
end squares;

model ComputedParameters
  parameter Real a[3] = squares(3);
  parameter Real t0(fixed = false);
  parameter Real twice(fixed = false);
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
initial equation
  t0 = time;
  twice/2 = 2*t0;
equation
  der(x) = (a[1] + a[2] + a[3])*(time - t0)*2 + 1;
  der(y) = twice;
  annotation(experiment(Tolerance = 1e-10));
end ComputedParameters;
