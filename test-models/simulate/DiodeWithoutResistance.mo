//! run: simulate
//! exit: 1
//! code: MS6008
//! stderr: `Ron` and `Goff` are 0 and factors in these equations
//! run: simulate --set Ron=1e-5,Goff=1e-5 --format json
//! json: /completed == true
//! approx: /final/u == 1 +- 1e-3
// An ideal diode and a capacitor: whether it conducts follows from `s`, which its equation does not give where it conducts without
// a resistance. The message says which parameters take `s` out.
model DiodeWithoutResistance
  parameter Real Ron = 0, Goff = 0;
  Real s, v, i, u(start = 0, fixed = true);
  Boolean off(start = true);
equation
  off = s < 0;
  v = (2*s)*(if off then 1 else Ron);
  i = (2*s)*(if off then Goff else 1);
  der(u) = i;
  v = sin(6.283185307179586*time) - u;
end DiodeWithoutResistance;
