//! run: check --deny warnings
//! exit: 1
//! code: MS3011 line 9
//! snapshot
//! mend: 9:   parameter Real slope(unit = "rad") = given*3.14159265358979/180;
// Wrong: an angle in degrees is taken for one in radians.
model DegreesForRadians
  parameter Real given(unit = "deg") = 30;
  parameter Real slope(unit = "rad") = given;
  Real v(start = 0, fixed = true);
equation
  der(v) = 9.81*sin(slope);
end DegreesForRadians;
