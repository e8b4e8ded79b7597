//! run: check --class ModifyFinal
//! exit: 1
//! code: MS2008 line 10
// Wrong: a final parameter is modified.
model Sensor
  final parameter Real gain = 2;
  Real y = gain*time;
end Sensor;
model ModifyFinal
  Sensor s(gain = 3);
end ModifyFinal;
