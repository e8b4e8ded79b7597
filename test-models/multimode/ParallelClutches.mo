//! run: transitions --from a=true,b=false --to a=true,b=true --format json
//! code: MS5005
//! json: /transitions/0/verdict == "numerically-singular"
//! run: restart --from a=false,b=false --to a=true,b=false --at w1=1,w2=4 --format json
//! approx: /right/w1 == 3 +- 1e-9
//! approx: /weights/ta == -2 +- 1e-9
// Two clutches between the same shafts: one is enough, with both the share of each torque is open.
model ParallelClutches
  Real w1(start = 1), w2(start = 4), ta, tb;
  input Boolean a, b;
equation
  1*der(w1) = -ta - tb;
  2*der(w2) = ta + tb;
  0 = if a then w1 - w2 else ta;
  0 = if b then w1 - w2 else tb;
end ParallelClutches;
