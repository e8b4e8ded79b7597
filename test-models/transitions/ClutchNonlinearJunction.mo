//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t1 == "1"
model ClutchNonlinearJunction "The speeds are tied by a function"
  Real w1(start = 1);
  Real w2(start = 1.5);
  Real t1;
  Real t2;
  input Boolean g;
equation
  der(w1) = -0.01*w1 + t1;
  der(w2) = -0.02*w2 + t2;
  t1 + t2 = 0;
  0 = if g then sin(w1) - w2 else t1;
end ClutchNonlinearJunction;
