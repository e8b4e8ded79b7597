//! run: transitions --from stopped=true,g=false --to g=true --format json
//! exit: 1
//! code: MS5003
//! json: /transitions/0/verdict == "inconsistent"
// The position stays at 0, so its velocity does, too, whatever the law says.
model ResetOfAFixedRate "The rate of a fixed position cannot be set"
  Real x(start = 0);
  Real v;
  Real z(start = 1);
  input Boolean stopped(start = true);
  input Boolean g;
equation
  der(x) = v;
  if stopped then
    x = 0;
  else
    der(v) = -x;
  end if;
  der(z) = if g then -z else -1;
  when g then
    reinit(v, 1 + pre(z));
  end when;
end ResetOfAFixedRate;
