//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops/0/status == "unique"
// Friction between two inertias that were stuck: at the level of accelerations nothing changes which states there are.
model StuckClutch
  parameter Real J1 = 1, J2 = 2, tau0 = 3;
  input Real t1, t2;
  Real w1(start = 0), w2(start = 0), tau, sa, a;
  Boolean forward, backward;
equation
  J1*der(w1) = t1 - tau;
  J2*der(w2) = tau + t2;
  a = der(w1) - der(w2);
  forward = sa > tau0;
  backward = sa < -tau0;
  a = if forward then sa - tau0 elseif backward then sa + tau0 else 0;
  tau = if forward then tau0 elseif backward then -tau0 else sa;
end StuckClutch;
