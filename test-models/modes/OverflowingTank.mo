//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 2
//! json: /classes/0/when == "not full"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 1
//! json: /classes/1/when == "full"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// A Boolean with memory; the level keeps its value in both modes and may be read, the overflow only as left limit.
model OverflowingTank
  parameter Real A = 2, hMax = 3;
  input Real qIn;
  Real h(start = 1), qOut, qOver;
  Boolean full(start = false), reached(start = false, fixed = true);
equation
  A*der(h) = qIn - qOut - qOver;
  qOut = 0.1*h;
  reached = qOver > 0;
  full = if pre(full) then pre(reached) else h >= hMax;
  0 = if full then h - hMax else qOver;
end OverflowingTank;
