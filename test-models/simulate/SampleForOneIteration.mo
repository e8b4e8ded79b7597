//! run: check
//! run: simulate --format json --stop-time 1
//! json: /completed == true
//! approx: /final/later == 4 +- 1e-12
//! approx: /final/together == 5 +- 1e-12
//! approx: /final/summed == 5 +- 1e-12
//! approx: /final/toggled == 1 +- 1e-12
//! approx: /final/quiet == 5 +- 1e-12
// `sample` is true during the first event iteration of its instant only (section 3.7.5 of the specification). Instants 0.2, 0.4, …, 1:
//   later:    `pre(n) >= 1` becomes true in the second iteration at 0.2, when the sample is over: 4 of 5 count
//   together: `n >= 1` holds in the first iteration already: all 5 count
//   summed, toggled: what an equation outside `when` adds or turns round, it does once per instant
//   quiet:    `not sample(…)` becomes true again in the second iteration
model SampleForOneIteration
  Integer n(start = 0, fixed = true);
  Integer later(start = 0, fixed = true), together(start = 0, fixed = true);
  Integer summed(start = 0, fixed = true), quiet(start = 0, fixed = true);
  Boolean t(start = false, fixed = true);
  Boolean s = sample(0.2, 0.2);
  Integer toggled = if t then 1 else 0;
equation
  when sample(0.2, 0.2) then
    n = pre(n) + 1;
  end when;
  when sample(0.2, 0.2) and pre(n) >= 1 then
    later = pre(later) + 1;
  end when;
  when s and n >= 1 then
    together = pre(together) + 1;
  end when;
  summed = pre(summed) + (if s then 1 else 0);
  t = if s then not pre(t) else pre(t);
  when not s then
    quiet = pre(quiet) + 1;
  end when;
end SampleForOneIteration;
