//! run: check --deny warnings
//! exit: 1
//! code: MS3011 line 12
//! snapshot
//! mend: 12:   loss = 5*(T - (outside + 273.15));
// Wrong: a temperature in degrees Celsius is subtracted from one in kelvin.
model CelsiusFromKelvin
  parameter Real outside(unit = "degC") = 4;
  Real T(unit = "K", start = 300, fixed = true);
  Real loss;
equation
  loss = 5*(T - outside);
  der(T) = -loss/1000;
end CelsiusFromKelvin;
