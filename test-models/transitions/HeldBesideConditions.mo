//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! run: check
// A Real that a `when` gives a value is held between events without the word `discrete`, whatever equations under conditions
// stand beside it.
model HeldBesideConditions
  Real begun(start = 0.2, fixed = true);
  Real u, d;
equation
  when time >= 0.3 then
    begun = time;
  end when;
  u = 3*(time - begun);
  if u >= 0 then
    d = u;
  else
    d = 0;
  end if;
end HeldBesideConditions;
