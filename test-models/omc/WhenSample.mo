//! run: flatten --class WhenSample
// when-equations with sample: a sampled PI controller with its discrete states around a continuous plant.
model WhenSample
  parameter Real Ts(unit = "s") = 0.1;
  parameter Real kp = 2, ki = 1;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), s(start = 0, fixed = true);
  discrete Real e;
  Integer count(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, Ts) then
    e = 1 - x;
    s = pre(s) + Ts*e;
    u = kp*e + ki*s;
    count = pre(count) + 1;
  end when;
end WhenSample;
