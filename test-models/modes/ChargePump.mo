//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 1
//! json: /classes/0/pryce_index == 2
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4004
// Index 1 in both modes, but different equations are differentiated.
model ChargePump
  parameter Real C = 1e-6;
  Real uc(start = 0), vo(start = 0), i, io;
  Boolean phase = sin(1000*time) > 0;
equation
  C*der(uc) = if phase then i else -io;
  10*C*der(vo) = io - vo/1e4;
  0 = if phase then uc - 5 else i;
  0 = if phase then io else 5 + uc - vo;
end ChargePump;
