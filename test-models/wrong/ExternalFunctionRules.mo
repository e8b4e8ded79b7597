//! run: check --class ExternalFunctionRules
//! exit: 1
//! code: MS2031 line 10
//! code: MS2031 line 16
// Wrong: an array is no argument of an external function, and an external function has no algorithm.
model ExternalFunctionRules
  function listed
    input Real x;
    output Real y;
    external "C" y = f({x, 1, 2});
  end listed;
  function both
    input Real x;
    output Real y;
  algorithm y := x;
    external "C" y = f(x);
  end both;
  Real z = time;
end ExternalFunctionRules;
