//! exit: 1
//! code: MS0001 line 9
//! snapshot
//! mend: 9:   rain = if time > 2 then 0.3 else 0;
model ExpressionWithoutElse "Rain gauge"
  Real rain;
  Real level(start = 0, fixed = true);
equation
  rain = if time > 2 then 0.3;
  der(level) = rain;
end ExpressionWithoutElse;
