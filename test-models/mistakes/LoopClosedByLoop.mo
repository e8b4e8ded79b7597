//! exit: 1
//! code: MS0003
//! snapshot
//! mend: 13:   end for;
// Wrong: `end loop` closes a `for`.
model LoopClosedByLoop
  parameter Integer n = 5;
  Real T[n](each start = 300, each fixed = true);
equation
  der(T[1]) = 310 - 2*T[1] + T[2];
  for i in 2:n - 1 loop
    der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1];
  end loop;
  der(T[n]) = T[n - 1] - T[n];
end LoopClosedByLoop;
