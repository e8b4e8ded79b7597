//! exit: 1
//! code: MS0007 line 8
//! snapshot
//! mend: 8: equation
// Wrong: a `;` after `equation`.
model SemicolonAfterSection
  Real x(start = 1, fixed = true);
equation;
  der(x) = -x;
end SemicolonAfterSection;
