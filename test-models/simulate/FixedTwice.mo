//! run: simulate
//! exit: 1
//! code: MS6002
//! stderr: `w1` is fixed
//! stderr: leave out one of these
// Equal variables, fixed to different values.
model FixedTwice
  Real w1(start = 1, fixed = true);
  Real w2(start = 2, fixed = true);
equation
  der(w1) = -w1;
  w1 = w2;
end FixedTwice;
