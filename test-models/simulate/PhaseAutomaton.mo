//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/phase == 2 +- 1e-12
//! approx: /final/phase == 1 +- 1e-12
//! approx: /final/x == 1.05 +- 1e-8
// Starts in its second phase: x reaches 0.6 at 0.6, then 1 at 0.8, then grows slowly until 1.3.
model PhaseAutomaton
  type Phase = enumeration(slow, medium, fast);
  Phase phase(start = Phase.medium, fixed = true);
  Real x(start = 0, fixed = true);
equation
  phase = if pre(phase) == Phase.medium and x > 0.6 then Phase.fast
    elseif pre(phase) == Phase.fast and x > 1 then Phase.slow else pre(phase);
  der(x) = if phase == Phase.medium then 1 elseif phase == Phase.fast then 2 else 0.1;
  annotation(experiment(StopTime = 1.3));
end PhaseAutomaton;
