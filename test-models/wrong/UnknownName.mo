//! run: check --class UnknownName
//! exit: 1
//! code: MS2001 line 9
// Wrong: the equation names a variable that is declared nowhere.
model UnknownName
  parameter Real R = 1;
  Real u = sin(time), i;
equation
  u = R*j;
end UnknownName;
