//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t1 == "1/2"
//! json: /transitions/0/impulsive/der(w1) == "1"
//! json: /transitions/0/impulsive/der(w2) == "1/2"
//! json: /transitions/0/jumps == ["w1"]
//! run: restart --from g=false --to g=true --at w1=1,w2=1.5 --format json
//! approx: /right/w1 == 1.5 +- 1e-9
//! approx: /right/w2 == 1.5 +- 1e-9
// A torque that acts squared: only a weight of order 1/2 moves w1 by a finite amount, and that moves w2 not at all.
model QuadraticImpulse
  Real w1(start = 1), w2(start = 1.5), t1, t2;
  input Boolean g;
equation
  der(w1) = t1^2;
  der(w2) = t2;
  if g then
    w1 = w2;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end QuadraticImpulse;
