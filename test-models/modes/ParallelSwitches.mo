//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4001
//! json: /classes/0/index == 0
// Two ideal switches in parallel: when both are closed their currents are not determined one by one.
model ParallelSwitches
  parameter Real R = 10;
  input Boolean a;
  input Boolean b;
  Real u "across the switches";
  Real ia;
  Real ib;
equation
  10 = u + R*(ia + ib);
  0 = if a then u else ia;
  0 = if b then u else ib;
end ParallelSwitches;
