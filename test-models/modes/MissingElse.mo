//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 2
//! json: /classes len 2
//! json: /classes/0/when == "not on"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 0
//! json: /classes/0/count == 1
//! json: /classes/1/when == "on"
//! json: /classes/1/singular != null
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4001
// An equation too many in one mode.
model MissingElse
  input Boolean on;
  Real x, y;
equation
  x = sin(time);
  if on then
    y = x;
  end if;
  x + y = 1;
end MissingElse;
