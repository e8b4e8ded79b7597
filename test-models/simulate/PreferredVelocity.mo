//! run: simulate --format json
//! json: /completed == true
//! json: /states == ["x1", "v2", "vr"]
//! approx: /final/vr == 2 +- 1e-9
//! approx: /final/v1 == -2 +- 1e-9
//! approx: /final/x1 == -1 +- 1e-6
// Which variables keep their values at a reset is a matter of states: `v2` is one because it is reset, and `vr`, which nobody
// differentiates, because it is preferred. So the difference stays, and `v1` jumps.
model PreferredVelocity
  Real x1(start = 0, fixed = true);
  Real v1(start = 1);
  Real v2(start = 3, fixed = true);
  Real vr(start = 2, fixed = true, stateSelect = StateSelect.prefer);
equation
  der(x1) = v1;
  der(v1) = 0;
  der(v2) = 0;
  vr = v2 - v1;
  when time >= 1 then
    reinit(v2, 0);
  end when;
  annotation(experiment(StopTime = 2));
end PreferredVelocity;
