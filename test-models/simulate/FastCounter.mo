//! run: simulate --format json --method bdf
//! json: /completed == true
//! json: /final/m == 148
//! json: /events len 147
//! run: simulate --format json --method radau5
//! json: /final/m == 148
//! json: /events len 147
//! run: simulate --format json
//! json: /final/m == 148
//! json: /events len 147
// exp(5) is 148.4, so the counter has 147 events. After each of them the value has just passed a threshold, and must not fall
// back behind it where it is interpolated: then there would be events that count down again.
model FastCounter
  Real x(start = 1, fixed = true);
  Integer m = integer(x);
equation
  der(x) = 100*x;
  annotation(experiment(StopTime = 0.05));
end FastCounter;
