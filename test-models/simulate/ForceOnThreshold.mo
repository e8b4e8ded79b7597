//! run: simulate --format json --stop-time 1 --deny warnings
//! json: /completed == true
//! approx: /final/Fc == 3 +- 1e-9
// `Fc` is zero while there is no contact, which is the threshold of `pull`. Both values of `pull` would stand
// for one and the same solution, so there is nothing to warn about.
model ForceOnThreshold
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), Fc;
  Boolean contact(start = false, fixed = true), below, pull;
equation
  below = x <= 0;
  pull = Fc < 0;
  contact = pre(below) and not pre(pull);
  der(x) = v;
  der(v) = -3 + Fc;
  if contact then
    v = 0;
  else
    Fc = 0;
  end if;
end ForceOnThreshold;
