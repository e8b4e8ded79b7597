//! run: restart --from rolling=false --to rolling=true --at v=4,w=0 --format json
//! approx: /right/v == 1.3333333333333333 +- 1e-9
//! approx: /right/w == 2.6666666666666665 +- 1e-9
//! approx: /weights/P == 5.333333333333333 +- 1e-9
//! run: transitions --from rolling=false --to rolling=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 2
// A sliding wheel begins to roll: 2*(v - 4) = -P, w = 0.5*P, v = 0.5*w, so P = 16/3.
model RollingWheel
  parameter Real m = 2, J = 1, r = 0.5;
  Real x(start = 0), v(start = 4), phi(start = 0), w(start = 0), P;
  input Boolean rolling;
equation
  der(x) = v;
  der(phi) = w;
  m*der(v) = -P;
  J*der(w) = r*P;
  0 = if rolling then v - r*w else P;
end RollingWheel;
