//! run: check
//! exit: 0
//! run: transitions --format json
//! exit: 0
//! json: /transitions len 2
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/1/verdict == "undetermined"
//! json: /transitions/1/needs_earlier_time == true
// The string breaks and stays broken: that it could not be mended does not matter, since time does not run backwards.
model BreakingPendulum
  Real x(start = 1, fixed = true);
  Real y(start = 0);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real tension;
  Boolean broken = time >= 1;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension*x;
  der(vy) = -tension*y - 9.81;
  if broken then
    tension = 0;
  else
    x^2 + y^2 = 1;
  end if;
end BreakingPendulum;
