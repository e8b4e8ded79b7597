//! run: check --class WithoutRedeclare
//! code: MS0018 line 18
//! run: flatten --class WithoutRedeclare
//! code: MS0018 line 18
//! stdout: Real before.y = 2.0;
//! stdout: Real after.y = 2.0;
// `model extends` without the word `redeclare`, as it was written before Modelica 3.4: it replaces the inherited class all the
// same, also where that was used before.
model Cell
  replaceable model Part
    Real x = 1;
  end Part;
  Part before;
end Cell;

model WithoutRedeclare
  extends Cell;
  model extends Part
    Real y = 2;
  end Part;
  Part after;
end WithoutRedeclare;
