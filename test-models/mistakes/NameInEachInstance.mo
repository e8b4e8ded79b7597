//! exit: 1
//! code: MS2001 line 11
//! snapshot
//! mend: 11:     y = sin(2*3.14159265358979*f*time);
// Wrong: one name in one text, which is read for each component.
package NameInEachInstance
  block Wave
    parameter Real f = 2;
    output Real y;
  equation
    y = sin(2*pi*f*time);
  end Wave;
  model Beat
    Wave a;
    Wave b(f = 2.2);
    Real y = a.y + b.y;
  end Beat;
end NameInEachInstance;
