//! exit: 1
//! code: MS2042 line 10
//! snapshot
//! mend: 10:   head = sum(c[i]*q^(i - 1) for i in 1:3);
model SumInCapitals "Characteristic of a pump"
  parameter Real c[3] = {10, -0.1, -0.02};
  Real q = 1 + time;
  Real head;
equation
  head = Sum(c[i]*q^(i - 1) for i in 1:3);
end SumInCapitals;
