//! run: parse
//! exit: 1
//! code: MS0006 line 5
model UnclosedString
  Real x "a description;
  Real y "another one";
equation
  x = 1;
  y = 2;
end UnclosedString;
