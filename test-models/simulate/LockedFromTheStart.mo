//! run: simulate --format json --stop-time 0.5
//! json: /completed == true
//! approx: /final/sa == 0.938571 +- 1e-5
// The initial equations ask for no acceleration, and so does locked friction: its torque is free at the start, and begins
// with its start value, 0.25. The line of i: i(t) = 2 - 1.75*exp(-t).
model LockedFromTheStart
  Real v, a, sa(start = 0.25), tau;
  Real i;
  Boolean locked(start = true, fixed = true);
initial equation
  v = 0;
  a = 0;
equation
  der(v) = a;
  a = if pre(locked) then 0 else sa - 1;
  tau = if pre(locked) then sa else 1;
  a = i - tau;
  der(i) = 2 - i;
  when sa > 1 then
    locked = false;
  end when;
end LockedFromTheStart;
