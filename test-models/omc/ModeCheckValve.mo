//! run: flatten --class ModeCheckValve
// Multimode: two tanks joined by an ideal check valve with fluid ports; closed below cracking pressure.
connector Port
  Real p;
  flow Real m;
end Port;

model Tank
  Port bottom;
  parameter Real A = 1, level0 = 1;
  input Real inflow;
  Real level(start = level0, fixed = true);
equation
  A*der(level) = bottom.m + inflow;
  bottom.p = 9.81*level;
end Tank;

model CheckValve
  Port a, b;
  parameter Real pCrack = 0.5, k = 0.2;
  Real s "path parameter: opening when positive";
  Boolean open = s > 0;
equation
  a.m + b.m = 0;
  a.p - b.p = pCrack + (if open then s/k else s);
  a.m = if open then s else 0;
end CheckValve;

model ModeCheckValve
  Tank left(level0 = 2, inflow = 0.1), right(A = 2, inflow = 0.3*max(0, sin(time)));
  CheckValve valve;
equation
  connect(left.bottom, valve.a);
  connect(valve.b, right.bottom);
end ModeCheckValve;
