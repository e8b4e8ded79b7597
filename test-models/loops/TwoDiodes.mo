//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "unique"
//! run: check --deny fixpoints
// Two diodes feed the node of a current source: resistive in both directions, so one state of the diodes fits.
model TwoDiodes
  parameter Real Ron = 1e-5, Goff = 1e-5;
  input Real u1, u2, i;
  Real v, s1, s2, i1, i2;
  Boolean off1 = s1 < 0, off2 = s2 < 0;
equation
  u1 - v = s1*(if off1 then 1 else Ron);
  i1 = s1*(if off1 then Goff else 1);
  u2 - v = s2*(if off2 then 1 else Ron);
  i2 = s2*(if off2 then Goff else 1);
  i1 + i2 = i;
end TwoDiodes;
