//! exit: 1
//! code: MS4001
//! snapshot
//! mend: 15:   R = R20*(1 + alpha*(T - 293)); i = u/R;
model ResistanceWithoutLaw
  parameter Real R20 = 10;
  parameter Real alpha = 0.004;
  parameter Real C = 5;
  Real T(start = 293, fixed = true);
  Real u = 12;
  Real R;
  Real i;
  Real P;
equation
  i = u/R;
  P = u*i;
  C*der(T) = P - 0.1*(T - 293);
end ResistanceWithoutLaw;
