//! exit: 1
//! code: MS2046 line 7
//! snapshot
//! mend: 7:   Real rho "Density";
model ParameterByEquation "Air density that follows the temperature"
  parameter Real p = 1e5;
  parameter Real rho "Density";
  Real T(start = 290, fixed = true);
  Real F;
equation
  der(T) = -0.01*(T - 280);
  rho = p/(287*T);
  F = 0.5*rho;
end ParameterByEquation;
