//! exit: 1
//! code: MS2020 line 19
//! snapshot
//! mend: 19:   (r, phi) = polar(cos(time), sin(time)); z = 1;
model ThreeOfTwoOutputs "Polar coordinates"
  function polar
    input Real x;
    input Real y;
    output Real r;
    output Real phi;
  algorithm
    r := sqrt(x^2 + y^2);
    phi := atan2(y, x);
  end polar;
  Real r;
  Real phi;
  Real z;
equation
  (r, phi, z) = polar(cos(time), sin(time));
end ThreeOfTwoOutputs;
