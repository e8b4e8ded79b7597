//! run: parse
//! exit: 1
//! code: MS0008 line 7
//! code: MS0008 line 10
//! code: MS0008 line 11
model AssignInEquation
  Real x := 1;
  Real y;
equation
  y := x;
  y == x;
end AssignInEquation;
