//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 2
//! json: /classes/0/when == "not motor"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 0
//! json: /classes/0/count == 1
//! json: /classes/1/when == "motor"
//! json: /classes/1/index == 0
//! json: /classes/1/pryce_index == 1
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4005
// The speed is a state only while the motor drives.
model DriveOrHold
  input Boolean motor;
  Real w(start = 0), tau;
equation
  if motor then
    2*der(w) = tau;
    tau = 1 - w;
  else
    w = 0;
    tau = 0;
  end if;
end DriveOrHold;
