//! exit: 1
//! code: MS2042 line 10
//! snapshot
//! mend: 10:   y = log(1 + x);
// Wrong: a function of mathematics is sought in a package of another language.
model LogarithmOfPackage
  Real x = time;
  Real y;
equation
  y = math.log(1 + x);
end LogarithmOfPackage;
