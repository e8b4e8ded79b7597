//! exit: 1
//! code: MS3005 line 14
//! snapshot
//! mend: 15+:     f = 0;
// Wrong: one branch lacks the equation of motion.
model BranchTooShort
  parameter Real m = 2;
  Real q(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
  Real f;
  Boolean stuck = time > 1;
equation
  der(q) = v;
  if stuck then
    der(v) = 0;
  else
    f = -3*v;
    m*der(v) = f;
  end if;
end BranchTooShort;
