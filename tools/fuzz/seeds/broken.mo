model A
  Real x = (1 + {2;
equation
  x == 1
  if a
    y := 2
  end for;
end B;