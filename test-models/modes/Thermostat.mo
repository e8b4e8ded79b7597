//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /mode_variables/0/name == "heating"
//! json: /mode_variables len 1
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
// Hysteresis: the mode is what `heating` is, not the two comparisons that change it.
model Thermostat
  Real T(start = 18);
  Boolean heating(start = true);
equation
  heating = T < 19 or pre(heating) and T < 21;
  der(T) = (if heating then 10 else 0) - 0.5*(T - 5);
end Thermostat;
