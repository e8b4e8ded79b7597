//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "numerically-singular"
//! code: MS5005
// When `g`, `u` seems to be found from the second equation. But `x` does not move, so its rate, the factor of `u`, is zero, and
// what is left of the equation fixes `y`: the mode has other states than its structure says.
model FixedRateAsFactor
  Real x, y(start = 0), u;
  input Boolean g;
equation
  x = -3;
  if g then
    (1 + u^2)*der(x) = 3*y + 1;
    der(y) = u;
  else
    der(y) = 1;
    u = -4;
  end if;
end FixedRateAsFactor;
