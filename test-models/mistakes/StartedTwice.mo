//! exit: 1
//! code: MS6002 line 7
//! snapshot
//! mend: 7:   Real phi(start = 0.1);
model StartedTwice "Pendulum, small angles"
  parameter Real w0 = 3;
  Real phi(start = 0.1, fixed = true);
  Real w(start = 0, fixed = true);
initial equation
  phi = 0.2;
equation
  der(phi) = w;
  der(w) = -w0^2*phi;
end StartedTwice;
