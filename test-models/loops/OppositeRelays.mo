//! run: check
//! code: MS4015
//! run: check --deny fixpoints
//! exit: 1
//! code: MS4015
//! run: modes --format json
//! json: /loops/0/status == "several"
//! code: MS4015
// Both are off for u < 0; where u rises, either may switch on and keeps the other one off.
model OppositeRelays
  input Real u;
  Real y1;
  Real y2;
equation
  y1 = u + (if y1 > 0 then 2 else 0) - (if y2 > 0 then 3 else 0);
  y2 = u + (if y2 > 0 then 2 else 0) - (if y1 > 0 then 3 else 0);
end OppositeRelays;
