//! run: transitions --from g=false --to g=true --format json
//! exit: 1
//! code: MS5007
//! json: /transitions/0/verdict == "ambiguous"
//! run: transitions --from g=false --to g=true
//! exit: 1
//! code: MS5007
//! stderr: this one could take its place
// Nothing gives x a value before the change, and it is a state after it. At the instant x + 2*y = 3 gives it one value and
// x + w = 5 another, and x - y, which the new mode keeps, depends on it.
model AmbiguousRestart
  Real x;
  Real y(start = 1);
  Real w(start = 2);
  Real u;
  input Boolean g;
equation
  der(w) = u;
  if g then
    der(x) = der(y);
    x + 2*y = 3;
    x + w = 5;
  else
    der(y) = -y;
    u = -w;
    2*u = -2*w;
  end if;
end AmbiguousRestart;
