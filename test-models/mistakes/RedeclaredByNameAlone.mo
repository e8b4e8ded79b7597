//! run: check --class RedeclaredByNameAlone.Test
//! exit: 1
//! code: MS0012 line 19
//! snapshot
//! mend: 19:     Volume volume(redeclare package Medium = Oil);
// Wrong: after `redeclare` comes a declaration, which says that it is a package.
package RedeclaredByNameAlone
  package Water
    constant Real d = 1000;
  end Water;
  package Oil
    constant Real d = 800;
  end Oil;
  model Volume
    replaceable package Medium = Water;
    Real m = Medium.d*time;
  end Volume;
  model Test
    Volume volume(redeclare Medium = Oil);
  end Test;
end RedeclaredByNameAlone;
