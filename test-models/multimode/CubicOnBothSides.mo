//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t == "1/3"
//! run: restart --from g=false --to g=true --at w1=1,w2=4 --format json
//! approx: /right/w1 == 3 +- 1e-9
//! approx: /right/w2 == 3 +- 1e-9
// The same cubed torque acts on both shafts: momentum is kept, 1*1 + 2*4 = 3*3, and t has the order 1/3.
model CubicOnBothSides
  Real w1(start = 1), w2(start = 4), t;
  input Boolean g;
equation
  der(w1) = t^3;
  2*der(w2) = -t^3;
  0 = if g then w1 - w2 else t;
end CubicOnBothSides;
