//! exit: 1
//! code: MS0009 line 7
//! snapshot
//! mend: 7:   // the level of the tank
// Wrong: a comment as in a shell.
model CommentByHash
  # the level of the tank
  Real h(start = 1, fixed = true);
equation
  der(h) = -h;
end CommentByHash;
