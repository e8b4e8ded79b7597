//! run: check --class IfWithoutElse
//! exit: 1
//! code: MS3005 line 9
// Wrong: an if-equation with a time condition and no else.
model IfWithoutElse
  Real x(start = 0);
equation
  der(x) = 1;
  if time > 1 then
    x = 2;
  end if;
end IfWithoutElse;
