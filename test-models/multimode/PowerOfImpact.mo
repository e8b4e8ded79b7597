//! run: transitions --from g=false --to g=true --format json
//! code: MS5008
//! json: /transitions/0/verdict == "determined"
//! run: restart --from g=false --to g=true --at w1=1,w2=3,E=0 --format json
//! approx: /right/w1 == 2 +- 1e-9
// The energy that an impact transfers is an integral of an impulse times a speed that jumps.
model PowerOfImpact
  Real w1(start = 1), w2(start = 3), t, E(start = 0);
  input Boolean g;
equation
  der(w1) = t;
  der(w2) = -t;
  der(E) = t*w1;
  0 = if g then w1 - w2 else t;
end PowerOfImpact;
