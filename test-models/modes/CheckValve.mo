//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 2
//! json: /classes/0/when == "not open"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 1
//! json: /classes/1/when == "open"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4004
// Two vessels: equal pressures while the valve is open (index 1), no flow while it is closed.
model CheckValve
  Real p1(start = 2), p2(start = 1), q, s;
  Boolean reached(start = false, fixed = true) = s > 0, open(start = true) = pre(reached);
equation
  3*der(p1) = 0.1*(1 - p1) - q;
  2*der(p2) = q - 0.2*p2;
  0 = if open then p1 - p2 else q;
  s = if open then q else p1 - p2;
end CheckValve;
