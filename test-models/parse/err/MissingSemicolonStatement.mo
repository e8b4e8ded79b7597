//! run: parse
//! exit: 1
//! code: MS0002 line 10
//! code: MS0002 line 13
function MissingSemicolonStatement
  input Real u;
  output Real y;
algorithm
  if u > 0 then
    y := 1
  else
    y := 2;
  end if
end MissingSemicolonStatement;
