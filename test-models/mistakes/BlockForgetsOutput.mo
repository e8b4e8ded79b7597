//! exit: 1
//! code: MS4013 line 9
//! snapshot
//! mend: 12:     part = y; y = if u > 0 then u else 0;
// Wrong: a block computes something, but not its output. The model that uses it says nothing more.
package BlockForgetsOutput
  block Positive
    input Real u;
    output Real y;
    Real part;
  equation
    part = if u > 0 then u else 0;
  end Positive;
  model Test
    Positive positive(u = sin(time));
    Real x(start = 0, fixed = true);
  equation
    der(x) = positive.y;
  end Test;
end BlockForgetsOutput;
