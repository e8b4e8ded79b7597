//! run: simulate
//! exit: 1
//! code: MS6004
//! stderr: still alternates
// A block on a belt that lets go when the spring pulls too much, and is caught at once because its speed is still that
// of the belt: at that instant the definition of `stick` comes to no end.
model EndlessStickSlip
  parameter Real vb = 0.5;
  Real x(start = 0, fixed = true);
  Real v(start = 0.5, fixed = true);
  Real F;
  Boolean stick(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = F - x;
  stick = pre(stick) and abs(pre(F)) <= 1 or not pre(stick) and pre(v) >= vb;
  if stick then
    v = vb;
  else
    F = 0.6*sign(vb - v);
  end if;
  annotation(experiment(StopTime = 10));
end EndlessStickSlip;
