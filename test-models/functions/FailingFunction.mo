//! run: simulate --class FailingFunction.Test --format json
//! exit: 1
//! json: /completed == false
//! code: MS6008 line 15
//! run: simulate --class FailingFunction.Test
//! exit: 1
//! code: MS6008 line 15
//! stderr: at time 0.5 the function `FailingFunction.checked` fails: x is too large
// An assertion in a function ends the run where it does not hold, and the message says what it says.
package FailingFunction
  function checked
    input Real x;
    output Real y;
  algorithm
    assert(x < 0.5, "x is too large");
    y := x;
  end checked;

  model Test
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1 + checked(time);
    annotation(experiment(StopTime = 1));
  end Test;
end FailingFunction;
