//! exit: 0
//! code: MS2041 line 11
//! snapshot
//! mend: 11:   when level >= 1 then
// Wrong: a when waits for two numbers to be equal.
model EqualityAsEvent
  Real level(start = 0, fixed = true);
  Boolean full(start = false, fixed = true);
equation
  der(level) = 0.3;
  when level == 1 then
    full = true;
  end when;
end EqualityAsEvent;
