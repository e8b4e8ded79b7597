//! run: check --class RodBetweenTwoDrives.Test
//! exit: 1
//! code: MS4001 line 24
//! snapshot
//! mend: 25:     Drive b(x = 0.3, fixed = false);
// Wrong: both ends of a rod have a given position. That its force is open follows from that.
package RodBetweenTwoDrives
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  model Rod
    Flange a, b;
  equation
    b.s = a.s + 0.5;
    a.f + b.f = 0;
  end Rod;
  model Drive
    Flange flange;
    parameter Real x = 0; parameter Boolean fixed = true;
  equation if fixed then flange.s = x; else flange.f = x; end if;
  end Drive;
  model Test
    Drive a;
    Drive b;
    Rod rod;
  equation
    connect(a.flange, rod.a);
    connect(rod.b, b.flange);
  end Test;
end RodBetweenTwoDrives;
