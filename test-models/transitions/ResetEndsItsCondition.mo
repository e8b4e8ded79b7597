//! run: check --deny warnings
//! stdout: no errors
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/v == 0 +- 1e-9
// A block slows down, sticks, and is torn off again. The reset makes `v < 0` false at once: the two `when` clauses do not
// trigger each other.
model ResetEndsItsCondition
  parameter Real friction = 1;
  Real v(start = 1, fixed = true);
  Boolean stuck(start = false, fixed = true);
  Real pull = if time < 3 then 0 else 0.5*(time - 3);
equation
  der(v) = if stuck then 0 else pull - friction;
  when v < 0 and not pre(stuck) then
    stuck = true;
    reinit(v, 0);
  elsewhen pre(stuck) and pull > friction then
    stuck = false;
  end when;
  annotation(experiment(StopTime = 4));
end ResetEndsItsCondition;
