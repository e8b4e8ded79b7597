//! run: flatten --class EncapsulatedPackage
// encapsulated package: only imported names are seen inside; lookup by full path, leading dot, own constants.
package Shared
  constant Real scale = 3;
  type Level = Real(unit = "m");
  function grow
    input Real u;
    output Real y;
  algorithm
    y := scale*u;
  end grow;
end Shared;

encapsulated package Closed
  import Shared;
  import Shared.Level;
  constant Real scale = 7;
  encapsulated model Tank
    import Closed;
    import Shared.grow;
    import L = Shared.Level;
    L level(start = 1, fixed = true);
  equation
    der(level) = -grow(level)/Closed.scale;
  end Tank;
  package Inner
    constant Real product = scale*Shared.scale;
    model Reader
      Level l = product*time;
      Real k = .Shared.scale;
    end Reader;
  end Inner;
end Closed;

model EncapsulatedPackage
  Closed.Tank tank(level.start = 2);
  Closed.Inner.Reader reader;
  Real scale = time;
  Real y = .Closed.scale*scale;
end EncapsulatedPackage;
