//! run: modes --format json
//! json: /loops len 0
// Each amount is that of a value which is computed before, in another mode for each.
model ChoicesInOtherModes
  input Real u;
  input Boolean first;
  Real y, z;
equation
  y = if first then u else abs(z);
  z = if first then abs(y) else u;
end ChoicesInOtherModes;
