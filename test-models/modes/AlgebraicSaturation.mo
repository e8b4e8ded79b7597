//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 1
//! json: /fixpoints/0/severity == "warning"
//! code: MS4003
//! run: check --deny fixpoints
//! exit: 1
//! code: MS4003
// The characteristic reads an unknown that it determines: only coefficients change, a warning.
model AlgebraicSaturation
  Real x(start = 0);
  Real u;
  Real y;
equation
  der(x) = y;
  u = sin(time) - 0.5*y - x;
  y = if u > 0 then 2*u else 3*u;
end AlgebraicSaturation;
