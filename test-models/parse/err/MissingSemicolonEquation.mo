//! run: parse
//! exit: 1
//! code: MS0002 line 8
// The `;` behind the first equation is missing; both equations stay in the tree.
model MissingSemicolonEquation
  Real x, y;
equation
  x = 1
  y = 2;
end MissingSemicolonEquation;
