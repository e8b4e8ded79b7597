//! run: check --class RedeclareNotSubtype
//! exit: 1
//! code: MS2006 line 19
//! code: MS2011 line 22
// Wrong: the redeclared class lacks an element of the constraining class.
partial model Controller
  input Real e;
  output Real y;
end Controller;
model P
  extends Controller;
equation
  y = e;
end P;
model Other
  Real z = time;
end Other;
model Loop
  replaceable P ctrl constrainedby Controller(e = time);
end Loop;
model RedeclareNotSubtype
  Loop control(redeclare Other ctrl);
end RedeclareNotSubtype;
