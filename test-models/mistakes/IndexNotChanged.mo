//! run: check --deny warnings
//! exit: 1
//! code: MS4020 line 11
//! snapshot
//! mend: 12:   C*der(T2) = k*(T1 - T2) - 0.5*(T2 - 280);
// Wrong: a balance was copied, and its index is still that of the first one.
model IndexNotChanged
  parameter Real C = 100, k = 2;
  Real T1(start = 350), T2(start = 300);
equation
  C*der(T1) = k*(T2 - T1);
  C*der(T1) = k*(T1 - T2) - 0.5*(T2 - 280);
end IndexNotChanged;
