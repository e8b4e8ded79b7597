//! run: check
//! exit: 1
//! code: MS4001 line 10
//! code: MS4001 line 18
//! mend: 18: y = -2*x;
// A counter stays on a number until its next step: a mode that holds for `n == 2` only is more than an instant.
model SingularForANumber
  Integer n(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
  Real y;
  Real z;
equation
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
  der(x) = y + 0*z;
  if n == 2 then
    z = 3;
  else
    y = -x;
  end if;
  z = 1;
end SingularForANumber;
