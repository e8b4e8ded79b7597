//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /loops/0/status == "none"
//! json: /loops/0/witness/known/u == 0
//! json: /loops/0/witness/fits len 0
//! json: /fixpoints len 1
//! code: MS4014
//! run: check
//! exit: 1
//! code: MS4014 line 19
//! stderr: `u = 0`
// A relay against itself: for -1 < u <= 1 nothing fits.
model RelayOpposes
  input Real u;
  Real y;
  Boolean g;
equation
  g = y > 0;
  y = u - (if g then 1 else -1);
end RelayOpposes;
