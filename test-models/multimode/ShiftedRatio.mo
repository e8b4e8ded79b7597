//! run: restart --to shift=true --at we=300,wv=100,ratio=3 --format json
//! approx: /right/we == 220 +- 1e-9
//! approx: /right/wv == 110 +- 1e-9
//! approx: /right/ratio == 2 +- 1e-12
//! run: transitions --from shift=false --to shift=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps contains "we"
//! json: /transitions/0/impulsive/t == "1"
// The ratio of a gear is a discrete variable: with it the constraint we = ratio*wv changes, and the speeds jump
// although the equation is the same before and after. 1*(2*wv - 300)*2 + 16*(wv - 100) = 0, wv = 110.
model ShiftedRatio
  parameter Real Je = 1, Jv = 16;
  Real we(start = 300), wv(start = 100), t;
  discrete Real ratio(start = 3);
  input Boolean shift;
equation
  Je*der(we) = -t;
  Jv*der(wv) = ratio*t;
  we = ratio*wv;
  when shift then
    ratio = 2;
  end when;
end ShiftedRatio;
