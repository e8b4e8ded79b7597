//! run: simulate
//! exit: 1
//! code: MS6008 line 12
//! stderr: a subscript is 4 here, and not between 1 and 3
//! run: simulate --stop-time 2.5 --format json
//! approx: /final/x == 7 +- 1e-6
// The element goes through a variable of its own before it is integrated: the run ends at 3, where it is not there. Until
// 2.5 there are 1, 2 and 3 for 1, 1 and 0.5, twice, with 0 added: x = 2*(1 + 2 + 1.5) - 2.
model SubscriptThroughNumber
  parameter Real a[3] = {1, 2, 3};
  Integer n(start = 1, fixed = true);
  Real y;
  Real x(start = -2, fixed = true);
equation
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
  der(x) = 2*y;
  y = a[n];
  annotation(experiment(StopTime = 5));
end SubscriptThroughNumber;
