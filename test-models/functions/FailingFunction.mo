//! run: simulate --class FailingFunction.Test --format json
//! exit: 1
//! json: /completed == false
//! code: MS6008 line 16
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
