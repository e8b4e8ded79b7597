//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/k == 4 +- 1e-5
//! approx: /final/x == 3 +- 1e-5
// A parameter that is not fixed makes the state rest: 12 = k*3.
model ParameterForRest
  parameter Real k(fixed=false, start=1);
  Real x(start=3, fixed=true);
initial equation
  der(x) = 0;
equation
  der(x) = 12 - k*x;
end ParameterForRest;
