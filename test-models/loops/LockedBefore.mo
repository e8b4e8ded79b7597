//! run: modes --format json
//! json: /loops len 1
//! json: /loops/0/status == "unique"
//! run: check
// What a clutch did before decides over its equations: it was stuck, or slid forward, or backward, never two of them at once. With
// `peak = 1` the two thresholds are one, and in each case exactly one continuation fits.
model LockedBefore
  parameter Real J1 = 1, J2 = 2, peak = 1;
  input Real t1, t2, normal;
  Real w1(start = 0), w2(start = 0), w, a, sa, tau, tau0, tau0_max;
  Boolean free, startForward, startBackward, locked;
  Integer mode(start = 0);
equation
  J1*der(w1) = t1 - tau;
  J2*der(w2) = tau + t2;
  w = w1 - w2;
  a = der(w);
  tau0 = 0.5*normal;
  tau0_max = peak*tau0;
  free = normal <= 0;
  startForward = pre(mode) == 0 and (sa > tau0_max or pre(startForward) and sa > tau0) or pre(mode) == -1 and w > 1e-10;
  startBackward = pre(mode) == 0 and (sa < -tau0_max or pre(startBackward) and sa < -tau0) or pre(mode) == 1 and w < -1e-10;
  locked = not free and not (pre(mode) == 1 or startForward or pre(mode) == -1 or startBackward);
  a = if locked then 0 elseif free then sa elseif startForward or not startBackward and pre(mode) == 1 then sa - tau0_max
    else sa + tau0_max;
  tau = if locked then sa elseif free then 0 elseif startForward or not startBackward and pre(mode) == 1 then tau0 else -tau0;
  mode = if free then 2 elseif (pre(mode) == 1 or pre(mode) == 2 or startForward) and w > 0 then 1
    elseif (pre(mode) == -1 or pre(mode) == 2 or startBackward) and w < 0 then -1 else 0;
end LockedBefore;
