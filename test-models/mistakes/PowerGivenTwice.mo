//! exit: 1
//! code: MS4001
//! snapshot
//! mend: 15:   // P follows from its declaration.
// Wrong: a variable has a value in its declaration and an equation.
model PowerGivenTwice
  parameter Real R = 1;
  parameter Real L = 0.01;
  parameter Real k = 0.1;
  Real i(start = 0, fixed = true);
  Real w = 100*time;
  Real P = 12*i;
equation
  L*der(i) = 12 - R*i - k*w;
  P = k*i*w;
end PowerGivenTwice;
