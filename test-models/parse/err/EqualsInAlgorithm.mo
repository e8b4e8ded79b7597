//! run: parse
//! exit: 1
//! code: MS0008 line 10
//! code: MS0008 line 11
//! code: MS0008 line 12
function EqualsInAlgorithm
  input Real u;
  output Real y;
algorithm
  y = u;
  y == u + 1;
  y := if u = 1 then 2 else 3;
end EqualsInAlgorithm;
