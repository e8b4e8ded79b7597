//! run: check --class ConstantCutShort.Fall
//! exit: 1
//! code: MS2004 line 15
//! snapshot
//! mend: 15:     der(v) = -Nature.g_n;
// Wrong: the constant of the place is `g_n`; `G` is another one.
package ConstantCutShort
  package Nature
    constant Real G = 6.67e-11;
    constant Real g_n = 9.80665;
  end Nature;
  model Fall
    Real v(start = 0, fixed = true);
  equation
    der(v) = -Nature.g;
  end Fall;
end ConstantCutShort;
