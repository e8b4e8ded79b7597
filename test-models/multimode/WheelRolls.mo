//! run: restart --from g=false --to g=true --at v=0,w=10 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/v == 2.5 +- 1e-9
//! approx: /right/w == 5 +- 1e-9
//! approx: /weights/P == 2.5 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/v == 2.5 +- 1e-6
// A spinning wheel grips: it rolls with half of its speed.
model WheelRolls
  Real v(start=0, fixed=true), w(start=10, fixed=true), P;
  Boolean g;
equation
  g = time >= 1;
  der(v) = P;
  0.25*der(w) = -0.5*P;
  if g then
    v = 0.5*w;
  else
    P = 0;
  end if;
end WheelRolls;
