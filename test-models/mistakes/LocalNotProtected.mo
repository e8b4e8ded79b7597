//! exit: 1
//! code: MS2031 line 9
//! snapshot
//! mend: 9:   protected Real sum2;
model LocalNotProtected "Mean of the squares"
  function rms
    input Real u[:];
    output Real y;
    Real sum2;
  algorithm
    sum2 := u*u;
    y := sqrt(sum2/size(u, 1));
  end rms;
  Real y = rms({sin(time), cos(time), 1});
end LocalNotProtected;
