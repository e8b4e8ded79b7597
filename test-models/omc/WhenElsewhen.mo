//! run: flatten --class WhenElsewhen
// when/elsewhen in equations and in an algorithm, vectors of conditions, initial() in a condition, for in when.
model WhenElsewhen
  Real h(start = 0, fixed = true);
  Boolean pump(start = true, fixed = true);
  Integer alarms(start = 0, fixed = true);
  discrete Real tLast(start = -1, fixed = true), snapshot[2](each start = 0, each fixed = true);
  discrete Real best(start = 0, fixed = true);
equation
  der(h) = (if pump then 1 else 0) - 0.3*h;
  when h > 2 then
    pump = false;
  elsewhen h < 1 then
    pump = true;
  end when;
  when {h > 1.9, h < 1.1, initial()} then
    alarms = pre(alarms) + 1;
    tLast = time;
    for i in 1:2 loop
      snapshot[i] = i*h;
    end for;
  end when;
algorithm
  when sample(0, 0.5) then
    if h > pre(best) then
      best := h;
    end if;
  elsewhen terminal() then
    best := -1;
  end when;
end WhenElsewhen;
