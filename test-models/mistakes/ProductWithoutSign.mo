//! exit: 1
//! code: MS0001 line 12
//! snapshot
//! mend: 12:   E = 0.5*m*v^2;
model ProductWithoutSign "Kinetic energy of a cart"
  parameter Real m = 3;
  parameter Real F = 2;
  Real v(start = 0, fixed = true);
  Real E;
equation
  m*der(v) = F;
  E = 0.5 m*v^2;
end ProductWithoutSign;
