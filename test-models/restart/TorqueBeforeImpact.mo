//! run: restart --from g=false --to g=true --at w=1 --format json
//! approx: /left/tau == 2 +- 1e-12
//! approx: /left/der(w) == 1 +- 1e-12
//! approx: /right/w == 3 +- 1e-12
//! json: /assumed len 0
model TorqueBeforeImpact "A law reads a constant unknown"
  Real w(start = 1, fixed = true);
  Real tau;
  input Boolean g;
equation
  der(w) = tau - w;
  tau = 2;
  when g then
    reinit(w, pre(w) + pre(tau));
  end when;
end TorqueBeforeImpact;
