//! run: transitions --from fixed_x=true,g=false --to g=true --format json
//! exit: 1
//! code: MS5003
//! json: /transitions/0/verdict == "inconsistent"
// `x` has an equation of its own before and after: the law is not lost with it.
model ResetOfAFixedVariable "What a constraint fixes cannot be set"
  Real x(start = 0);
  Real y(start = 1);
  input Boolean fixed_x(start = true);
  input Boolean g;
equation
  if fixed_x then
    x = 0;
  else
    der(x) = 4*y;
  end if;
  der(y) = if g then -y else -1;
  when g then
    reinit(x, 2 + 3*pre(y));
  end when;
end ResetOfAFixedVariable;
