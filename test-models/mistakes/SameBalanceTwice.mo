//! exit: 1
//! code: MS4001 line 14
//! snapshot
//! mend: 14: 
// Wrong: the balance of a node is written once more, with other signs.
model SameBalanceTwice
  parameter Real R1 = 10, R2 = 20, R3 = 30;
  Real u, i1, i2, i3;
equation
  i1 = i2 + i3;
  R1*i1 = 12*sin(time) - u;
  u = R2*i2;
  u = R3*i3;
  -i2 - i3 + i1 = 0;
end SameBalanceTwice;
