//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 3
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// The saturated value is no state, but follows from states before any condition is needed.
model AntiWindup
  parameter Real kp = 2, uMax = 1;
  Real y(start = 0), xi(start = 0), e, v, u;
equation
  e = sin(time) - y;
  v = kp*e + xi;
  u = if v > uMax then uMax elseif v < -uMax then -uMax else v;
  der(xi) = if v > uMax or v < -uMax then 0 else e;
  der(y) = u - y;
end AntiWindup;
