//! run: check --deny fixpoints
//! run: modes --format json
//! json: /loops/0/status == "unique"
//! json: /loops/0/procedure contains "slopes between their bounds"
// The resistance changes with time but stays between 0.1 and 10.
model SlidingResistance "A diode and a resistance that a ramp turns down"
  input Real u;
  Real slide, r, i, s;
  Boolean off(start = true);
equation
  slide = if time < 1 then 10 else if time < 2 then 10 - 20*(time - 1) else -10;
  r = if slide > 10 then 10 else if slide < 0.1 then 0.1 else slide;
  off = s < 0;
  u - r*i = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
end SlidingResistance;
