//! run: restart --from g=false --to g=true --at i1=3,i2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/i1 == 1 +- 1e-9
//! approx: /right/i2 == 1 +- 1e-9
//! approx: /weights/v1 == -2 +- 1e-9
//! approx: /weights/v2 == 2 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/i1 == 1 +- 1e-6
//! approx: /final/i2 == 1 +- 1e-6
// Two coils get into one loop: their flux is kept.
model Chokes
  Real i1(start=3, fixed=true), i2(start=0, fixed=true), v1, v2;
  Boolean g;
equation
  g = time >= 1;
  der(i1) = v1;
  2*der(i2) = v2;
  if g then
    i1 = i2;
    v1 + v2 = 0;
  else
    v1 = 0;
    v2 = 0;
  end if;
end Chokes;
