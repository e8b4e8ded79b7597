//! exit: 1
//! code: MS0007 line 11
//! snapshot
//! mend: 11:   for i in 1:3 loop
// Wrong: brackets around the head of a loop.
model LoopHeadInBrackets
  parameter Real a[3] = {1, 2, 3};
  Real s;
algorithm
  s := 0;
  for (i in 1:3) loop
    s := s + a[i]*time;
  end for;
end LoopHeadInBrackets;
