//! run: simulate --method capture --step 0.01 --format json
//! json: /completed == true
//! approx: /final/x == 0 +- 1e-9
//! approx: /final/y == 0.5 +- 1e-6
//! run: simulate --format json
//! exit: 1
//! code: MS6007
// Two modes push the model onto the surface between them; on it, x rests and y goes on.
model Relay
  Real x(start = 0.505, fixed = true);
  Real y(start = 0, fixed = true);
  Real u;
equation
  u = if x > 0 then -1 else 1;
  der(x) = u;
  der(y) = 0.5;
  annotation(experiment(StopTime = 1));
end Relay;
