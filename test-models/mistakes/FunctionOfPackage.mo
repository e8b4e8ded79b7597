//! run: check --deny warnings
//! exit: 1
//! code: MS2001 line 12
//! code: MS2047 line 19
//! snapshot
// Wrong: functions that no model of the package calls have mistakes like others.
package FunctionOfPackage
  function area
    input Real r;
    output Real a;
  algorithm
    a := 3.14*radius^2;
  end area;
  function sign
    input Real x;
    output Integer s;
  algorithm
    // Nothing for zero.
    if x > 0 then
      s := 1;
    elseif x < 0 then
      s := -1;
    end if;
  end sign;
  model Test
    Real x = time;
  end Test;
end FunctionOfPackage;
