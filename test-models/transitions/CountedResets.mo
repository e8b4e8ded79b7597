//! run: check --deny warnings
// The resets make the conditions false, whatever the parameters are called, and no condition reads the counter.
model CountedResets
  parameter Real full_mass = 900, rest = 15, feed = 6, cleaning = 600;
  Real m(start = 100, fixed = true);
  Integer trucks(start = 0, fixed = true);
  Boolean full, rinse;
equation
  der(m) = feed;
  full = m >= full_mass;
  rinse = time >= cleaning;
  when rinse then
    reinit(m, 0);
  elsewhen full then
    reinit(m, rest);
  end when;
  when full then
    trucks = pre(trucks) + 1;
  end when;
end CountedResets;
