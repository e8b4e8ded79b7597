//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 1
//! json: /transitions/0/jumps/0 == "v"
//! json: /transitions/0/determined_states contains "h"
//! run: restart --to "h < 0" --at "h=0,v=-3" --format json
//! approx: /right/v == 2.4 +- 1e-12
model BouncingBall
  Real h(start = 1);
  Real v;
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end BouncingBall;
