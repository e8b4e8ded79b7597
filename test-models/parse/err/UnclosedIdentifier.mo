//! run: parse
//! exit: 1
//! code: MS0006 line 5
model UnclosedIdentifier
  Real 'x y = 1;
  Real z = 2;
end UnclosedIdentifier;
