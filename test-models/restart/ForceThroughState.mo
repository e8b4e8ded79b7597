//! run: restart --from hit=false --to hit=true --at q=0.5,v=1,z=1 --format json
//! json: /verdict == "determined"
//! approx: /right/q == 0.5 +- 1e-9
//! approx: /right/v == 0 +- 1e-9
//! approx: /right/z == 0 +- 1e-9
//! json: /orders/z == "1"
//! json: /orders/f == "2"
model ForceThroughState "A constraint on a position acts through a force that is a state itself"
  Real q;
  Real v;
  Real z;
  Real f;
  Real gap;
  Boolean hit(start = false), reached(start = false, fixed = true);
equation
  reached = gap <= 0;
  hit = pre(reached);
  gap = exp(0.5) - exp(q);
  der(q) = v;
  (2 + sin(q))*der(v) + q*v - 3*z = 0;
  (q^2 + 1)*der(z) + f - q = 0;
  if hit then
    exp(0.5) - exp(q) = 0;
  else
    f + 1 = 0;
  end if;
end ForceThroughState;
