//! run: parse
//! exit: 1
//! code: MS0004 line 12
model MissingEndIf
  Real x, y;
equation
  if x > 0 then
    y = 1;
  else
    y = 2;
  der(x) = y;
end MissingEndIf;
