//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "hysteresis"
//! json: /loops/0/mode_variables/0 == "g"
//! json: /loops/0/witness/fits len 2
//! run: check --deny fixpoints
// A relay that supports itself: for -1 < u <= 1 both truth values fit, and the one before stays.
model RelaySupports
  input Real u;
  Real y;
  Boolean g;
equation
  g = y > 0;
  y = u + (if g then 1 else -1);
end RelaySupports;
