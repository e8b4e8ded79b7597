//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps == []
//! json: /transitions/0/impulsive == {}
//! run: check --deny warnings
//! exit: 0
// At the time at which the ramp begins and ends both of its pieces have the same value: `i` takes no step, and `v` is finite.
model EndOfRamp "A state that follows a ramp and a sine wave"
  parameter Real height = 3;
  parameter Real duration = 2;
  parameter Real startTime = 1;
  parameter Real phase = 0;
  Real u "Ramp";
  Real i;
  Real v;
  Real s "Sine wave that begins with the ramp";
  Real j;
  Real w;
equation
  u = if time < startTime then 0 else if time < startTime + duration then (time - startTime)*height/duration else height;
  i*(1 + i^2) = u;
  v = 2*der(i)*(1 + i^2) + der(j);
  s = if time < startTime then 0 else height*sin(6*(time - startTime) + phase);
  j = s;
  der(w) = sin(v);
end EndOfRamp;
