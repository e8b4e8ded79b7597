//! run: flatten --class ModeStickSlip
// Multimode: dry friction with an enumeration of modes (stuck, forward, backward); a block on a belt with a spring.
type Mode = enumeration(backward, stuck, forward);

model ModeStickSlip
  parameter Real m = 1, c = 100, vBelt = 0.5, F0 = 5, Fs = 7;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), vRel, F, a;
  Mode mode(start = Mode.backward, fixed = true);
equation
  der(x) = v;
  der(v) = a;
  m*a = F - c*x;
  vRel = v - vBelt;
  if mode == Mode.stuck then
    a = 0;
  elseif mode == Mode.forward then
    F = -F0;
  else
    F = F0;
  end if;
  when pre(mode) <> Mode.stuck and vRel >= 0 and abs(c*x) < Fs then
    mode = Mode.stuck;
    reinit(v, vBelt);
  elsewhen pre(mode) == Mode.stuck and F > Fs then
    mode = Mode.backward;
  elsewhen pre(mode) == Mode.stuck and F < -Fs then
    mode = Mode.forward;
  end when;
end ModeStickSlip;
