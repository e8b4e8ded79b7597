//! code: MS2025 line 8
//! snapshot
//! mend: 8:   when sample(0, 0.1) then u = sin(time); end when;
model DiscreteWithoutWhen "Sampled set point"
  discrete Real u(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  u = sin(time);
  der(x) = u - x;
end DiscreteWithoutWhen;
