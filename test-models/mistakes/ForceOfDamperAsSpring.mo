//! run: check
//! exit: 1
//! code: MS6002 line 11
//! snapshot
//! mend: 19:   fd = d*v;
// Wrong: the law of the damper gives the force of the spring, so position and speed are tied to each other.
model ForceOfDamperAsSpring
  parameter Real m = 1;
  parameter Real c = 100;
  parameter Real d = 2;
  Real s(start = 0.1, fixed = true), v(start = 0, fixed = true);
  Real fc;
  Real fd;
equation
  v = der(s);
  m*der(v) = -fc - fd;
  fc = c*s;
  // Next the damper.
  fc = d*v;
end ForceOfDamperAsSpring;
