//! run: simulate --format json
//! json: /diagnostics len 0
//! approx: /final/w1 == 0.367879441 +- 1e-5
// What is said twice and agrees is no contradiction.
model FixedTwiceAlike
  Real w1(start = 1, fixed = true);
  Real w2(start = -1, fixed = true);
  Real w3;
initial equation
  w3 = 2;
equation
  der(w1) = -w1;
  w1 = -w2;
  w3 = w1 - w2;
end FixedTwiceAlike;
