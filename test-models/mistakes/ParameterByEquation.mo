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
