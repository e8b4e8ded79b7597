//! exit: 0
//! code: MS4018 line 12
//! snapshot
//! mend: 10:   Boolean heating(start = true, fixed = true);
//! mend: 12:   heating = T < limit - 1 or pre(heating) and T < limit + 1;
// Wrong: heating switches on and off at the same temperature.
model ThermostatWithOneThreshold
  parameter Real limit = 20;
  Real T(start = 15, fixed = true);
  Boolean heating;
equation
  heating = T < limit;
  der(T) = if heating then 1 else -0.5;
end ThermostatWithOneThreshold;
