//! run: flatten
//! stdout:   parameter Integer n = 2;
//! stdout: y[1] = 1.0 + x[1];
// A class can say which frontend of OpenModelica its flat model is compared with.
model ClassicByAnnotation
  parameter Integer n = 2;
  input Real x[n];
  Real y[n];
equation
  for i in 1:n loop
    y[i] = x[i] + 1;
  end for;
  annotation(__OpenModelica_commandLineOptions = "-d=-newInst");
end ClassicByAnnotation;
