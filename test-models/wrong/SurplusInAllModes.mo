//! run: check
//! exit: 1
//! code: MS4001 line 16
//! mend: 23:
//! snapshot
// The load is given twice, whatever the mode is. In each mode other equations are involved, which is no reason for two messages.
model SurplusInAllModes
  Real v(start = 1, fixed = true);
  Real friction;
  Real load;
  Real w;
equation
  2*der(v) = friction - load;
  if v > 0 then
    friction = -v;
    load = w;
  else
    friction = -2*v;
    load = 2*w + friction;
  end if;
  w = 1 + time;
  // The second one.
  load = 5;
end SurplusInAllModes;
