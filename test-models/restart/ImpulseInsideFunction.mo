//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/w absent
//! code: MS5002
// `z` is forced to jump, so `y` goes through infinity and comes back: nobody knows of which order its rate `w` is.
model ImpulseInsideFunction
  Real w(start = 0), y(start = 1), z(start = 2);
  input Boolean g;
equation
  der(y) = w;
  der(z) = 6*y + 1/(1 + y^2);
  if g then
    z = 0;
  else
    der(w) = -y;
  end if;
end ImpulseInsideFunction;
