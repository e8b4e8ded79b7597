//! run: simulate --format json
//! json: /completed == true
//! approx: /final/count == 4 +- 1e-12
//! approx: /final/seen == 4 +- 1e-12
//! approx: /final/late == 12 +- 1e-12
//! approx: /final/area == 1.5 +- 1e-8
// What lies between two when equations is never stale, and pre(count) is count as soon as the event is over.
model OneSystemAtAnEvent
  discrete Real count(start = 0, fixed = true);
  discrete Real seen(start = 0, fixed = true);
  discrete Real late(start = 0, fixed = true);
  Real between;
  Real area(start = 0, fixed = true);
equation
  between = count;
  when sample(0.25, 0.25) then
    count = pre(count) + 1;
    seen = between;
  end when;
  when time > 0.6 then
    late = between + 10;
  end when;
  der(area) = pre(count);
  annotation(experiment(StopTime = 1));
end OneSystemAtAnEvent;
