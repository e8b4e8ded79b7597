//! exit: 1
//! code: MS2032 line 11
//! snapshot
// Wrong: a `when` in an `if` whose condition changes.
model EventInsideCondition
  Real x = cos(time);
  Boolean armed = time > 2;
  Integer hits(start = 0, fixed = true);
equation
  if armed then
    when x < 0 then
      hits = pre(hits) + 1;
    end when;
  end if;
end EventInsideCondition;
