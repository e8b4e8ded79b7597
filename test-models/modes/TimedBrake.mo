//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 2
//! json: /classes/0/when == "time < 2"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 2
//! json: /classes/1/when == "time >= 2"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Conditions on time alone are known; `time < 1` implies `time < 2`.
model TimedBrake
  Real phi(start = 0), w(start = 1), tau;
equation
  der(phi) = w;
  2*der(w) = sin(time) - tau;
  0 = if time < 1 then tau elseif time < 2 then tau - 0.5*w else w;
end TimedBrake;
