//! run: transitions --from late=false --to late=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/y == "1"
//! json: /transitions/0/impulsive/z == "2"
//! run: restart --from late=false --to late=true --format json
//! approx: /right/u == 3 +- 1e-9
//! approx: /weights/y == 3 +- 1e-9
// The second derivative of a step of height 3: y is an impulse of weight 3, z the derivative of an impulse.
model DifferentiatedTwice
  Real u, y, z;
  Boolean late;
equation
  late = time >= 1;
  u = if late then 3 else 0;
  y = der(u);
  z = der(y);
end DifferentiatedTwice;
