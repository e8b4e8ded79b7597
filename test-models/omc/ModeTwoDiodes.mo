//! run: flatten --class ModeTwoDiodes
// Multimode: a resonant circuit with two ideal diodes in parametric form (s), each a complementarity written as if-equations.
model ModeTwoDiodes
  parameter Real R1 = 1, R2 = 2, L = 0.1, C1 = 0.01, C2 = 0.02;
  Real uC1(start = 1, fixed = true), uC2(start = -1, fixed = true), iL(start = 0, fixed = true);
  Real uD1, iD1, uD2, iD2, s1, s2, uL, iR;
  Boolean on1, on2;
equation
  on1 = s1 > 0;
  on2 = s2 > 0;
  if on1 then
    uD1 = 0;
    iD1 = s1;
  else
    uD1 = s1;
    iD1 = 0;
  end if;
  if on2 then
    uD2 = 0;
    iD2 = s2;
  else
    uD2 = s2;
    iD2 = 0;
  end if;
  C1*der(uC1) = -iD1 - uC1/R1 + sin(20*time);
  uD1 = uC1 - uL;
  iD1 = iL + iD2;
  uD2 = uL - uC2;
  C2*der(uC2) = iD2 - iR;
  iR = uC2/R2;
  L*der(iL) = uL;
end ModeTwoDiodes;
