//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/jumps len 3
//! json: /transitions/0/impulsive/o == "1"
//! run: restart --from g=false --to g=true --at "w1=1,w2=3,z=0" --format json
//! approx: /right/z == 1 +- 1e-9
//! approx: /right/w1 == 2 +- 1e-9
model IntegratedImpulse "An impulse is followed into an integrator and an output"
  Real w1(start = 1);
  Real w2(start = 3);
  Real t1;
  Real t2;
  Real z(start = 0);
  Real o;
  input Boolean g;
equation
  der(w1) = t1;
  der(w2) = t2;
  t1 + t2 = 0;
  der(z) = t1;
  o = 2*t1;
  0 = if g then w1 - w2 else t1;
end IntegratedImpulse;
