//! run: simulate --format json
//! code: MS6011 line 9
//! approx: /initial/w1 == 1 +- 1e-9
//! approx: /initial/w2 == 1 +- 1e-9
//! json: /chosen_starts/w1 == 1.0
// Two shafts that are one: of two start values that nobody fixed one is taken, and not without a word.
model StartsThatContradict
  Real w1(start = 1);
  Real w2(start = 2);
  Real tau;
equation
  der(w1) = tau;
  2*der(w2) = 3 - tau;
  w1 = w2;
end StartsThatContradict;
