//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4001
// A switch shorts an ideal source: two values for one voltage, and no equation for the current.
model ShortedSource
  Real u, i, is;
  parameter Real R = 10;
  input Boolean closed;
equation
  u = 5;
  i = u/R + (if closed then is else 0);
  0 = if closed then u else is;
end ShortedSource;
