//! run: simulate --format json
//! json: /completed == true
//! json: /states == ["p"]
//! approx: /final/p == 7.3890560989 +- 1e-4
// A vessel whose mass is a function of its pressure that nobody wants to invert: with the pressure as a state nothing is
// inverted. Here m = p + ln(p) + exp(-p), and p grows as p' = p.
model PreferredPressure
  function mass
    input Real p;
    output Real m;
  algorithm
    m := p + log(p) + exp(-p);
  end mass;
  Real m;
  Real p(start = 1, fixed = true, stateSelect = StateSelect.prefer);
equation
  m = mass(p);
  der(m) = p + 1 - p*exp(-p);
  annotation(experiment(StopTime = 2));
end PreferredPressure;
