//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "hysteresis"
//! json: /loops/0/procedure == "linear programmes over one monotone characteristic"
//! run: check --deny warnings
// A chain of five inertias with clutches between them, of which one breaks away above its sliding torque and the others do not jump:
// the others fall everywhere as a function of its torque.
model BreakAwayBesideFriction
  constant Integer n = 4;
  parameter Real tau0 = 3, peak[n] = {1, 1.5, 1, 1};
  input Real t[n + 1];
  Real w[n + 1](each start = 0), tau[n], sa[n], a[n];
  Boolean forward[n], backward[n];
equation
  der(w[1]) = t[1] - tau[1];
  for i in 2:n loop
    i*der(w[i]) = t[i] + tau[i - 1] - tau[i];
  end for;
  der(w[n + 1]) = t[n + 1] + tau[n];
  for i in 1:n loop
    a[i] = der(w[i]) - der(w[i + 1]);
    forward[i] = sa[i] > peak[i]*tau0;
    backward[i] = sa[i] < -peak[i]*tau0;
    a[i] = if forward[i] then sa[i] - peak[i]*tau0 elseif backward[i] then sa[i] + peak[i]*tau0 else 0;
    tau[i] = if forward[i] then tau0 elseif backward[i] then -tau0 else sa[i];
  end for;
end BreakAwayBesideFriction;
