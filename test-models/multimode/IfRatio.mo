//! run: restart --from g=false --to g=true --at wi=8 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/wi == 5.333333333 +- 1e-9
//! approx: /right/wo == 2.666666667 +- 1e-9
//! approx: /weights/t == 2.666666667 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/wo == 2.666666667 +- 1e-6
// A gear box in which the ratio is written as an if-expression.
model IfRatio
  Real wi(start=8, fixed=true), wo(start=2), t, r;
  Boolean g;
equation
  g = time >= 1;
  r = if g then 2 else 4;
  der(wi) = -t;
  8*der(wo) = r*t;
  wi = r*wo;
end IfRatio;
