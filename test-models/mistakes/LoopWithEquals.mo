//! exit: 1
//! code: MS0022 line 10
//! snapshot
//! mend: 10:   for i in 1:n loop
model LoopWithEquals "Chain of masses"
  parameter Integer n = 4;
  Real x[n](each start = 0, each fixed = true);
  Real v[n](each start = 1, each fixed = true);
equation
  for i = 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = -x[i];
  end for;
end LoopWithEquals;
