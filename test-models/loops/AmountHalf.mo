//! run: check --deny warnings
//! run: modes --format json
//! json: /loops/0/status == "unique"
//! json: /loops/0/procedure == "determinants of one sign"
model AmountHalf "Both sides of zero rise"
  input Real u;
  Real x;
equation
  x + 0.5*abs(x) = u;
end AmountHalf;
