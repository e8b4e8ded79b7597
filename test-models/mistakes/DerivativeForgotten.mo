//! exit: 1
//! code: MS6002 line 8
//! snapshot
//! mend: 11:   Q*der(soc) = -i;
model DerivativeForgotten "Charge of a battery"
  parameter Real Q = 3600;
  parameter Real i = 0.5;
  Real soc(start = 1, fixed = true);
  Real u;
equation
  Q*soc = -i;
  u = 10 + 2*soc;
end DerivativeForgotten;
