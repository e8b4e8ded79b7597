//! run: check --class ClassInNeighbourPackage.Circuit
//! exit: 1
//! code: MS2004 line 21
//! snapshot
//! mend: 21:     Parts.Sources.Supply supply;
// Wrong: the class is in the package beside this one.
package ClassInNeighbourPackage
  package Parts
    package Sources
      model Supply
        Real v = 12;
      end Supply;
    end Sources;
    package Basic
      model Lamp
        Real i;
      end Lamp;
    end Basic;
  end Parts;
  model Circuit
    Parts.Basic.Supply supply;
    Real twice = 2*supply.v;
  end Circuit;
end ClassInNeighbourPackage;
