//! run: transitions --from hit=false --to hit=true --format json
//! json: /transitions/0/jumps contains "v"
//! json: /transitions/0/impulsive/der(v) == "1"
//! run: restart --from hit=false --to hit=true --at s=0,v=1 --format json
//! json: /verdict == "determined"
//! approx: /right/v == 0 +- 1e-12
//! approx: /weights/force == -1 +- 1e-12
//! approx: /weights/der(v) == -1 +- 1e-12
model ReverseSpeed "A speed that counts against its position keeps its name"
  Real s(start = 1);
  Real v(start = 1);
  Real force;
  Boolean hit(start = false), reached(start = false, fixed = true);
equation
  reached = s <= 0;
  hit = pre(reached);
  der(s) = -v;
  der(v) = force;
  if hit then
    s = 0;
  else
    force = 0;
  end if;
end ReverseSpeed;
