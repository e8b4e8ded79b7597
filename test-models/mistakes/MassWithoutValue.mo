//! exit: 0
//! code: MS2046 line 7
//! snapshot
//! mend: 7:   parameter Real mass = 2;
// Wrong: a parameter has no value.
model MassWithoutValue
  parameter Real mass;
  parameter Real stiffness = 100;
  Real s(start = 0.1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(s) = v;
  mass*der(v) = -stiffness*s;
end MassWithoutValue;
