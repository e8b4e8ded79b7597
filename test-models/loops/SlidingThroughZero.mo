//! run: check
//! code: MS4003
// As SlidingResistance without the lower limit: a negative resistance is possible.
model SlidingThroughZero
  input Real u;
  Real slide, r, i, s;
  Boolean off(start = true);
equation
  slide = if time < 1 then 10 else if time < 2 then 10 - 20*(time - 1) else -10;
  r = if slide > 10 then 10 else slide;
  off = s < 0;
  u - r*i = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
end SlidingThroughZero;
