//! exit: 1
//! code: MS5003
//! snapshot
//! mend: 16:     reinit(p, -0.8*pre(p));
model ResetOfVelocity
  parameter Real m = 2;
  Real h(start = 1, fixed = true);
  Real p(start = 0, fixed = true) "momentum";
  Real q(start = 0, fixed = true) "momentum of the fuel";
  Real v = (p + q)/m;
equation
  der(h) = v;
  der(p) = -9.81*m/2;
  der(q) = -9.81*m/2;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
  end when;
end ResetOfVelocity;
