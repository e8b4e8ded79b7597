//! exit: 1
//! code: MS2004 line 14
//! snapshot
//! mend: 14:     state = Light.yellow;
model BranchWithUnknownLiteral "Traffic light"
  type Light = enumeration(red, green, yellow);
  Light state(start = Light.red, fixed = true);
  Real t0(start = 0, fixed = true);
equation
  when pre(state) == Light.red and time - pre(t0) > 30 then
    state = Light.green;
    t0 = time;
  elsewhen pre(state) == Light.green and time - pre(t0) > 20 then
    state = Light.orange;
    t0 = time;
  elsewhen pre(state) == Light.yellow and time - pre(t0) > 3 then
    state = Light.red;
    t0 = time;
  end when;
end BranchWithUnknownLiteral;
