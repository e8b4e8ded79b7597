//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 4
//! json: /classes/0/count == 2
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 3
//! json: /classes/1/count == 2
//! json: /classes/0/when == "g1 and not g2 or not g1 and g2"
//! code: MS4004
//! run: check
//! code: MS4004
//! snapshot
// RR-9334 (195): the diodes decide by the left limit. Index 1 where both pass or both block.
model RLDC2Pre
  parameter Real R1 = 10;
  parameter Real R2 = 15;
  parameter Real L1 = 1;
  parameter Real L2 = 1.5;
  parameter Real C1 = 0.1;
  parameter Real C2 = 0.15;
  Real i1;
  Real i2;
  Real j1(start = 2, fixed = true);
  Real j2(start = 1, fixed = true);
  Real u1;
  Real u2;
  Real v1(start = 0.5, fixed = true);
  Real v2(start = 1, fixed = true);
  Real w1;
  Real w2;
  Real x1;
  Real x2;
  Real s1;
  Real s2;
  Boolean g1(start = false), reached1(start = true, fixed = true);
  Boolean g2(start = false), reached2(start = true, fixed = true);
equation
  0 = j1 + i1 + i2 + j2;
  x1 + w1 = u1 + v1;
  u1 + v1 = u2 + v2;
  u2 + v2 = x2 + w2;
  x1 = R1*j1;
  x2 = R2*j2;
  w1 = L1*der(j1);
  w2 = L2*der(j2);
  i1 = C1*der(v1);
  i2 = C2*der(v2);
  s1 = if g1 then i1 else -u1;
  s2 = if g2 then i2 else -u2;
  0 = if g1 then u1 else i1;
  0 = if g2 then u2 else i2;
  reached1 = s1 >= 0; g1 = pre(reached1);
  reached2 = s2 >= 0; g2 = pre(reached2);
end RLDC2Pre;
