//! run: simulate --stop-time 2
//! exit: 1
//! code: MS6008 line 12
//! stderr: the function `CallsForTheirEffect.requireLevel` fails
//! stderr: "the level is too low"
//! run: simulate --stop-time 0.5
// A function without outputs is called for what it checks, whenever the equations hold.
model CallsForTheirEffect
  function requireLevel
    input Real level;
  algorithm
    assert(level > 0.25, "the level is too low");
  end requireLevel;
  Real level(start = 1, fixed = true);
equation
  der(level) = -1;
  requireLevel(level);
end CallsForTheirEffect;
