//! run: simulate --format json
//! json: /completed == true
//! approx: /final/q[1] == 0.6 +- 1e-9
//! approx: /final/q[2] == 0.8 +- 1e-9
// The start values come from a record of parameters that a function computes: at zero the first equation could not be
// solved.
model StartFromRecord
  record Direction
    Real e[2];
  end Direction;

  function towards
    input Real x;
    input Real y;
    output Direction d(e = {x, y}/sqrt(x^2 + y^2));
  algorithm
  end towards;

  final parameter Direction d = towards(3, 4);
  Real q[2](start = d.e);
equation
  q*q = 1;
  d.e[1]*q[2] = d.e[2]*q[1];
end StartFromRecord;
