//! run: check --deny warnings
//! stdout: no errors
//! run: modes --format json
//! json: /verdict == "accepted"
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 1.5 +- 1e-6
// `state` decides, and takes its value from `last`, which is compared nowhere.
model EnumerationFromAnother
  type Phase = enumeration(idle, busy, done);
  Phase state(start = Phase.idle, fixed = true), last(start = Phase.busy, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if state == Phase.busy then 2 else 1;
  when time > 0.5 then
    state = if x > 3 then Phase.done else pre(last);
  end when;
  when time > 0.75 then
    last = Phase.idle;
  end when;
end EnumerationFromAnother;
