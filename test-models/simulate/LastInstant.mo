//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 1
//! approx: /final/x == 1 +- 1e-12
//! json: /final/der(x) == 3.0
//! run: simulate --method radau5 --format json
//! json: /final/der(x) == 3.0
//! run: simulate --method bdf --format json
//! json: /final/der(x) == 3.0
model LastInstant "An event one rounding before the end: 0.1 + 6*0.15 is not 1 in binary numbers"
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.1 + 6*0.15 then 1 else 3;
end LastInstant;
