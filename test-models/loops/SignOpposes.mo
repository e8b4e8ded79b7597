//! run: check
//! exit: 1
//! code: MS4014 line 9
// Where u = 0, x = 0 is a solution: the values in the message must be others.
model SignOpposes "A jump against what it follows"
  input Real u;
  Real x;
equation
  x = u - 2*sign(x);
end SignOpposes;
