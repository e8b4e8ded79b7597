//! run: simulate
//! exit: 1
//! code: MS6008 line 7
//! stderr: too large for an Integer
// Integers are exact, or the run ends.
model IntegerTooLarge
  Integer n(start = 3, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = pre(n)*pre(n)*pre(n);
  end when;
end IntegerTooLarge;
