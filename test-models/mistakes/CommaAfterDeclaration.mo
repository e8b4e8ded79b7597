//! exit: 1
//! code: MS0002 line 6
//! snapshot
//! mend: 6:   parameter Real m = 2;
model CommaAfterDeclaration "Sliding block"
  parameter Real m = 2,
  parameter Real mu = 0.3 "Friction";
  Real v(start = 4, fixed = true);
equation
  m*der(v) = -mu*m*9.81*tanh(v/0.01);
end CommaAfterDeclaration;
