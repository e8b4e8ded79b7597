//! run: check --deny warnings
//! stdout: no errors
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/n == 7 +- 1e-12
// One event, two iterations: `armed` becomes true and assigns `n`, then its left limit does, and assigns it again. The last
// assignment counts; they do not contradict each other.
model TwoAssignmentsInOneEvent
  Integer n(start = 0, fixed = true);
  Boolean armed(start = false, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.5 then 1 else n;
  armed = x > 0.25;
  when edge(armed) then
    n = 5;
  elsewhen pre(armed) then
    n = 7;
  end when;
end TwoAssignmentsInOneEvent;
