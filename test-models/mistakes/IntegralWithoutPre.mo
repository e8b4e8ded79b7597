//! exit: 1
//! code: MS4019 line 13
//! snapshot
//! mend: 13:     I = pre(I) + Ts*(1 - x);
model IntegralWithoutPre "Sampled controller"
  parameter Real Ts = 0.1;
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
  discrete Real I(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, Ts) then
    I = I + Ts*(1 - x);
    u = 2*(1 - x) + I;
  end when;
end IntegralWithoutPre;
