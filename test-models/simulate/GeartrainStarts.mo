//! run: simulate --format json
//! code: MS6011
//! run: simulate --set k=3 --format json
//! json: /diagnostics len 0
//! approx: /initial/w1 == 6 +- 1e-9
// The same through a ratio: start values of 6 and 2 agree with k = 3 and contradict each other with k = 2.
model GeartrainStarts
  parameter Real k = 2;
  Real w1(start = 6);
  Real w2(start = 2);
  Real tau;
equation
  der(w1) = tau;
  2*der(w2) = 3 - k*tau;
  w1 = k*w2;
end GeartrainStarts;
