//! run: simulate --format json
//! json: /completed == true
//! approx: /final/u == 1 +- 1e-12
//! approx: /final/y == 1.75 +- 1e-6
//! approx: /final/w1 == 0.5 +- 1e-9
// A table whose row is the integer part of something that moves, beside a change of structure: the row changes at
// events. With s = 0.25 + 1.5*time it is the
// first one until time = 0.5 and then the second one: y(1) = 0.5*2.5 + 0.5*1 = 1.75.
model TableBesideClutch
  parameter Real t[3] = {2.5, 1, 4};
  Real s(start = 0.25, fixed = true), y(start = 0, fixed = true), u;
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
equation
  der(s) = 1.5;
  u = t[mod(integer(s), 3) + 1];
  der(y) = u;
  der(w1) = -tau;
  der(w2) = tau;
  if time > 0.75 then
    w1 = w2;
  else
    tau = 0;
  end if;
end TableBesideClutch;
