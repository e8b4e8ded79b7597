//! run: transitions --from g=false --to g=true
//! code: MS5008
//! run: restart --from g=false --to g=true --at "w1=1,w2=3" --format json
//! approx: /right/w1 == 2.3333333333 +- 1e-9
model SchemeDependent "An impulse times a state that jumps"
  Real w1(start = 1);
  Real w2(start = 3);
  Real t1;
  Real t2;
  input Boolean g;
equation
  der(w1) = (1 + w1^2)*t1;
  der(w2) = t2;
  t1 + t2 = 0;
  0 = if g then w1 - w2 else t1;
end SchemeDependent;
