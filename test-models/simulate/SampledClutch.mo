//! run: simulate --format json
//! json: /completed == true
//! json: /final/n == 10.0
//! json: /final/engagements == 2.0
//! json: /final/p == 1.0
//! json: /final/ended == 1.0
//! json: /final/quarters == 4.0
//! approx: /final/w1 == 5.5 +- 1e-6
//! approx: /final/w2 == 5.5 +- 1e-6
//! approx: /final/seen == 5.5 +- 1e-6
//! run: check
//! code: MS4004
//! run: restart --from "p == Phase.drive=false" --to "p == Phase.drive=true" --at w1=10,w2=0,n=2 --format json
//! approx: /right/w1 == 5 +- 1e-9
//! approx: /right/seen == 5 +- 1e-9
// A clutch that a sampled automaton closes and opens: structure and discrete variables change at the same instants.
//   0   to 0.3: open; w1 = 10 + t, w2 = 0
//   at 0.3:     closed; both 10.3/2 = 5.15, then they rise by 0.5 per second
//   at 0.5:     open; w1 = 5.25 + (t - 0.5)
//   at 0.8:     closed; (5.55 + 5.25)/2 = 5.4; at 1: 5.5
model SampledClutch
  type Phase = enumeration(drive, free);
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), tau;
  Phase p(start = Phase.free, fixed = true);
  Integer n(start = 0, fixed = true) "samples";
  Integer engagements(start = 0, fixed = true);
  Integer quarters "integer part of something that moves";
  discrete Real seen(start = 0, fixed = true) "speed right after it was sampled";
  Boolean ended(start = false, fixed = true);
equation
  der(w1) = 1 - tau;
  der(w2) = tau;
  if p == Phase.drive then
    w1 = w2;
  else
    tau = 0;
  end if;
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
    p = if pre(n) + 1 == 3 or pre(n) + 1 == 8 then Phase.drive elseif pre(n) + 1 == 5 then Phase.free else pre(p);
    seen = w2;
  end when;
  when p == Phase.drive then
    engagements = pre(engagements) + 1;
  end when;
  quarters = integer(4*time);
  when terminal() then
    ended = true;
  end when;
end SampledClutch;
