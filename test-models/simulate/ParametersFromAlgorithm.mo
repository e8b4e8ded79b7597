//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/n == 4 +- 1e-5
//! approx: /final/x == 4 +- 1e-5
// An Integer and a Boolean parameter that an initial algorithm computes.
model ParametersFromAlgorithm
  parameter Integer n(fixed=false); parameter Boolean b(fixed=false);
  Real x(start=0, fixed=true);
initial algorithm
  n := 0;
  for i in 1:4 loop n := n + 1; end for;
  b := n > 3;
equation
  der(x) = if b then n else 0;
end ParametersFromAlgorithm;
