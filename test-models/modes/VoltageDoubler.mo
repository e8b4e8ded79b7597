//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 3
//! json: /classes/0/when == "not d1 and not d2"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 1
//! json: /classes/1/when == "d1 and d2"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 1
//! json: /classes/2/when == "d1 and not d2 or not d1 and d2"
//! json: /classes/2/index == 1
//! json: /classes/2/pryce_index == 2
//! json: /classes/2/dof == 1
//! json: /classes/2/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Each conducting diode ties a capacitor to the source or to the other capacitor.
model VoltageDoubler
  parameter Real C1 = 1e-3, C2 = 1e-3, R = 1000;
  Real u1(start = 0), vo(start = 0), va, ic, id1, id2, ud1, ud2, s1, s2;
  Boolean reached1(start = true, fixed = true) = s1 >= 0, reached2(start = true, fixed = true) = s2 >= 0, d1 = pre(reached1), d2 = pre(reached2);
equation
  va = sin(time) - u1;
  C1*der(u1) = ic;
  ic + id1 = id2;
  C2*der(vo) = id2 - vo/R;
  ud1 = -va;
  ud2 = va - vo;
  0 = if d1 then ud1 else id1;
  s1 = if d1 then id1 else ud1;
  0 = if d2 then ud2 else id2;
  s2 = if d2 then id2 else ud2;
end VoltageDoubler;
