//! run: check --class ModelAsFunction
//! exit: 1
//! code: MS2042 line 11
// Wrong: a model is called like a function.
model Gain
  Real u, y;
equation
  y = 2*u;
end Gain;
model ModelAsFunction
  Real y = Gain(time);
end ModelAsFunction;
