//! run: modes --format json
//! json: /loops/0/status == "unique"
// w = M z + q with w, z >= 0 and w z = 0, where M is a P-matrix.
model Complementarity
  parameter Real M[2, 2] = {{2, 1}, {1, 2}};
  input Real q1, q2;
  Real s1, s2, z1, z2, w1, w2;
equation
  z1 = if s1 > 0 then s1 else 0;
  w1 = if s1 > 0 then 0 else -s1;
  z2 = if s2 > 0 then s2 else 0;
  w2 = if s2 > 0 then 0 else -s2;
  w1 = M[1, 1]*z1 + M[1, 2]*z2 + q1;
  w2 = M[2, 1]*z1 + M[2, 2]*z2 + q2;
end Complementarity;
