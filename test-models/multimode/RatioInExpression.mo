//! run: restart --from low=true --to low=false --at we=300,wv=100 --format json
//! approx: /right/we == 220 +- 1e-9
//! approx: /right/wv == 110 +- 1e-9
//! run: transitions --from low=true --to low=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t == "1"
// The ratio of a gear by an if-expression: the same shift without a discrete variable.
model RatioInExpression
  parameter Real Je = 1, Jv = 16;
  Real we(start = 300), wv(start = 100), t, ratio;
  input Boolean low;
equation
  ratio = if low then 3 else 2;
  Je*der(we) = -t;
  Jv*der(wv) = ratio*t;
  we = ratio*wv;
end RatioInExpression;
