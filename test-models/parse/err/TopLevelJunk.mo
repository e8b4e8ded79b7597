//! run: parse
//! exit: 1
//! code: MS0007 line 6
//! code: MS0007 line 10
//! code: MS0007 line 14
Real x = 1;
model A
  Real x = 2;
end A;
this is no Modelica
model B
  Real y = 3;
end B;
)
