//! run: modes --format json
//! json: /loops/0/status == "unique"
// The resistance is what a function of constants gives, as in TwoSlopes.
model SlopeByFunction
  function converted
    input Real r[:];
    output Real total = 0;
  algorithm
    for i in 1:size(r, 1) loop
      total := total + r[i];
    end for;
  end converted;
  parameter Real parts[2] = {0.2, 0.3};
  parameter Real R = converted(parts);
  input Real u;
  Real s;
  Boolean g;
equation
  g = s > 0;
  (if g then 1 else R)*s = u;
end SlopeByFunction;
