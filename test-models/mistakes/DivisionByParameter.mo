//! exit: 1
//! code: MS6008 line 10
//! snapshot
//! mend: 7:   parameter Real mass = 2;
// Wrong: a parameter that equations divide by is zero.
model DivisionByParameter
  parameter Real mass = 0;
  Real v(start = 0, fixed = true);
equation
  der(v) = (12 - v)/mass;
end DivisionByParameter;
