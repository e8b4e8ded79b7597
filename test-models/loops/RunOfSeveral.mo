//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 4
//! code: MS6005
// Both relays are off while u < 0. Where u rises through zero either may switch on and keeps the other one off: the first one is
// taken, and that others would have fitted is said once for the whole run.
model RunOfSeveral
  Real u = 2*sin(time) - 1;
  Real y1;
  Real y2;
equation
  y1 = u + (if y1 > 0 then 2 else 0) - (if y2 > 0 then 3 else 0);
  y2 = u + (if y2 > 0 then 2 else 0) - (if y1 > 0 then 3 else 0);
  annotation(experiment(StopTime = 12));
end RunOfSeveral;
