//! run: check --class ArrayOfOne.Test --deny warnings
//! exit: 1
//! code: MS3003 line 21
//! snapshot
//! mend: 21:     connect(a.y, b.u[1]);
// Wrong: the input is an array, although of one element.
package ArrayOfOne
  connector In = input Real;
  connector Out = output Real;
  block Source
    Out y = time;
  end Source;
  block Sum
    parameter Integer n = 1;
    In u[n];
    Out y = sum(u);
  end Sum;
  model Test
    Source a; Sum b;
  equation
    connect(a.y, b.u);
  end Test;
end ArrayOfOne;
