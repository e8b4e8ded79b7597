//! run: restart --from hit=false --to hit=true --at s=0,w=-1 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 0 +- 1e-12
//! approx: /right/w == 0 +- 1e-12
//! approx: /weights/torque == 1 +- 1e-12
//! json: /orders/torque == "1"
//! run: simulate --stop-time 2 --format json
//! approx: /final/s == 0 +- 1e-6
//! approx: /final/w == 0 +- 1e-6
model ContactBehindGear "A stop for a body that moves with a ratio of the speed"
  parameter Real r = 2;
  Real s(start = 1, fixed = true);
  Real w(start = -1, fixed = true);
  Real torque;
  Boolean hit(start = false), reached(start = false, fixed = true);
equation
  reached = s <= 0;
  hit = pre(reached);
  der(s) = r*w;
  der(w) = torque;
  if hit then
    s = 0;
  else
    torque = 0;
  end if;
end ContactBehindGear;
