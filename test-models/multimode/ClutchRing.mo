//! run: transitions --from a=true,b=true,c=false --to a=true,b=true,c=true --format json
//! code: MS5005
//! json: /transitions/0/verdict == "numerically-singular"
//! run: restart --from a=true,b=false,c=false --to a=true,b=true,c=false --at w1=2,w2=2,w3=8 --format json
//! approx: /right/w1 == 5 +- 1e-9
//! approx: /right/w3 == 5 +- 1e-9
// Three shafts in a ring of three clutches; the third one is one constraint too many.
model ClutchRing
  Real w1(start = 1), w2(start = 2), w3(start = 3), ta, tb, tc;
  input Boolean a, b, c;
equation
  1*der(w1) = -ta + tc;
  2*der(w2) = ta - tb;
  3*der(w3) = tb - tc;
  0 = if a then w1 - w2 else ta;
  0 = if b then w2 - w3 else tb;
  0 = if c then w3 - w1 else tc;
end ClutchRing;
