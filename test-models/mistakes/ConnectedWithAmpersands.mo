//! exit: 1
//! code: MS0009 line 11
//! snapshot
//! mend: 11:   q = if ready and not empty then 1 else 0;
// Wrong: conditions are joined as in C.
model ConnectedWithAmpersands
  Boolean ready = time > 1;
  Boolean empty = time > 3;
  Real q;
equation
  q = if ready && not empty then 1 else 0;
end ConnectedWithAmpersands;
