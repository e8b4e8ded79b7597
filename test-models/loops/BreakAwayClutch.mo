//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops/0/status == "hysteresis"
// The same where breaking away takes more torque than sliding: in between, stuck and sliding both fit.
model BreakAwayClutch
  parameter Real J1 = 1, J2 = 2, tau0 = 3, peak = 1.5;
  input Real t1, t2;
  Real w1(start = 0), w2(start = 0), tau, sa, a;
  Boolean forward, backward;
equation
  J1*der(w1) = t1 - tau;
  J2*der(w2) = tau + t2;
  a = der(w1) - der(w2);
  forward = sa > peak*tau0;
  backward = sa < -peak*tau0;
  a = if forward then sa - peak*tau0 elseif backward then sa + peak*tau0 else 0;
  tau = if forward then tau0 elseif backward then -tau0 else sa;
end BreakAwayClutch;
