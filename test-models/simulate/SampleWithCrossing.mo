//! run: simulate --format json --stop-time 1.2
//! json: /final/early == 1
//! json: /final/late == 1
// The quotient reaches a whole number at 1, where a sample is due, and rounding finds it a little earlier. The sample sees that
// the time is not before 1.
model SampleWithCrossing
  Real x(start = 1.5, fixed = true);
  Real steps;
  Integer early(start = 0, fixed = true);
  Integer late(start = 0, fixed = true);
equation
  der(x) = 0.5;
  steps = div(0.4 - 2*x, 0.6);
  when sample(0.5, 0.5) then
    early = if time < 1 then pre(early) + 1 else pre(early);
    late = if time >= 1 then pre(late) + 1 else pre(late);
  end when;
end SampleWithCrossing;
