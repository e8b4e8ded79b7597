//! run: flatten --class ModeHysteresis
// Multimode: thermostat with hysteresis, two heaters in turn, the discrete state by pre in an equation.
model Thermostat
  parameter Real low = 18, high = 22;
  input Real T;
  output Boolean on(start = true, fixed = true);
equation
  on = not pre(on) and T < low or pre(on) and T < high;
end Thermostat;

model ModeHysteresis
  parameter Real C = 1e3, G = 10, P = 300, Tamb = 5;
  Real T(start = 15, fixed = true), Q;
  Thermostat control(T = T);
  Integer switches(start = 0, fixed = true);
  Boolean second(start = false, fixed = true) "which of the two heaters";
equation
  C*der(T) = Q - G*(T - Tamb);
  if control.on then
    Q = if second then 0.8*P else P;
  else
    Q = 0;
  end if;
  when change(control.on) then
    switches = pre(switches) + 1;
    second = mod(switches, 4) >= 2;
  end when;
end ModeHysteresis;
