//! run: simulate --format json
//! exit: 1
//! code: MS6008
//! approx: /time == 1.5 +- 1e-9
//! run: simulate --stop-time 1.4 --format json
//! approx: /final/x == 2.7 +- 1e-6
//! approx: /final/w2 == 1.2 +- 1e-6
// Two inertias engage at 0.3, so the model is run mode by mode. The second subscript passes the end of its row at 1.5:
// no element of the next row is meant. Until 1.4 there are 1, 2 and 3 for 0.5, 0.5 and 0.4.
model SubscriptsOfMatrix
  parameter Real a[2, 3] = [1, 2, 3; 4, 5, 6];
  Integer row(start = 1, fixed = true);
  Integer column(start = 1, fixed = true);
  Real y;
  Real x(start = 0, fixed = true);
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean engaged = time > 0.3;
equation
  y = a[row, column];
  der(x) = y;
  when sample(0.5, 0.5) then
    column = pre(column) + 1;
  end when;
  when time > 10 then
    row = 2;
  end when;
  der(w1) = 1 - tau;
  der(w2) = tau;
  if engaged then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 2));
end SubscriptsOfMatrix;
