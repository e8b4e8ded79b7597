//! run: restart --from g=false --to g=true --at w1=10,w2=1 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/w1 == 6 +- 1e-9
//! approx: /right/w2 == 3 +- 1e-9
//! approx: /weights/t == 4 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/w1 == 6 +- 1e-6
//! approx: /final/w2 == 3 +- 1e-6
// A dog clutch behind a gear of ratio 2: the torque acts twice as strongly on the second shaft.
model DogClutchRatio
  Real w1(start=10, fixed=true), w2(start=1, fixed=true), t;
  Boolean g;
equation
  g = time >= 1;
  der(w1) = -t;
  4*der(w2) = 2*t;
  if g then
    w1 = 2*w2;
  else
    t = 0;
  end if;
end DogClutchRatio;
