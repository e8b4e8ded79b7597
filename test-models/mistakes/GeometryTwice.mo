//! exit: 1
//! code: MS4001 line 17
//! snapshot
//! mend: 17: 
// Wrong: the length of the rod is in the angle already.
model GeometryTwice
  parameter Real L = 0.8;
  Real x;
  Real y;
  Real phi(start = 1, fixed = true);
  Real w(start = 0, fixed = true);
equation
  x = L*sin(phi);
  y = -L*cos(phi);
  w = der(phi);
  L*der(w) = -9.81*sin(phi);
  x^2 + y^2 = L^2;
end GeometryTwice;
