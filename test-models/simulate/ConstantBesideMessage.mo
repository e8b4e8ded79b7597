//! run: simulate --format json
//! json: /completed == true
//! approx: /final/v == 6 +- 1e-9
//! approx: /final/x == 6 +- 1e-6
//! stdout: x is 1 with 6
// What equations show to be constant (`k = 2`, so `v = 6`) is computed once. Messages of assertions and the ends of
// `spatialDistribution` are made of the same expressions, and must still be found.
model ConstantBesideMessage
  Real k, v, x(start = 0, fixed = true), out;
equation
  k - 2 = 0;
  v = 3*k;
  der(x) = v;
  (, out) = spatialDistribution(x, 0, time, true, {0, 1}, {0, 0});
  assert(x < 1, "x is " + String(integer(x + 0.5)) + " with " + String(v), AssertionLevel.warning);
  annotation(experiment(StopTime = 1));
end ConstantBesideMessage;
