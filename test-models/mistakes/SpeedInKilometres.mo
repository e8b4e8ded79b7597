//! run: check --deny warnings
//! exit: 1
//! code: MS3011 line 11
//! snapshot
//! mend: 11:   der(v) = 0.1*(vmax/3.6 - v);
// Wrong: a speed in km/h and one in m/s are subtracted, inside a product.
model SpeedInKilometres
  parameter Real vmax(unit = "km/h") = 100;
  Real v(unit = "m/s", start = 0, fixed = true);
equation
  der(v) = 0.1*(vmax - v);
end SpeedInKilometres;
