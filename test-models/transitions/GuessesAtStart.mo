//! run: transitions --format json
//! json: /initialisation/verdict == "determined"
//! json: /initialisation/jumps len 0
//! run: restart --format json
//! approx: /right/w1 == 10 +- 1e-12
//! approx: /right/phi_rel == 0.5 +- 1e-12
// The start values of `phi_rel` and `w_rel` are guesses: without `fixed`, they follow from those of the shafts, and
// nothing jumps at the start.
model GuessesAtStart
  Real phi1(start = 0, fixed = true), w1(start = 10, fixed = true);
  Real phi2(start = 0.5, fixed = true), w2(start = 0, fixed = true);
  Real phi_rel(start = 0), w_rel(start = 0), tau;
  Boolean engaged = time >= 1;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  phi_rel = phi2 - phi1;
  der(phi_rel) = w_rel;
  der(w1) = -tau;
  der(w2) = tau;
  if engaged then
    der(w_rel) = -2*w_rel;
  else
    tau = 0;
  end if;
end GuessesAtStart;
