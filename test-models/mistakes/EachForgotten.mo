//! exit: 1
//! code: MS2030 line 6
//! snapshot
//! mend: 6:   Modelica.Mechanics.Translational.Components.Mass mass[3](each m = 1);
model EachForgotten "Chain of masses"
  Modelica.Mechanics.Translational.Components.Mass mass[3](m = 1);
equation
  for i in 1:2 loop
    connect(mass[i].flange_b, mass[i + 1].flange_a);
  end for;
end EachForgotten;
