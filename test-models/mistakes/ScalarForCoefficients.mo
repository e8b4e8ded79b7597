//! exit: 1
//! code: MS2024 line 14
//! snapshot
//! mend: 14:   Polynomial p(c = {2});
// Wrong: a vector whose length its value decides is given a number.
package ScalarForCoefficients
  block Polynomial
    parameter Real c[:] = {1};
    output Real y;
  equation
    y = sum(c[k]*time^(k - 1) for k in 1:size(c, 1));
  end Polynomial;
  model Test
    Polynomial p(c = 2);
  end Test;
end ScalarForCoefficients;
