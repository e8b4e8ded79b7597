//! run: restart --from upper=false,lower=false --to upper=true,lower=false --at phi1=0.1,phi2=0,w1=4,w2=0 --format json
//! approx: /right/w1 == 1 +- 1e-9
//! approx: /right/w2 == 1 +- 1e-9
//! approx: /right/phi1 == 0.1 +- 1e-9
//! approx: /right/phi2 == 0 +- 1e-9
//! approx: /weights/tu == 3 +- 1e-9
//! run: restart --from upper=false,lower=false --to upper=false,lower=true --at phi1=-0.1,phi2=0,w1=-4,w2=0 --format json
//! approx: /right/w1 == -1 +- 1e-9
//! run: transitions --from upper=true --format json
//! json: /transitions/0/jumps len 0
// A gear with play of 0.1 on both sides: at the end of the play the teeth meet and the shafts turn together,
// (1 + 3)*w = 1*4.
model Backlash
  parameter Real J1 = 1, J2 = 3, b = 0.1;
  Real phi1(start = 0), phi2(start = 0), w1(start = 4), w2(start = 0);
  Real tu "torque of the upper flank", tl "torque of the lower flank";
  Real su(start = -1), sl(start = -1);
  Boolean upper(start = false), lower(start = false), reached1(start = false, fixed = true), reached2(start = false, fixed = true);
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = -tu + tl;
  J2*der(w2) = tu - tl;
  reached1 = su >= 0;
  upper = pre(reached1);
  reached2 = sl >= 0;
  lower = pre(reached2);
  su = if upper then tu else phi1 - phi2 - b;
  sl = if lower then tl else phi2 - phi1 - b;
  0 = if upper then phi1 - phi2 - b else tu;
  0 = if lower then phi2 - phi1 - b else tl;
  assert(not (upper and lower), "one flank at a time");
end Backlash;
