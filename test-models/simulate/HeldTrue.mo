//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 0.4 +- 1e-9
//! approx: /final/b == 0 +- 1e-12
// A Boolean that holds itself starts true, and stays so until 0.4.
model HeldTrue
  Boolean b(start = true, fixed = true);
  Real x(start = 0, fixed = true);
equation
  b = pre(b) and time < 0.4;
  der(x) = if b then 1 else 0;
  annotation(experiment(StopTime = 1));
end HeldTrue;
