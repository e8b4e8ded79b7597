//! run: check --deny warnings
//! run: modes --format json
//! json: /loops/0/status == "unique"
// Between h = -1 and h = 0 nothing would fit, but h is declared to be positive.
model LevelWithMinimum
  Real h(start = 1, fixed = true, min = 0);
  Real q;
equation
  der(h) = -0.1*q;
  q = h + (if q >= 0 then 0 else 1);
end LevelWithMinimum;
