//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 4 +- 1e-9
//! approx: /final/d == 1 +- 1e-9
// Both x = 4 and x = -1 solve the equations. Of the two unknowns in the loop, the one with a start value is guessed.
model GuessOfDistance
  Real x;
  Real d(start = 2);
equation
  x - d = 3;
  d*x = 4;
end GuessOfDistance;
