//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "hysteresis"
// Once it slides, the clutch sticks again below the sliding torque only. Where `sa` passes the torque of breaking away while it
// slides, nothing changes, so that nothing has to be chosen there although sticking begins to fit at the same point.
model RestartedClutch
  parameter Real J1 = 1, J2 = 2, tau0 = 3, peak = 1.1;
  input Real t1, t2;
  Real w1(start = 0), w2(start = 0), tau, sa, a;
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
equation
  J1*der(w1) = t1 - tau;
  J2*der(w2) = tau + t2;
  a = der(w1) - der(w2);
  forward = sa > peak*tau0 or pre(forward) and sa > tau0;
  backward = sa < -peak*tau0 or pre(backward) and sa < -tau0;
  a = if forward then sa - peak*tau0 elseif backward then sa + peak*tau0 else 0;
  tau = if forward then tau0 elseif backward then -tau0 else sa;
end RestartedClutch;
