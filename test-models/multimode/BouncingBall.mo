//! run: modes --format json
//! json: /verdict == "accepted"
// The bouncing ball: one structure, a reinit.
model BouncingBall
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end BouncingBall;
