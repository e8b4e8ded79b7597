//! run: simulate --stop-time 2 --format json
//! json: /event_count == 2
//! json: /events/0/from/on == false
//! json: /events/0/to/on == true
//! json: /events/0/causes contains "on"
//! json: /events/0/causes contains "x > 0.5"
//! json: /events/1/causes contains "time >= 1.5"
//! json: /events/1/from contains "time >= 1.5"
//! json: /events/1/to/on == true
// Events say which conditions changed, and the mode before and after.
model NamedConditions
  Real x(start = 0, fixed = true);
  Boolean on = x > 0.5;
equation
  der(x) = if time >= 1.5 then 2 else 1;
end NamedConditions;
