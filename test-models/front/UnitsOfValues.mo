//! run: check --class Quotient --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 23
//! run: check --class Result --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 27
//! run: check --class Argument --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 31
//! run: check --class Fits --deny unit-mismatch
// Values that declarations compute are held to their units, too: quotients, results of functions, arguments in them. A constant
// with a unit that is part of the value, a number without a dimension, and one that a parameter divides, may be anything.
package Earth constant Real g(unit = "m/s2") = 9.81; end Earth;
function area
  input Real r(unit = "m");
  output Real A(unit = "m2");
algorithm
  A := r*r;
end area;
model Quotient
  Real F(unit = "N") = 2;
  Real v(unit = "m/s") = 3;
  Real p(unit = "Pa") = F/v;
end Quotient;
model Result
  Real r(unit = "m") = 2;
  Real V(unit = "m3") = area(r);
end Result;
model Argument
  Real a(unit = "m2") = 2;
  Real A = area(a);
end Argument;
model Gain
  parameter Real k = 1;
  Real F(unit = "N") = k;
end Gain;
model Fits
  Real r(unit = "m") = 2;
  parameter Real m(unit = "kg") = 3;
  Real A(unit = "m2") = area(r);
  Real E(unit = "J") = m*Earth.g*r;
  Real weight(unit = "N") = sin(time);
  parameter Real h(unit = "m") = 2*Earth.g;
  Gain gain(k = m*Earth.g);
  Real power(unit = "kW") = 1e-3*E/time;
  parameter Real f(unit = "Hz") = 50;
  parameter Real L(unit = "H") = 1.5/(2*f);
end Fits;
