//! run: simulate
//! exit: 1
//! code: MS6008 line 12
//! stderr: a subscript is 4 here, and not between 1 and 3
//! run: simulate --stop-time 0.5 --format json
//! approx: /final/x == 0.9333333333 +- 1e-6
// An element that is not there cannot be assigned: the run ends when the counter passes the last one, instead of
// going on as if nothing had been assigned. Until 0.2 the first element is 5, and
// x(0.2) = 0.2*(5 - 1/3).
model AssignedBeyondBounds
  Integer n(start = 1, fixed = true);
  Real a[3];
  Real x(start = 0, fixed = true);
equation
  der(x) = a[1] - 1/3;
algorithm
  a := {1/3, 2, 3};
  a[n] := 5;
equation
  when sample(0.2, 0.2) then
    n = pre(n) + 1;
  end when;
end AssignedBeyondBounds;
