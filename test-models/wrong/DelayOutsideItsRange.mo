//! run: check --class TooLong
//! exit: 1
//! code: MS2034 line 10
//! run: check --class Negative
//! exit: 1
//! code: MS2034 line 13
//! run: check --class Fine
// Wrong: the delay is longer than `delayMax`, or negative.
model TooLong
  Real y = delay(time, 2, 1);
end TooLong;
model Negative
  Real y = delay(time, -1, 1);
end Negative;
model Fine
  Real y = delay(time, 1, 1);
end Fine;
