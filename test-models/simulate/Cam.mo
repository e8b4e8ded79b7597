//! run: simulate --format json --stop-time 8
//! approx: /final/n == 382 +- 0
// No state moves but evenly, so that a step may be longer than a turn.
model Cam "A cam on a shaft that turns evenly closes a contact in each turn"
  Real phi(start = 0, fixed = true);
  Boolean closed = sin(phi) > 0.95;
  Integer n(start = 0, fixed = true);
equation
  der(phi) = 300;
  when closed then
    n = pre(n) + 1;
  end when;
end Cam;
