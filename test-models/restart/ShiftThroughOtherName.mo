//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps contains "w"
//! json: /transitions/0/jumps contains "v"
//! json: /transitions/0/impulsive/torque == "1"
//! run: simulate --stop-time 1 --format json
//! approx: /final/w == 7.5 +- 1e-6
//! approx: /final/v == 7.5 +- 1e-6
model ShiftThroughOtherName "A ratio that a `when` changes makes speeds jump, also by another name"
  Real w(start = 10, fixed = true);
  Real v;
  Real torque;
  Real ratio;
  discrete Real gear(start = 2, fixed = true);
equation
  der(w) = -torque;
  der(v) = ratio*torque;
  w = ratio*v;
  ratio = gear;
  when time > 0.5 then
    gear = 1;
  end when;
end ShiftThroughOtherName;
