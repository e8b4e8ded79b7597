//! run: parse
//! exit: 1
//! code: MS0006 line 6
model UnclosedComment
  Real x = 1;
  /* The rest is lost
end UnclosedComment;
