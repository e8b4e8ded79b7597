//! run: simulate --format json
//! exit: 1
//! code: MS6006
//! approx: /time == 2.5578 +- 1e-3
// The ball of the textbooks. It comes to rest only where rounding hides the last bounces: its impacts accumulate at
// sqrt(2/9.81)*(1 + 2*0.7/0.3) = 2.5586, which is said. Equations of one `when` see each other's new values, and either
// element of the vector fires it.
model BouncingBallRests
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real vnew;
  Boolean flying(start = true, fixed = true);
  Boolean impact;
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  impact = h <= 0;
  when {h <= 0 and v <= 0, impact} then
    vnew = if edge(impact) then -0.7*pre(v) else 0;
    flying = vnew > 0;
    reinit(v, vnew);
  end when;
  annotation(experiment(StopTime = 3));
end BouncingBallRests;
