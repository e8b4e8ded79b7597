//! run: restart --from initial --format json
//! approx: /right/w1 == 8 +- 1e-9
//! approx: /right/w2 == 8 +- 1e-9
//! run: transitions --format json
//! json: /initialisation/verdict == "determined"
//! json: /initialisation/jumps len 2
//! json: /transitions len 0
model TwoInertias "Rigidly coupled from the start, with different start values"
  parameter Real j1 = 4;
  parameter Real j2 = 1;
  Real w1(start = 10);
  Real w2(start = 0);
  Real t1;
  Real t2;
equation
  j1*der(w1) = t1;
  j2*der(w2) = t2;
  t1 + t2 = 0;
  w1 = w2;
end TwoInertias;
