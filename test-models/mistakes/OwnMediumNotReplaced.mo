//! run: check --class OwnMediumNotReplaced.Vessel
//! exit: 1
//! code: MS2014 line 21
//! snapshot
//! mend: 21:     package Medium = Water;
package OwnMediumNotReplaced
  partial package Fluid
    replaceable partial function density
      input Real T;
      output Real d;
    end density;
  end Fluid;
  package Water
    extends Fluid;
    redeclare function extends density
    algorithm
      d := 1000 - 0.2*T;
    end density;
  end Water;
  model Vessel
    package Medium = Fluid;
    Real m = 2*Medium.density(20 + time);
  end Vessel;
end OwnMediumNotReplaced;
