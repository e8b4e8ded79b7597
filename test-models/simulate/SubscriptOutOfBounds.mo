//! run: simulate --format json
//! exit: 1
//! code: MS6009
//! approx: /time == 0.5 +- 1e-9
//! run: simulate
//! exit: 1
//! code: MS6009
//! stderr: a subscript is 4 here, and not between 1 and 3
// Outside its bounds an array has no value: the run ends where the counter passes the last element.
model SubscriptOutOfBounds
  parameter Real a[3] = {1, 2, 4};
  Integer n(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(0.1, 0.2) then
    n = pre(n) + 1;
  end when;
  der(x) = a[n];
end SubscriptOutOfBounds;
