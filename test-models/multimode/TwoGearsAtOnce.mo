//! run: restart --from g1=false,g2=false --to g1=true,g2=true --at we=300,wv=100 --format json
//! approx: /right/we == 0 +- 1e-9
//! approx: /right/wv == 0 +- 1e-9
//! approx: /weights/t1 == -2200 +- 1e-6
//! approx: /weights/t2 == 2500 +- 1e-6
//! run: restart --from g1=true,g2=false --to g1=true,g2=true --at we=300,wv=100 --format json
//! approx: /right/we == 0 +- 1e-9
//! approx: /right/wv == 0 +- 1e-9
// Two gears of different ratio at once can only stand still: t1 + t2 = 300 and 3*t1 + 2*t2 = -1600.
model TwoGearsAtOnce
  parameter Real Je = 1, Jv = 16;
  Real we(start = 300), wv(start = 100), t1, t2;
  input Boolean g1, g2;
equation
  Je*der(we) = -t1 - t2;
  Jv*der(wv) = 3*t1 + 2*t2;
  0 = if g1 then we - 3*wv else t1;
  0 = if g2 then we - 2*wv else t2;
end TwoGearsAtOnce;
