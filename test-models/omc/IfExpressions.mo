//! run: flatten --class IfExpressions
// if-expressions: nested, in bindings, in arrays, with parameter conditions, in start values and in function arguments.
model IfExpressions
  parameter Boolean fast = true;
  parameter Integer level = 2;
  parameter Real k = if fast then 10 elseif level > 1 then 5 else 1;
  constant Real c = if 1 < 2 then 3 else 4;
  Real x(start = if fast then 0 else 1, fixed = true);
  Real y = if x > 0.5 then 1 - x elseif x < -0.5 then -1 - x else 0;
  Real v[2] = if fast then {x, y} else {y, x};
  Real w[2] = if x > 0 then {1, 2} else {-1, -2};
  Boolean b = if level == 2 then x > 0 else false;
  Real z = sin(if b then x else -x) + (if time > 1 then c else 0);
equation
  der(x) = k*(1 - x);
end IfExpressions;
