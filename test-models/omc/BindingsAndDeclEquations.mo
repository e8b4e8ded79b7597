//! run: flatten --class BindingsAndDeclEquations
// Bindings: of inputs, of records, of arrays, of outputs; dependent parameters in any order; declaration equations.
block Line
  input Real u;
  parameter Real p[2] = {a, b};
  parameter Real a = 2*b;
  parameter Real b = 1;
  output Real y = p[1]*u + p[2];
end Line;

model BindingsAndDeclEquations
  Line l1(u = time);
  Line l2(u = l1.y, p = {5, 6});
  Line l3(u = l2.y, b = l1.a + 1);
  parameter Real chain = middle + 1;
  parameter Real middle = last*2;
  parameter Real last = 10;
  Real v[3] = {l1.y, l2.y, l3.y};
  Real s(start = last) = sum(v);
end BindingsAndDeclEquations;
