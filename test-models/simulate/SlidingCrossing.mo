//! run: simulate --method capture --step 0.1 --format json
//! json: /completed == true
//! code: MS6014
//! approx: /final/x1 == 4.333333333 +- 0.2
//! approx: /final/x2 == 5.333333333 +- 0.2
//! run: simulate --method capture --step 0.01 --format json
//! approx: /final/x1 == 4.333333333 +- 0.02
//! approx: /final/x2 == 5.333333333 +- 0.02
//! run: simulate --method capture --step 0.001 --format json
//! approx: /final/x1 == 4.333333333 +- 0.002
//! approx: /final/x2 == 5.333333333 +- 0.002
//! run: simulate --method capture --step 0.001
//! stderr: CCH
// Rocca, Acary and Brogliato, section 3.3: down the first constraint until time 2.5, up the surface x1 = 0 until
// 3.5, then along the second constraint. The scheme is of first order.
model SlidingCrossing
  parameter Real B1 = -0.5;
  parameter Real B2 = 1;
  Real x1(start = -5, fixed = true);
  Real x2(start = 4);
  Real z;
equation
  der(x1) = 1 + B1*z;
  der(x2) = B2*z;
  if x1 < 0 then
    0 = -1 - x1 - x2;
  else
    0 = 1 + x1 - x2;
  end if;
  annotation(experiment(StopTime = 10));
end SlidingCrossing;
