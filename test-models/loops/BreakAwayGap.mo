//! run: check
//! code: MS4003
// As BreakAwayChain, but the clutches slide with more torque than they stick with: between the two nothing fits, and there is no unbroken
// part to choose.
model BreakAwayGap
  constant Integer n = 6;
  parameter Real tau0 = 3, peak = 0.5;
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
end BreakAwayGap;
