//! run: modes --format json
//! json: /loops/0/status != "unique"
//! json: /loops/0/status != "undecided"
// The same with a matrix that is none: at q = (-1, -1) three valuations fit.
model ComplementaritySeveral
  parameter Real M[2, 2] = {{1, 2}, {2, 1}};
  input Real q1, q2;
  Real s1, s2, z1, z2, w1, w2;
equation
  z1 = if s1 > 0 then s1 else 0;
  w1 = if s1 > 0 then 0 else -s1;
  z2 = if s2 > 0 then s2 else 0;
  w2 = if s2 > 0 then 0 else -s2;
  w1 = M[1, 1]*z1 + M[1, 2]*z2 + q1;
  w2 = M[2, 1]*z1 + M[2, 2]*z2 + q2;
end ComplementaritySeveral;
