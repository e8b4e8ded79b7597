//! run: check --class PartDoesNotFit.Test
//! exit: 1
//! code: MS2011 line 21
//! code: MS2004 line 18
//! snapshot
// Wrong: the new part lacks what the rig reads of it. That is said first.
package PartDoesNotFit
  partial model Motor
    Real tau;
  end Motor;
  model Dc
    extends Motor(tau = time);
  end Dc;
  model Brake
    Real torque = 2;
  end Brake;
  model Rig
    replaceable Dc m constrainedby Motor; Real y = m.tau;
  end Rig;
  model Test
    Rig rig(redeclare Brake m);
  end Test;
end PartDoesNotFit;
