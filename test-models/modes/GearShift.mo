//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 9
//! json: /fixpoints len 0
//! json: /classes len 2
// An enumeration decides: neutral, first, second. Exactly one of its values holds.
model GearShift
  type Gear = enumeration(Neutral, First, Second);
  parameter Real j1 = 1;
  parameter Real j2 = 4;
  Real w1(start = 10);
  Real w2(start = 1);
  Real t1;
  Real t2;
  Gear gear(start = Gear.Neutral);
equation
  when time > 1 then
    gear = Gear.First;
  elsewhen time > 2 then
    gear = Gear.Second;
  end when;
  j1*der(w1) = 1 - t1;
  j2*der(w2) = t2 - 0.1*w2;
  if gear == Gear.First then
    w1 = 3*w2;
    t2 = 3*t1;
  elseif gear == Gear.Second then
    w1 = 2*w2;
    t2 = 2*t1;
  else
    t1 = 0;
    t2 = 0;
  end if;
end GearShift;
