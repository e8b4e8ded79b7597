//! run: transitions --from g1=true,g2=false --to g1=false,g2=true --format json
//! json: /transitions/0/verdict == "determined"
//! run: restart --from g1=true,g2=false --to g1=false,g2=true --at we=300,wv=100 --format json
//! approx: /right/we == 220 +- 1e-6
//! approx: /right/wv == 110 +- 1e-6
//! run: transitions --from g1=false,g2=false --to g1=true,g2=true --format json
//! json: /transitions/0/verdict != "nonlinear-impulse"
// An engine drives a vehicle through one of two gears; shifting from first to second in one instant.
// Je*(we - we-) = -t2, Jv*(wv - wv-) = i2*t2, we = i2*wv: with Je = 1, Jv = 16, i1 = 3, i2 = 2:
// 1*(2*wv - 300)*2 + 16*(wv - 100) = 0, wv = 2200/20 = 110.
model GearShift
  parameter Real Je = 1, Jv = 16;
  parameter Real i1 = 3, i2 = 2;
  Real we(start = 300), wv(start = 100);
  Real t1, t2;
  input Boolean g1;
  input Boolean g2;
equation
  Je*der(we) = 10 - t1 - t2;
  Jv*der(wv) = i1*t1 + i2*t2 - 0.01*wv;
  0 = if g1 then we - i1*wv else t1;
  0 = if g2 then we - i2*wv else t2;
end GearShift;
