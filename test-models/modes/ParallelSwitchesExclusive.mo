//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /fixpoints len 0
// The same with the promise that they are never closed together.
model ParallelSwitchesExclusive
  parameter Real R = 10;
  input Boolean a;
  input Boolean b;
  Real u;
  Real ia;
  Real ib;
equation
  assert(not (a and b), "break before make");
  10 = u + R*(ia + ib);
  0 = if a then u else ia;
  0 = if b then u else ib;
end ParallelSwitchesExclusive;
