//! exit: 1
//! code: MS0005 line 10
//! snapshot
//! mend: 10:   when {x > 0.5, x < -0.5} then
// Wrong: two events of a `when` are not in braces.
model EventsWithoutBraces
  Real x = sin(time);
  Integer n(start = 0, fixed = true);
equation
  when x > 0.5, x < -0.5 then
    n = pre(n) + 1;
  end when;
end EventsWithoutBraces;
