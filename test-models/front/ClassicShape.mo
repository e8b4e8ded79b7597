//! run: flatten
//! stdout: final parameter Integer n = 3;
//! stdout: y = x[1] * x[1] + 1.0;
//! run: flatten --format modelica-classic
//! stdout:   parameter Integer n = 3;
//! stdout: y = 1.0 + x[1] ^ 2.0;
//! stdout: der(z) = (-z) * y;
//! stdout: x = {time, time, time};
//! stdout: function ClassicShape.twice
// The shape of OpenModelica's first frontend, asked for by an option.
model ClassicShape
  function twice
    input Real u;
    output Real r;
  algorithm
    r := u * 2;
  end twice;
  parameter Integer n = 3;
  parameter Real start = twice(1.5);
  Real x[n] = {time for i in 1:n};
  Real y;
  Real z(start = 1);
equation
  y = x[1] * x[1] + 1;
  der(z) = -z * y;
end ClassicShape;
