//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /fixpoints len 0
//! json: /mode_variables/0/name == "g"
//! json: /mode_variables/0/reads == "input"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/when == "not g"
//! json: /classes/0/count == 1
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 1
//! json: /classes/1/when == "g"
//! json: /classes/0/valuations/0/g == false
//! json: /classes/0/singular == null
//! code: MS4004
//! run: check
//! code: MS4004
//! run: modes
//! stdout: not g
// An ideal clutch between two shafts: RR-9334 (3). Engaging it makes the speeds equal, which is one
// equation between states: the index rises from 0 to 1.
model Clutch

  parameter Real j1 = 1 "moment of inertia";
  parameter Real j2 = 2 "moment of inertia";
  parameter Real k1 = 0.01 "damping";
  parameter Real k2 = 0.0125 "damping";
  Real w1(start = 1, fixed = true) "angular velocity";
  Real w2(start = 1.5, fixed = true) "angular velocity";
  Real t1 "torque";
  Real t2 "torque";
  input Boolean g "engaged";
equation
  j1*der(w1) = -k1*w1 + t1;
  j2*der(w2) = -k2*w2 + t2;
  if g then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end Clutch;
