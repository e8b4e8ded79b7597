//! exit: 1
//! code: MS2022 line 14
//! snapshot
//! mend: 14:   Real f = drag(time, density = 1.1);
// Wrong: a named argument does not exist.
model ArgumentMisspelt
  function drag
    input Real speed;
    input Real density = 1.2;
    output Real force;
  algorithm
    force := 0.5*density*speed^2;
  end drag;
  Real f = drag(time, densty = 1.1);
end ArgumentMisspelt;
