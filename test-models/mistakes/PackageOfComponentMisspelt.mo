//! exit: 1
//! code: MS2002 line 26
//! snapshot
//! mend: 26:   package Chosen = Oil;
// Wrong: a package is misspelt; what would come from it is no second mistake.
model PackageOfComponentMisspelt
  partial package Fluid
    constant Real density;
    replaceable partial function heat
      input Real T;
      output Real h;
    end heat;
  end Fluid;
  package Oil
    extends Fluid(density = 870);
    redeclare function extends heat
    algorithm
      h := 1900*T;
    end heat;
  end Oil;
  model Tank
    replaceable package Medium = Fluid;
    Real m = Medium.density*0.5;
    Real h = Medium.heat(300 + time);
  end Tank;
  package Chosen = Oill;
  Tank tank(redeclare package Medium = Chosen);
end PackageOfComponentMisspelt;
