//! run: flatten --class InitialSections
// Initial equations and initial algorithms: steady state, parameters with fixed=false, start attributes from parameters.
model InitialSections
  parameter Real T = 2;
  parameter Real gain(fixed = false, start = 1) "computed at start";
  parameter Real x0 = 3;
  Real x(start = x0), y, z[2];
  Integer mode(start = 0);
  discrete Real held;
initial equation
  der(x) = 0;
  gain*x0 = 6;
  for i in 1:2 loop
    z[i] = i*gain;
  end for;
equation
  T*der(x) = 1 - x + (if time > 1 then 1 else 0);
  y = gain*x;
  der(z) = -z;
  when x > 1.5 then
    mode = pre(mode) + 1;
    held = y;
  end when;
initial algorithm
  mode := if x0 > 2 then 5 else 6;
  held := 0;
  for i in 1:mode loop
    held := held + i;
  end for;
end InitialSections;
