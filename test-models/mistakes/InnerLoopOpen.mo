//! exit: 1
//! code: MS0004 line 10
//! snapshot
//! mend: 11:       a[i, k] = i*sin(k*time); end for;
model InnerLoopOpen "Products of two series"
  Real a[2, 3];
  Real s;
equation
  for i in 1:2 loop
    for k in 1:3 loop
      a[i, k] = i*sin(k*time);
  end for;
  s = sum(a);
end InnerLoopOpen;
