//! run: restart --from g=false --to g=true --at y=1,x=2,z=3,b=1,time=0 --format json
//! json: /verdict == "determined"
//! json: /orders/a == "2"
//! approx: /weights/a == 3 +- 1e-9
//! approx: /weights/b == 3 +- 1e-9
// `a` is the derivative of an impulse. In the array its first instant is empty and the second one counts: its weight is that of `b`,
// which is the same variable.
model ImpulseOfLaterInstant
  Real x, y, z, a, b, c, w;
  input Boolean g;
equation
  3*der(y) = 3*y + 2*x - 4*w - 2*c;
  3*der(x) = 4*y - z - 3;
  der(z) = 2*a;
  x + 3*w + 3 = 0;
  c + 3*x = 0;
  if g then
    x + c = 0;
    b = a;
  else
    der(w) = a;
    der(b) = w;
  end if;
end ImpulseOfLaterInstant;
