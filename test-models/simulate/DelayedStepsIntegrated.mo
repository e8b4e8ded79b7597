//! run: simulate --format json
//! approx: /final/x == 3.4375 +- 1e-7
// A staircase comes out 0.45 later, at instants that are no exact numbers. Integrated, it must not be smeared over the steps on
// both sides: x(3) = -1 + 0.5*(0.7 + 0.25*(1.5 + 2 + … + 5.5) + 0.05*6) = 3.4375.
model DelayedStepsIntegrated
  discrete Real a(start = -1, fixed = true);
  Real q = pre(a) + 2;
  Real x(start = -1, fixed = true);
equation
  when sample(0.25, 0.25) then
    a = pre(a) + 0.5;
  end when;
  der(x) = 0.5*delay(q, 0.45);
  annotation(experiment(StopTime = 3));
end DelayedStepsIntegrated;
