//! run: simulate --stop-time 2 --format json
//! json: /completed == true
//! approx: /initial/between == 300 +- 1e-9
//! approx: /final/between == 280 +- 1e-9
//! approx: /final/H == -280 +- 1e-9
// Between two volumes flows a fluid that comes to rest at 1 s and turns back: the connection has the enthalpy of where the
// fluid comes from, and one at rest, too.
model ZeroFlow
  Real m = if time < 1 then 1 - time else if time < 1.5 then 0 else -1;
  Real back = -m;
  Real H, H2, between;
  Real left = 300, right = 280;
equation
  H = semiLinear(m, left, between);
  H2 = semiLinear(back, right, between);
  H + H2 = 0;
end ZeroFlow;
