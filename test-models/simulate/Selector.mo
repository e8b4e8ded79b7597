//! run: simulate --format json
//! json: /completed == true
//! json: /final/n == 3.0
//! approx: /final/x == 4.5 +- 1e-9
//! approx: /final/y == 9 +- 1e-9
// Elements of an array and of a matrix, by an index that changes.
model Selector
  parameter Real slope[3] = {1, 1.5, 2};
  parameter Real both[2, 3] = {{1, 2, 3}, {2, 3, 4}};
  discrete Real n(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
  der(x) = slope[integer(n)];
  der(y) = both[2, integer(n)];
  annotation(experiment(StopTime = 2.999999999999));
end Selector;
