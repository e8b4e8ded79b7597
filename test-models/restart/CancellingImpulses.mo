//! run: restart --from hit=false --to hit=true --at x=0,w=-1,y=3,v=0 --format json
//! json: /verdict == "determined"
//! approx: /right/w == 0 +- 1e-12
//! approx: /right/y == 1 +- 1e-12
//! json: /orders/der(w) == "1"
//! approx: /weights/der(w) == 1 +- 1e-12
//! json: /orders/a == "2"
model CancellingImpulses "Two strong impulses cancel in a derivative; the weaker one remains"
  Real x(start = 1);
  Real w(start = -1);
  Real y(start = 3);
  Real v(start = 0);
  Real a;
  Real b;
  Boolean hit(start = false), reached(start = false, fixed = true);
equation
  reached = x <= 0;
  hit = pre(reached);
  der(x) = w;
  der(w) = a + b;
  der(y) = v;
  der(v) = b;
  if hit then
    x = 0;
    y = 1;
  else
    a = 0;
    b = 0;
  end if;
end CancellingImpulses;
