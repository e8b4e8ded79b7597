//! run: simulate
//! exit: 1
//! code: MS6001 line 10
//! stderr: must be at least 0
// Nothing comes out before it went in.
model DelayBackwards
  parameter Real T = -0.5;
  Real y;
equation
  y = delay(sin(time), T);
end DelayBackwards;
