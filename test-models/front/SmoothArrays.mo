//! run: check
//! run: simulate --format json
//! approx: /final/e[1] == 0.408248290463863 +- 1e-6
// `smooth` of an array holds for each of its elements, also where the array comes from a function.
model SmoothArrays
  function unit "v with the length 1"
    input Real v[:];
    output Real e[size(v, 1)];
  algorithm
    e := smooth(0, if sqrt(v*v) > 1e-13 then v/sqrt(v*v) else v/1e-13);
  end unit;
  Real v[3] = {time, 1, 2};
  Real e[3];
equation
  e = smooth(2, unit(v));
end SmoothArrays;
