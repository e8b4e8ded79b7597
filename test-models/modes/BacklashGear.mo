//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 4
//! json: /classes/0/count == 3
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Two thresholds on the difference of states. It follows from them in every mode, so the conditions can be evaluated.
model BacklashGear
  parameter Real b = 0.1, c = 1e3;
  Real phi1(start = 0), w1(start = 1), phi2(start = 0), w2(start = 0), tau, d;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  d = phi1 - phi2;
  der(w1) = -tau;
  3*der(w2) = tau;
  tau = if d > b/2 then c*(d - b/2) elseif d < -b/2 then c*(d + b/2) else 0;
end BacklashGear;
