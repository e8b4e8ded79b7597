//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 4
//! json: /fixpoints len 1
//! json: /loops/0/status == "state-changing"
//! json: /fixpoints_complete == true
//! code: MS4002
// The same with conditions on the present values of what they decide.
model VoltageDoublerNow
  parameter Real C1 = 1e-3, C2 = 1e-3, R = 1000;
  Real u1(start = 0), vo(start = 0), va, ic, id1, id2, ud1, ud2, s1, s2;
  Boolean d1 = s1 >= 0, d2 = s2 >= 0;
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
end VoltageDoublerNow;
