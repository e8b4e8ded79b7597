//! run: modes --format json
//! json: /loops/0/status == "none"
//! approx: /loops/0/witness/known/u == 11 +- 1e-9
//! json: /loops/0/witness/fits len 0
//! exit: 1
//! code: MS4014 line 14
model FuseByAmount "A fuse that opens at once, whichever way the current flows"
  input Real u;
  parameter Real R = 1, Ropen = 2;
  Real i;
  Boolean blown;
equation
  (if blown then Ropen else R)*i = u;
  blown = abs(i) > 10;
end FuseByAmount;
