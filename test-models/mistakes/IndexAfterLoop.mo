//! exit: 1
//! code: MS2001 line 13
//! snapshot
//! mend: 13:   s[4] = 1;
// Wrong: the variable of a loop is used after it.
model IndexAfterLoop
  Real s[4];
  Real x[4](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    s[i] = x[i + 1] - x[i];
  end for;
  s[i] = 1;
  der(x) = -s;
end IndexAfterLoop;
