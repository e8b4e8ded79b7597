//! exit: 1
//! code: MS2042 line 11
//! snapshot
//! mend: 11:   der(v) = -4*x - 0.1*v + sin(w*time);
model SineInCapitals "Driven oscillator"
  parameter Real w = 2;
  Real x(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -4*x - 0.1*v + Sin(w*time);
end SineInCapitals;
