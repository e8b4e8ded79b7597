//! run: check --class FixedPartRedeclared.Other
//! exit: 1
//! code: MS2010 line 19
//! snapshot
//! mend: 15:     replaceable Spring part(c = 2) constrainedby Part;
// Wrong: the part cannot be replaced; that the other one would not fit is no second mistake.
package FixedPartRedeclared
  partial model Part
    Real f;
  end Part;
  model Spring extends Part; parameter Real c = 1; equation f = c*time; end Spring;
  model Damper extends Part; parameter Real d = 1; equation f = d; end Damper;
  model Rig
    // The only part.
    Spring part(c = 2);
    Real f = part.f;
  end Rig;
  model Other
    extends Rig(redeclare Damper part(d = 3));
  end Other;
end FixedPartRedeclared;
