//! run: simulate --format json
//! exit: 0
//! json: /completed == true
//! approx: /final/vnew == 0 +- 1e-9
//! approx: /final/h == 0 +- 1e-6
//! approx: /final/v == 0 +- 1e-9
// A ball that comes to rest: when it is on the ground and does not leave it, a second impact stops it. Equations of
// one `when` see each other's new values, and either element of the vector fires it.
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
