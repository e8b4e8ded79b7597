//! run: flatten --class IfEquationParameter
// if-equations with parameter conditions: the branch is chosen while flattening; branches of unequal size.
type Init = enumeration(free, steady, fixedValue);

model Tank
  parameter Boolean open = true;
  parameter Init init = Init.steady;
  parameter Real level0 = 1;
  Real level, p, inflow;
equation
  inflow = 1 + 0.1*sin(time);
  der(level) = inflow - 0.5*level;
  if open then
    p = 1e5;
  elseif level0 > 10 then
    p = 3e5;
  else
    p = 1e5*(1 + level);
  end if;
initial equation
  if init == Init.steady then
    der(level) = 0;
  elseif init == Init.fixedValue then
    level = level0;
  end if;
end Tank;

model IfEquationParameter
  Tank a;
  Tank b(open = false, init = Init.fixedValue, level0 = 2);
  Tank c(open = false, init = Init.free, level0 = 20);
  parameter Integer order = 2;
  Real x, y;
equation
  if order == 2 then
    der(x) = y;
    der(y) = -x;
  elseif order == 1 then
    der(x) = -x;
    y = 0;
  else
    x = 1;
    y = 1;
  end if;
end IfEquationParameter;
