//! run: modes --format json
//! json: /classes len 2
//! json: /classes/0/dof == 2
//! json: /classes/1/dof == 1
//! run: simulate --format json
//! approx: /final/v1 == 4 +- 1e-6
//! approx: /final/v2 == 4 +- 1e-6
//! run: simulate --set Ron=0.1 --format json --stop-time 20
//! approx: /final/v1 == 4 +- 1e-5
// A switch without resistance joins capacitors of 1 and 3 F: their charge is shared at once, (10 + 3*2)/4 each.
model ZeroResistance
  parameter Real Ron = 0;
  Real v1(start = 10, fixed = true), v2(start = 2, fixed = true), i;
  Boolean on = time >= 0.5;
equation
  der(v1) = -i;
  3*der(v2) = i;
  if on then
    v1 - v2 = Ron*i;
  else
    i = 0;
  end if;
end ZeroResistance;
