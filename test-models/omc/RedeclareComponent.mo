//! run: flatten --class RedeclareComponent
// Replaceable components: redeclared with constrainedby, in a declaration and in an extends clause.
partial model Controller
  input Real e;
  output Real y;
  parameter Real limit = 10;
end Controller;

model P
  extends Controller;
  parameter Real k = 1;
equation
  y = k*e;
end P;

model Saturated
  extends Controller;
  parameter Real k = 2;
equation
  y = max(-limit, min(limit, k*e));
end Saturated;

model PI
  extends Controller;
  parameter Real k = 1, Ti = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = e/Ti;
  y = k*(e + x);
end PI;

model Loop
  replaceable P ctrl(k = 3) constrainedby Controller(limit = 5);
  parameter Real ref = 1;
  Real x(start = 0, fixed = true);
equation
  ctrl.e = ref - x;
  der(x) = ctrl.y - x;
end Loop;

model PILoop
  extends Loop(redeclare PI ctrl(Ti = 0.2), ref = 2);
end PILoop;

model RedeclareComponent
  Loop standard;
  Loop saturated(redeclare Saturated ctrl(k = 9));
  PILoop pi(ctrl(k = 4));
  PILoop twice(redeclare replaceable Saturated ctrl);
end RedeclareComponent;
