//! run: parse
model Elements
  import A.B;
  import C = A.B.C;
  import A.*;
  import A.B.{D, E} "two" annotation(x = 1);
  extends A.B.Base;
  extends .Global(a = 1);
  Real a, b[2], c(start = 1) = 2 "c", d[:, size(x, 1)](each fixed = true) if n > 0 "conditional" annotation(Dialog(group = "g"));
  Real[3, 2] m = zeros(3, 2);
  .Modelica.Units.SI.Angle phi;
  parameter Integer n(min = 0, max = 10) = 3;
  constant Boolean on = true;
  discrete input Real u;
  final parameter Real p = 1;
  inner outer World world;
  redeclare final inner outer replaceable parameter Real all = 1 constrainedby Real(min = 0) "limits";
  flow output Real q;
  A.B sub(x.y(z = 1), final w = 2 "why", each v = 3,
    redeclare model M = A.N(k = 1) "n", redeclare each final replaceable package Medium = Water constrainedby Fluid,
    replaceable Real r = 1, redeclare parameter Integer i[2](start = {1, 2}) = 5 "five", t = break);
  Real 'quoted name', 'with \' quote', '+';
  String s = "escapes: \" \\ \n \t \' \? \a \b \f \r \v, and
a line";
public
  Real visible;
protected
  Real hidden;
  model Local
    Real x;
  end Local;
public
  Real again;
initial equation
  a = 1;
initial algorithm
  b := {1, 2};
equation
  a = b[1];
algorithm
  hidden := 1;
equation
  q = 1;
  annotation(Icon(graphics = {Line(points = {{-100, 0}, {100, 0}}, color = {0, 0, 255})}));
end Elements;
