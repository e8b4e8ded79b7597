//! run: check --class Wrong
//! exit: 1
//! code: MS2025 line 7
//! run: check --class Right
// Wrong: a Real that is declared discrete gets its value from a `when`, not from its declaration.
model Wrong
  discrete Real x = 1;
end Wrong;
model Right
  discrete Real x(start = 0, fixed = true);
equation
  when time > 1 then
    x = time;
  end when;
end Right;
