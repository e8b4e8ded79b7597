//! run: transitions --from g=false --to g=true --format json
//! exit: 1
//! json: /transitions/0/verdict == "nonlinear-impulse"
//! json: /transitions/0/diagnostics/0/code == "MS5002"
//! code: MS5002
//! run: transitions
//! exit: 1
//! code: MS5002
model ClutchNonlinearTorque
  Real w1(start = 1);
  Real w2(start = 1.5);
  Real t1;
  Real t2;
  input Boolean g;
equation
  der(w1) = -0.01*w1 + sin(t1);
  der(w2) = -0.02*w2 + t2;
  t1 + t2 = 0;
  0 = if g then w1 - w2 else t1;
end ClutchNonlinearTorque;
