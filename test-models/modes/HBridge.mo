//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 16
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4001
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 4
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 4
//! json: /classes/2/singular != null
//! json: /classes/2/count == 1
// Four switches around a coil. One switch per leg: the current is free. A leg without a closed switch stops the current
// (index 1), both legs without leave two potentials with one equation; two closed switches in a leg short the source.
model HBridge
  parameter Real E = 24, L = 0.01, R = 1;
  input Boolean s[4];
  Real il(start = 0), va, vb, i[4];
equation
  L*der(il) = va - vb - R*il;
  i[1] - i[2] = il;
  i[3] - i[4] = -il;
  0 = if s[1] then va - E else i[1];
  0 = if s[2] then va else i[2];
  0 = if s[3] then vb - E else i[3];
  0 = if s[4] then vb else i[4];
end HBridge;
