//! run: check
//! exit: 1
//! code: MS4001
//! run: transitions
//! exit: 1
//! code: MS5014
// A current source drives two ideal diodes in a row. Where both block, one of them conducting is not enough: no single condition
// leads to a mode with a solution, so this mode is an error.
model TwoDiodesInTheWay
  Modelica.Electrical.Analog.Sources.ConstantCurrent source(I = 1);
  Modelica.Electrical.Analog.Ideal.IdealDiode first, second;
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.n, first.p);
  connect(first.n, second.p);
  connect(second.n, source.p);
  connect(source.p, ground.p);
end TwoDiodesInTheWay;
