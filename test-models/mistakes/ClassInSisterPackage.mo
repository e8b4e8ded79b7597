//! run: check --class ClassInSisterPackage.Test
//! exit: 1
//! code: MS2004 line 19
//! snapshot
//! mend: 19:     Parts.Basic.Spring spring(c = 3);
// Wrong: springs are among the basic parts.
package ClassInSisterPackage
  package Parts
    package Basic
      model Spring
        parameter Real c = 1;
        Real f = c*time;
      end Spring;
    end Basic;
    package Sources
    end Sources;
  end Parts;
  model Test
    Parts.Components.Spring spring(c = 3);
  end Test;
end ClassInSisterPackage;
