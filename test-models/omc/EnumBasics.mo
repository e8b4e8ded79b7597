//! run: flatten --class EnumBasics
// Enumerations: literals with comments, comparison, conversion, String(), attributes, a state that switches.
type Gear = enumeration(
    reverse "backwards",
    neutral,
    first,
    second);

model EnumBasics
  parameter Gear initialGear = Gear.neutral;
  discrete Gear gear(start = initialGear, fixed = true);
  Gear wanted(min = Gear.neutral) = if v > 5 then Gear.second else Gear.first;
  Integer number = Integer(gear);
  Boolean moving = gear <> Gear.neutral;
  Boolean forward = gear >= Gear.first;
  parameter String text = String(initialGear);
  parameter Gear byNumber = Gear(3);
  Real v(start = 0, fixed = true);
equation
  der(v) = if gear == Gear.reverse then -1 elseif gear == Gear.neutral then 0 elseif gear == Gear.first then 2 else 1;
  when time > 1 then
    gear = Gear.first;
  elsewhen v > 5 then
    gear = wanted;
  end when;
end EnumBasics;
