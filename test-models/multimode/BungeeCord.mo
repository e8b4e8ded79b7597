//! run: restart --from taut=false --to taut=true --at x=2,v=3 --format json
//! approx: /right/x == 2 +- 1e-9
//! approx: /right/v == 0 +- 1e-9
//! approx: /weights/T == 15 +- 1e-9
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/T == "1"
//! json: /transitions/0/jumps len 1
//! json: /transitions/1/jumps len 0
//! json: /transitions/1/impulsive len 0
// A mass falls into an inextensible rope of length 2: the rope takes its momentum 5*3 and the position stays.
model BungeeCord
  parameter Real m = 5, g = 9.81, L = 2;
  Real x(start = 0), v(start = 0), T;
  Real s(start = -2) "tension while taut, slack while free";
  Boolean taut(start = false), reached(start = false, fixed = true);
equation
  der(x) = v;
  m*der(v) = m*g - T;
  reached = s >= 0;
  taut = pre(reached);
  s = if taut then T else x - L;
  0 = if taut then x - L else T;
end BungeeCord;
