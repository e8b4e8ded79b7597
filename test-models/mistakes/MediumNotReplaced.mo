//! run: check --class MediumNotReplaced.Plant
//! exit: 1
//! code: MS2014 line 29
//! snapshot
//! mend: 29:     Volume second(redeclare package Medium = Water);
// Wrong: one of two volumes is left with the partial medium, whose functions compute nothing.
package MediumNotReplaced
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
  model Volume
    replaceable package Medium = Fluid;
    Real T = 20 + time;
    Real m = Medium.density(T);
    Real w = Medium.density(T + 1);
  end Volume;
  model Plant
    Volume first(redeclare package Medium = Water);
    Volume second;
  end Plant;
end MediumNotReplaced;
