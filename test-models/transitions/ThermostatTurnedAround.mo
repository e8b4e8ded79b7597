//! run: check
//! exit: 1
//! code: MS5006 line 12
//! run: transitions --format json
//! exit: 1
//! code: MS5006 line 12
// The limits are exchanged: between 20 and 22, heating switches off because it is on, and on because it is off.
model ThermostatTurnedAround
  Real T(start = 18, fixed = true);
  Boolean heating(start = true, fixed = true);
equation
  heating = if pre(heating) then T < 20 else T < 22;
  der(T) = if heating then 2 else -1;
end ThermostatTurnedAround;
