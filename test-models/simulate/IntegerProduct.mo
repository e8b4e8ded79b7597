//! run: simulate
//! exit: 1
//! code: MS6008 line 8
//! stderr: too large for an Integer
// Integers are exact up to 2^53. The products are beyond, and their difference would be wrong by one: 0 instead of 1.
model IntegerProduct
  Integer m(start = 3000000002, fixed = true);
  Integer n(start = 3000000001, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = pre(n)*pre(n) - (pre(n)*pre(m) - pre(m));
    m = 0;
  end when;
end IntegerProduct;
