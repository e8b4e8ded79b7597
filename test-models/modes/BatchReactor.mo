//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 36
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 36
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// A chain of `elsewhen` moves an integer between three values. Modes: 3 steps, whether the step before the instant was
// 1, three thresholds of which those on `level` exclude each other.
model BatchReactor
  Real level(start = 0), inflow, outflow, heat, T(start = 20);
  discrete Integer step(start = 1, fixed = true);
equation
  der(level) = inflow - outflow;
  der(T) = heat - 0.01*(T - 20);
  inflow = if step == 1 then 1 else 0;
  heat = if step == 2 then 5 else 0;
  outflow = if step == 3 then 2 else 0;
  when level >= 10 and pre(step) == 1 then
    step = 2;
  elsewhen T >= 80 then
    step = 3;
  elsewhen level <= 0.1 then
    step = 1;
  end when;
end BatchReactor;
