//! run: flatten --class IfEquationTime
// if-equations with conditions on time and states, nested, with array equations, for-equations and connect-free branches.
model IfEquationTime
  parameter Real limit = 2;
  Real x(start = 0, fixed = true), f, g[2], h;
  Boolean high;
equation
  high = x > limit;
  if time < 1 then
    f = 1;
  elseif high then
    f = -1;
  else
    f = 0.5*cos(time);
  end if;
  if high then
    g = {1, 2};
    h = 0;
  else
    for i in 1:2 loop
      g[i] = i*x;
    end for;
    if x > limit/2 and not time > 5 then
      h = x;
    else
      h = -x;
    end if;
  end if;
  der(x) = f + h;
end IfEquationTime;
