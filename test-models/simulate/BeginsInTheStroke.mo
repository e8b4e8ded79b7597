//! run: check
//! code: MS6012
//! run: simulate
//! exit: 1
//! code: MS6012
// Two carriages that overlap at the start: there the mode of the stroke holds, in which nothing says what the force is. The law is for
// the instant of the stroke alone, so no run can begin there, which `check` says, too.
model BeginsInTheStroke
  Real s1(start = 0.9), s2(start = 0), v1(start = 1), v2(start = 0), f, gap;
  Boolean hit(start = false);
equation
  der(s1) = v1;
  der(s2) = v2;
  gap = 0.5 - (s1 - s2);
  hit = pre(gap) <= 0;
  2*der(v1) = -f;
  der(v2) = f;
  if not hit then
    f = 0;
  end if;
  when hit then
    v1 - v2 = -0.4*(pre(v1) - pre(v2));
  end when;
end BeginsInTheStroke;
