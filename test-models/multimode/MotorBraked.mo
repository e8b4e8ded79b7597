//! run: restart --from g=false --to g=true --at i=1,w=7 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/i == 1 +- 1e-9
//! approx: /right/w == 0 +- 1e-9
//! approx: /weights/b == 14 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/w == 0 +- 1e-6
// The shaft of a motor is stopped: its current is not.
model MotorBraked
  Real i(start=1, fixed=true), w(start=7, fixed=true), b;
  Boolean g;
equation
  g = time >= 1;
  2*der(w) = 0.5*i - b;
  0.1*der(i) = -i - 0.5*w;
  if g then
    w = 0;
  else
    b = 0;
  end if;
end MotorBraked;
