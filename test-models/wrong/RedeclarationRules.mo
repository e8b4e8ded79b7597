//! exit: 1
//! code: MS2011 line 23
//! code: MS2011 line 26
//! code: MS2011 line 29
//! code: MS2011 line 33
//! code: MS2011 line 38
//! code: MS2010 line 44
//! code: MS2007 line 47
//! code: MS2011 line 51
// Wrong: what a redeclaration cannot do.
package RedeclarationRules
  model Motor
    replaceable type Kind = enumeration(a, b);
    replaceable Real load = time;
    replaceable constant Real k = 1;
    replaceable record Data
      Real mass = 1;
      Real[2] size = {1, 2};
    end Data;
    Data data;
  end Motor;
  record Massless Real size[2] = {1, 2}; end Massless;
  model PartMissing = Motor(redeclare record Data = Massless);
  record Heavy "mass is no number" String mass = "much"; Real size[2] = {1, 2}; end Heavy;
  model TypeOfPart
    extends Motor(redeclare record Data = Heavy);
  end TypeOfPart;
  model Literals
    extends Motor(redeclare type Kind = enumeration(a, b, c));
  end Literals;
  model OfConstant
    extends Motor;
    redeclare Real k = 2;
  end OfConstant;
  model Hidden
    extends Motor;
  protected
    redeclare Real load = 2*time;
  end Hidden;
  model Settled
    extends Motor(redeclare Real load = 3*time);
  end Settled;
  model Again
    extends Settled(redeclare Real load = 4*time);
  end Again;
  model TwoValues
    Motor m(redeclare Real load = 1, load = 2);
  end TwoValues;
  model Conditional
    extends Motor;
    redeclare Real load if true;
  end Conditional;
end RedeclarationRules;
