//! run: parse
//! exit: 1
//! code: MS0004 line 7
model A
  Real x;
end A;
model