//! run: transitions --from g=false --to g=true --format json
//! exit: 1
//! code: MS5002
//! json: /transitions/0/verdict == "nonlinear-impulse"
// The torque of the engaged clutch enters through a function that an impulse cannot pass.
model ExponentialTorque
  Real w1(start = 1), w2(start = 2), t1, t2;
  input Boolean g;
equation
  der(w1) = exp(t1);
  2*der(w2) = t2;
  if g then
    w1 = w2;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end ExponentialTorque;
