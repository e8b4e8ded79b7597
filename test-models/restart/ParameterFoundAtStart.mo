//! run: restart --from "x > 1.5=false" --to "x > 1.5=true" --at x=1.5 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /left/y == 4.5 +- 1e-12
//! approx: /right/held == 4.5 +- 1e-12
//! run: restart --from "x > 1.5=false" --to "x > 1.5=true" --at x=1.5 --set gain=2 --format json
//! approx: /right/held == 3.0 +- 1e-12
//! run: simulate --stop-time 3 --format json
//! approx: /final/held == 4.5 +- 1e-6
// The gain is a parameter that an initial equation determines: 3, not the guess 1. A restart computes with it as a run does.
model ParameterFoundAtStart
  parameter Real gain(fixed = false, start = 1);
  parameter Real full = 9;
  parameter Real twice = 2*gain;
  Real x(start = 0, fixed = true);
  Real y;
  discrete Real held(start = 0, fixed = true);
initial equation
  3*gain = full;
equation
  der(x) = 1;
  y = (twice - gain)*x;
  when x > 1.5 then
    held = y;
  end when;
end ParameterFoundAtStart;
