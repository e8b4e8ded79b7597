//! run: check --class Quotient --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 25
//! run: check --class Result --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 29
//! run: check --class Argument --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 33
//! run: check --class Fits --deny unit-mismatch
// Values that declarations compute are held to their units, too: quotients, results of functions, arguments in them. A constant
// with a unit that is part of the value, and a number without a dimension, may be anything.
package Constants
  constant Real g(unit = "m/s2") = 9.81;
end Constants;
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
  Real E(unit = "J") = m*Constants.g*r;
  Real weight(unit = "N") = sin(time);
  parameter Real h(unit = "m") = 2*Constants.g;
  Gain gain(k = m.*Constants.g);
  Real power(unit = "kW") = 1e-3*E/time;
end Fits;
