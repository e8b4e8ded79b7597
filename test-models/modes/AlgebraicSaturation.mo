//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
//! json: /loops len 1
//! json: /loops/0/status == "unique"
//! run: check --deny fixpoints
// The characteristic reads an unknown that it determines: both slopes are positive, so one value fits.
model AlgebraicSaturation
  Real x(start = 0);
  Real u;
  Real y;
equation
  der(x) = y;
  u = sin(time) - 0.5*y - x;
  y = if u > 0 then 2*u else 3*u;
end AlgebraicSaturation;
