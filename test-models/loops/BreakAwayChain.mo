//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "undecided"
//! run: check
//! code: MS4003
//! stderr: something always fits
//! run: check --deny fixpoints
//! exit: 1
//! code: MS4003
// Six clutches that break away above their sliding torque: too many to compare all cases, but something always fits, for instance as if
// each stuck up to its sliding torque only.
model BreakAwayChain
  constant Integer n = 6;
  parameter Real tau0 = 3, peak = 1.5;
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
    forward[i] = sa[i] > peak*tau0;
    backward[i] = sa[i] < -peak*tau0;
    a[i] = if forward[i] then sa[i] - peak*tau0 elseif backward[i] then sa[i] + peak*tau0 else 0;
    tau[i] = if forward[i] then tau0 elseif backward[i] then -tau0 else sa[i];
  end for;
end BreakAwayChain;
