model RangeOverLines "A colon at the end of a line belongs to the range that goes on in the next one"
  Real y[3];
algorithm
  for i in 1:
      3 loop
    y[i] := i;
  end for;
  while sum(1:
      2) < 2 loop
    y[1] := 2;
  end while;
  if if true then 1 < sum(1:
      2) else false then
    y[2] := 0;
  end if;
end RangeOverLines;
