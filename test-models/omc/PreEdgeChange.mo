//! run: flatten --class PreEdgeChange
// pre, edge, change on Booleans, Integers and discrete Reals; a flip-flop, a counter and a pulse measuring.
model PreEdgeChange
  Boolean button = sin(5*time) > 0.5;
  Boolean lamp(start = false, fixed = true);
  Integer presses(start = 0, fixed = true), changes(start = 0, fixed = true);
  discrete Real tPress(start = 0, fixed = true), width(start = 0, fixed = true);
  Boolean wasOn = pre(lamp);
equation
  when edge(button) then
    lamp = not pre(lamp);
    presses = pre(presses) + 1;
    tPress = time;
  end when;
  when not button then
    width = time - tPress;
  end when;
  when change(presses) then
    changes = pre(changes) + (if change(lamp) then 1 else 0);
  end when;
end PreEdgeChange;
