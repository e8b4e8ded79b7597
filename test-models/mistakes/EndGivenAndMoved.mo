//! exit: 1
//! code: MS4001
//! snapshot
//! mend: 11:   for i in 2:n - 1 loop
// Wrong: the temperature of the first element is given and has a differential equation.
model EndGivenAndMoved
  parameter Integer n = 6;
  Real T[n](each start = 300);
equation
  T[1] = 400;
  for i in 1:n - 1 loop
    der(T[i]) = (if i == 1 then 0 else T[i - 1] - T[i]) + T[i + 1] - T[i];
  end for;
  der(T[n]) = T[n - 1] - T[n];
end EndGivenAndMoved;
