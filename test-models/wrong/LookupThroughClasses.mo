//! run: check --class NotAPackage
//! exit: 1
//! code: MS2050 line 31
//! run: check --class ConstantOfModel
//! exit: 1
//! code: MS2050 line 34
//! run: check --class PartialPackage
//! exit: 1
//! code: MS2051 line 37
//! run: check --class FromAbove
//! exit: 1
//! code: MS2051 line 40
//! run: check --class ImportsFromModel
//! exit: 1
//! code: MS2039 line 43
//! run: check --class ComponentOfClass
//! exit: 1
//! code: MS2003 line 59
// Wrong: a name leads through a class that is not a package, or is partial.
model Motor
  Real w = 1;
  constant Real c = 2;
  record Data
    Real J = 2;
  end Data;
end Motor;
partial package Medium
  constant Real cp = 4200;
end Medium;
model NotAPackage
  Motor.Data data;
end NotAPackage;
model ConstantOfModel
  Real x = Motor.c;
end ConstantOfModel;
model PartialPackage
  Real h = Medium.cp * time;
end PartialPackage;
model FromAbove
  Real h = .Medium.cp * time;
end FromAbove;
model ImportsFromModel
  import Motor.*;
  Data data;
end ImportsFromModel;
model Holder
  class Tools
    model Tool
      function twice
        input Real x;
        output Real y = 2 * x;
      end twice;
    end Tool;
    constant Tool tool;
  end Tools;
end Holder;
model ComponentOfClass
  Holder holder;
  Real x = holder.Tools.tool.twice(1);
end ComponentOfClass;
