//! run: flatten --class InitialTerminal
// initial() and terminal() in when, in if and in an algorithm; messages with String().
model InitialTerminal
  Real x(start = 1, fixed = true);
  discrete Real x0, xEnd(start = 0, fixed = true);
  Boolean started(start = false, fixed = true);
  Real y;
equation
  der(x) = -x;
  when initial() then
    x0 = x;
  end when;
  when {initial(), time > 0.5} then
    started = time > 0.2;
  end when;
  y = if initial() then 0 else x;
algorithm
  when terminal() then
    xEnd := x;
    assert(x < 1, "final value is " + String(x, significantDigits = 4), AssertionLevel.warning);
    terminate("reached at " + String(time));
  end when;
end InitialTerminal;
