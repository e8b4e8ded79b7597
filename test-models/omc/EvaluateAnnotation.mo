//! run: flatten --class EvaluateAnnotation
// annotation Evaluate: true, false, absent; structural parameters; final parameters; what is printed as constant.
model EvaluateAnnotation
  parameter Real a = 2 annotation(Evaluate = true);
  parameter Real b = 3 annotation(Evaluate = false);
  parameter Real c = 4;
  final parameter Real d = 5;
  parameter Integer n = 2 "a size";
  parameter Boolean use = true "a condition of a component";
  parameter Boolean choose = false "a condition of an if-equation";
  parameter Boolean test = false "a condition of an if-expression";
  parameter Integer m = n + 1 annotation(Evaluate = true);
  parameter Real e = a*b*c*d;
  constant Real k = 6;
  Real x[n] = {a, b}*time;
  Real y = (a + b + c + d + k)*time;
  Real extra = a if use;
  Real z = if test then 1 else time;
  Real w[m] = fill(time, m);
  Real u;
equation
  if choose then
    u = 1;
  else
    u = time;
  end if;
end EvaluateAnnotation;
