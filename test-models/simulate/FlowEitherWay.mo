//! run: simulate --format json
//! json: /completed == true
//! approx: /final/m == -2.0001008 +- 1e-6
// The square of the flow gives a root of each sign; the condition tells which one is meant.
model FlowEitherWay
  Real m, n, p;
equation
  p = (if m > 0 then 2*m^2 else -m^2);
  p = -4 - n^2*0.0001;
  n = m + 0.001*n^3;
end FlowEitherWay;
