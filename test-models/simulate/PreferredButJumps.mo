//! run: simulate --format json
//! json: /completed == true
//! json: /states == ["m"]
//! approx: /final/p == 0.5 +- 1e-9
// The volume of a vessel jumps: its mass stays, and its pressure jumps with the volume. Preferred or not, `p` is no state.
model PreferredButJumps
  Real m(start = 1, fixed = true);
  Real p(stateSelect = StateSelect.prefer);
  Real V = if time >= 1 then 2 else 1;
equation
  m = p*V;
  der(m) = 0;
  annotation(experiment(StopTime = 2));
end PreferredButJumps;
