//! run: check
//! stdout: no errors
//! run: simulate --stop-time 3 --format json
//! approx: /final/w == 3.625235 +- 1e-4
// A table that moves on at instants is no jump of what it drives: the next instant and the torque follow from time, one
// after the other.
model TableDrive "A torque from a table, against drag, through a rolling wheel"
  parameter Real R = 0.5 "Radius";
  Real phi(start = 0, fixed = true);
  Real w(start = 0, fixed = true);
  Real s;
  Real v;
  Real sDrag "Position against the air";
  Real vDrag;
  Real sWind(start = 0, fixed = true);
  Real tau "Torque of the table";
  Real drag;
  Real traction;
  Real scaled "Time in units of the table";
  discrete Real nextScaled(start = 0, fixed = true);
  discrete Real next(start = 0, fixed = true);
equation
  scaled = time/1;
  when {time >= pre(next), initial()} then
    nextScaled = floor(scaled + 1);
    next = nextScaled*1;
  end when;
  tau = 1 + 0.5*nextScaled;
  der(phi) = w;
  der(w) = tau - R*traction;
  s = R*phi;
  v = der(s);
  der(v) = traction - drag;
  der(sWind) = 0.1;
  sDrag = s - sWind;
  vDrag = der(sDrag);
  drag = if vDrag >= 0 then vDrag^2 else -vDrag^2;
end TableDrive;
