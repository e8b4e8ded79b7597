//- /Refactoring.mo
connector Pin Real v; flow Real i; end Pin;
model Part Pin p; equation p.v = 0; end Part;
model Refactoring
  parameter Real limit = 1;
  Integer n = 2;
  Real x(start = 0, fixed = true);
  Real y;
  Boolean on;
  Part a;
  Part b;
equation
  der(x) = $0(x + y)$1 * 2;
  y = if $2x > limit$3 then 1 else $4n + 1$5;
  on = pr$6e(x) > limit;
  connect(a$7.p, b.p);
end Refactoring;
//? actions $0 $1
//? actions $2 $3
//? actions $4 $5
//? actions $6 $6
//? actions $7 $7
