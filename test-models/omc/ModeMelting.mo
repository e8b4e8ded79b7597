//! run: flatten --class ModeMelting
// Multimode: heating ice to water in one enthalpy balance: three modes by enthalpy, nested if-expression and if-equation.
model ModeMelting
  parameter Real m = 1, cIce = 2100, cWater = 4200, hf = 334e3, T0 = 273.15;
  Real H(start = -50e3, fixed = true) "enthalpy, zero for ice at melting point";
  Real T, x "liquid part";
  Real P = if time < 400 then 1000 else -200;
equation
  der(H) = P;
  if H < 0 then
    H = m*cIce*(T - T0);
    x = 0;
  elseif H < m*hf then
    T = T0;
    H = x*m*hf;
  else
    x = 1;
    H = m*hf + m*cWater*(T - T0);
  end if;
end ModeMelting;
