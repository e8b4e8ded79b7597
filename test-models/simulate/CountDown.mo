//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/n == 5 +- 1e-12
//! approx: /initial/several == 1 +- 1e-12
//! approx: /final/n == 1 +- 1e-12
//! approx: /final/several == 0 +- 1e-12
// An Integer that is compared starts at its start value.
model CountDown
  Integer n(start = 5, fixed = true);
  Boolean several;
equation
  several = n > 2;
  when time > 0.5 then
    n = pre(n) - 4;
  end when;
  annotation(experiment(StopTime = 1));
end CountDown;
