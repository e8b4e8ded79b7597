//! run: check --class AssignInEquation
//! exit: 1
//! code: MS0008 line 8
// Wrong: an assignment sign in an equation section.
model AssignInEquation
  Real x;
equation
  x := time;
end AssignInEquation;
