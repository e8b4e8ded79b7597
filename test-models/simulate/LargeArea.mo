//! run: simulate --format json
//! json: /completed == true
//! approx: /final/dp == 4 +- 1e-6
//! approx: /final/m == -2 +- 1e-6
// A vessel is described by a huge area: its forces are 1e120 times as large as anything else. There is a solution for each
// direction of the flow `m`; its start value says which one is meant.
model LargeArea
  parameter Real A = 1e120;
  Real m(start = -1);
  Real f, g, p, dp, q;
equation
  f + g = 0;
  f = A*(p - 9);
  g = A*dp;
  dp = (if m > 0 then 2*m^2 else m^2);
  p = 5 + 0.001*(q^3 + q);
  q = m + 2 + 0.1*(q^3 + dp - 4);
end LargeArea;
